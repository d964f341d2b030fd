#pragma once
/// Responses of a Rasa domain: the texts of `utter_x`. Plain values.

#include <map>
#include <optional>
#include <set>

#include "convert/records/checks.hpp"
#include "convert/records/conversion.hpp"

namespace parley::convert {

class Domain {
 public:
  /// Reads the file of --domain, or all YAML files of that folder. A fault in a file is added.
  static Domain read(Conversion& conversion);

  /// A check that turn `turn` sent the response with that name; nullopt: the domain does not have it, or
  /// not all its variations are texts.
  [[nodiscard]] std::optional<Check> check_of(const std::string& name, std::size_t turn) const;

 private:
  void take(const Node& responses);

  std::map<std::string, std::vector<std::string>> texts_;
  std::set<std::string> without_text_;  ///< responses with a variation that is not a text, such as a picture
};

/// A check that turn `turn` sent the response `name`: by its text if the domain has it, else by `/utter_action`.
struct UtterCheck {
  Check check;
  std::string needs;
};
[[nodiscard]] UtterCheck utter_check(const Domain& domain, const std::string& name, std::size_t turn);

/// The user's text without entity marks, `[text](entity)` and `[text]{"entity": ...}`. Adds their number to `entities`.
[[nodiscard]] std::string without_entities(const std::string& text, std::size_t& entities);

}  // namespace parley::convert
