#pragma once
/// FunctionNames: what functions are called where a chat model's endpoint reads their names: [a-zA-Z0-9_-]{1,64}, or it refuses
/// the whole request with 400. Names in this service are freer (D54, D60). Owned by whoever writes a request; pure, any thread.

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace parley {

/// One that every endpoint takes.
[[nodiscard]] bool is_function_name(std::string_view name);

class FunctionNames {
 public:
  /// This name will come: where it is one as it stands, no other becomes it.
  void expect(std::string_view name);
  /// What the name is sent as: itself where it is one; else with `_` for each other character, cut at 64. Names that differ are
  /// sent as names that differ, the same one always as the same.
  [[nodiscard]] std::string of(std::string_view name);

 private:
  std::map<std::string, std::string, std::less<>> sent_;  ///< of those that are none as they stand
  std::set<std::string, std::less<>> taken_;
};

}  // namespace parley
