#pragma once
/// Responses of a Rasa domain: what `utter_x` says. Plain values.

#include <map>
#include <optional>

#include "convert/records/checks.hpp"
#include "convert/records/conversion.hpp"

namespace parley::convert {

class Domain {
 public:
  /// The file of --domain, or all files of that folder. A fault of a file is added.
  static Domain read(Conversion& conversion);

  /// The response of that name as a check of turn `turn`; nullopt: the domain does not know it.
  [[nodiscard]] std::optional<Check> check_of(const std::string& name, std::size_t turn) const;

 private:
  void take(const Node& responses);

  std::map<std::string, std::vector<std::string>> texts_;
};

/// The check that turn `turn` sent the response `name`: its text if the domain knows it, else `/utter_action`.
struct UtterCheck {
  Check check;
  std::string needs;
};
[[nodiscard]] UtterCheck utter_check(const Domain& domain, const std::string& name, std::size_t turn);

/// A user's text without entity marks: `[text](entity)` and `[text]{"entity": ...}`. `entities` counts them.
[[nodiscard]] std::string without_entities(const std::string& text, std::size_t& entities);

}  // namespace parley::convert
