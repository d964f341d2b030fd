#pragma once
/// Cors: which pages of other origins may call the service from a browser (the Fetch standard's CORS protocol). None
/// unless the operator names them. Never with credentials: a key is sent as a header, which a page must hold itself.
/// Immutable; any thread.

#include <string>
#include <string_view>
#include <vector>

#include "http/protocol/request.hpp"
#include "http/protocol/response.hpp"

namespace parley::http {

class Cors {
 public:
  /// `*` among the origins allows every one.
  explicit Cors(std::vector<std::string> origins);

  /// What Access-Control-Allow-Origin says to this request; empty: nothing.
  [[nodiscard]] std::string allowed(const Request& request) const;
  /// A question of the browser itself, which sends no key with it.
  [[nodiscard]] static bool is_preflight(const Request& request);
  /// Whether answers depend on the origin that asks.
  [[nodiscard]] bool varies() const { return !origins_.empty() && !is_for_all_; }

  /// What a page may read of an answer besides its body.
  static void expose(Response& response, std::string_view allowed_origin);
  /// What a preflight asks for: the methods of the path, the fields that a request may carry.
  [[nodiscard]] static std::vector<std::pair<std::string, std::string>> permissions(std::string_view methods);

 private:
  std::vector<std::string> origins_;
  bool is_for_all_;
};

/// The fault of a text that is neither `*` nor an origin as browsers send it (`https://app.example`, with a port where it
/// is not the usual one); empty for a good one.
[[nodiscard]] std::string fault_of_origin(std::string_view text);

}  // namespace parley::http
