#pragma once
/// FunctionNames: the names of functions in requests to chat models. Model endpoints accept
/// [a-zA-Z0-9_-]{1,64} and otherwise refuse the whole request with 400, while names in this service have
/// fewer restrictions (D54, D60). Owned by the code that writes a request; pure, any thread.

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace parley {

/// A name that every endpoint accepts.
[[nodiscard]] bool is_function_name(std::string_view name);

class FunctionNames {
 public:
  /// Announces a name: if it is valid unchanged and not used for another name, it is reserved for this name.
  void expect(std::string_view name);
  /// Sends the name as `text`, which is used for no other name.
  void give(std::string_view name, std::string text);
  /// Uses this text for no name.
  void reserve(std::string text) { taken_.insert(std::move(text)); }
  /// The name to send: an announced name unchanged; else the name itself if it is valid and free; else the
  /// name with `_` for each invalid character, truncated to 64, with a number if that is in use. Different
  /// names are sent as different names, and a name is always sent in the same form. Takes time proportional
  /// to the names, apart from a logarithm.
  [[nodiscard]] std::string of(std::string_view name);

 private:
  [[nodiscard]] std::string numbered(const std::string& base);

  std::map<std::string, std::string, std::less<>> sent_;  ///< sent text by name
  std::set<std::string, std::less<>> taken_;              ///< texts that no other name may use
  /// The next number to try after a text, by that text and the number's digits: all lower numbers are in use.
  std::map<std::pair<std::string, std::size_t>, std::size_t> next_;
};

}  // namespace parley
