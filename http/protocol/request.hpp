#pragma once
/// One request as read by the framer. All members are views into the connection's buffer; they are valid on the
/// worker thread until the handler returns. A handler that answers later copies what it needs.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/audit/author.hpp"

namespace parley::http {

/// One header field; its value has no surrounding white space.
struct Field {
  std::string_view name;
  std::string_view value;
};

/// Invariant: `target` is visible ASCII without `#`; it begins with `/` or is `*`. Nothing is percent-decoded (F33).
struct Request {
  std::string_view method;
  std::string_view target;  ///< path?query as sent; an absolute form is reduced to this
  std::string_view path;
  std::string_view query;  ///< without the `?`
  int minor_version = 1;   ///< minor version of HTTP/1
  std::vector<Field> fields;
  std::string_view body;
  store::Address peer{};  ///< address of the client's end of the connection
  /// Set if the Preauthorizer refused the head and the body was discarded: handlers must not run.
  bool is_refused = false;

  /// The first field with that name (case-insensitive), or null.
  [[nodiscard]] const Field* find(std::string_view name) const;
  [[nodiscard]] std::size_t count(std::string_view name) const;
  /// The value of the first field with that name; empty if there is no such field.
  [[nodiscard]] std::string text(std::string_view name) const;
  /// The values of all fields with that name as one list (RFC 9110 section 5.3).
  [[nodiscard]] std::string joined(std::string_view name) const;
  /// Whether a field with that name lists `token` among its comma-separated elements (RFC 9110 section 5.6.1).
  [[nodiscard]] bool lists(std::string_view name, std::string_view token) const;
};

/// What to do with a body that has not arrived yet.
enum class BodyUse {
  keep,
  drop,   ///< not needed: the request gets an empty body
  refuse  ///< like drop, but marks the request; a body too large to discard ends the connection
};

/// The decision about a body, and the user whose budget its bytes count against; 0: no user.
struct BodyPlan {
  BodyUse use = BodyUse::keep;
  std::uint64_t owner = 0;

  BodyPlan(BodyUse of_body, std::uint64_t of_user = 0) : use(of_body), owner(of_user) {}
  bool operator==(BodyUse other) const { return use == other; }
};

}  // namespace parley::http
