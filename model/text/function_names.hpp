#pragma once
/// FunctionNames: what functions are called where a chat model's endpoint reads their names: [a-zA-Z0-9_-]{1,64}, or it refuses
/// the whole request with 400. Names in this service are freer (D54, D60). Owned by whoever writes a request; pure, any thread.

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace parley {

/// One that every endpoint takes.
[[nodiscard]] bool is_function_name(std::string_view name);

class FunctionNames {
 public:
  /// This name will come: where it is one as it stands, and nothing else is sent as it, no other becomes it.
  void expect(std::string_view name);
  /// The name is sent as `text`, and no other becomes that.
  void give(std::string_view name, std::string text);
  /// No name becomes this text.
  void reserve(std::string text) { taken_.insert(std::move(text)); }
  /// What the name is sent as: as it was given; else itself where it is one and not taken; else with `_` for each other
  /// character, cut at 64, and a number where that is taken. Names that differ are sent as names that differ, the same one
  /// always as the same. Takes time in proportion to the names, but for a logarithm, whatever they become.
  [[nodiscard]] std::string of(std::string_view name);

 private:
  [[nodiscard]] std::string numbered(const std::string& base);

  std::map<std::string, std::string, std::less<>> sent_;  ///< by name
  std::set<std::string, std::less<>> taken_;              ///< what nothing else may be sent as
  /// The next number to try behind a text, by that text and the number's digits: all before it are taken.
  std::map<std::pair<std::string, std::size_t>, std::size_t> next_;
};

}  // namespace parley
