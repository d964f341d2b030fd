#pragma once
/// One request as the framer read it. Everything in it views the connection's buffer: it is valid on the
/// worker's thread until the handler returns, and a handler that answers later copies what it needs.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "store/audit/author.hpp"

namespace parley::http {

/// One header field; the value has no white space around it.
struct Field {
  std::string_view name;
  std::string_view value;
};

/// Invariant: `target` is visible ASCII without `#`, begins with `/` or is `*`; nothing is percent-decoded
/// (F33).
struct Request {
  std::string_view method;
  std::string_view target;  ///< path?query as it was sent; an absolute form is reduced to it
  std::string_view path;
  std::string_view query;  ///< without the `?`
  int minor_version = 1;   ///< of HTTP/1
  std::vector<Field> fields;
  std::string_view body;
  store::Address peer{};  ///< of the other end of the connection
  /// The head was judged before the body came (HeadJudge), which was thrown away: there is nobody to work for.
  bool is_refused = false;

  /// The first field of that name (case does not matter), or null.
  [[nodiscard]] const Field* find(std::string_view name) const;
  [[nodiscard]] std::size_t count(std::string_view name) const;
  /// The value of the first field of that name; empty without one.
  [[nodiscard]] std::string text(std::string_view name) const;
  /// The values of all fields of that name as one list (RFC 9110 section 5.3).
  [[nodiscard]] std::string joined(std::string_view name) const;
  /// Whether a field of that name lists `token` among its comma-separated elements (RFC 9110 section 5.6.1).
  [[nodiscard]] bool lists(std::string_view name, std::string_view token) const;
};

/// What becomes of a body that is still to come.
enum class BodyUse {
  keep,
  drop,  ///< nobody reads it: the request comes with an empty one
  refuse  ///< as drop, and the request says so; where more is to come than is worth dropping, it ends the connection
};

}  // namespace parley::http
