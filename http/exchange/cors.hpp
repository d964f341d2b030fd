#pragma once
/// Cors: decides which pages of other origins may call the server from a browser (CORS, Fetch standard). By default
/// no page may; the operator lists the origins. Credentials are never allowed: a page sends its API key in a header.
/// Immutable; any thread.

#include <string>
#include <string_view>
#include <vector>

#include "http/protocol/request.hpp"
#include "http/protocol/response.hpp"

namespace parley::http {

class Cors {
 public:
  /// `*` in the list allows every origin.
  explicit Cors(std::vector<std::string> origins);

  /// The value of Access-Control-Allow-Origin for this request; empty if the field is omitted.
  [[nodiscard]] std::string allowed(const Request& request) const;
  [[nodiscard]] std::string allowed(std::string_view origin) const;
  /// Whether the browser itself sent the request, without an API key.
  [[nodiscard]] static bool is_preflight(const Request& request);
  /// Whether answers depend on the request's origin.
  [[nodiscard]] bool varies() const { return !origins_.empty() && !is_for_all_; }

  /// Adds the fields that allow a page to read the answer.
  static void expose(Response& response, std::string_view allowed_origin);
  /// The answer to a preflight: the methods of the path, and the fields that a request may contain.
  [[nodiscard]] static std::vector<std::pair<std::string, std::string>> permissions(std::string_view methods);

 private:
  std::vector<std::string> origins_;
  bool is_for_all_;
};

/// The fault in a text that is neither `*` nor an origin as browsers send it (`https://app.example`, with a port
/// unless it is the default port); empty if the text is valid.
[[nodiscard]] std::string fault_of_origin(std::string_view text);

}  // namespace parley::http
