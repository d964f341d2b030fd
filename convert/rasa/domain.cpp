#include "convert/rasa/domain.hpp"

#include "convert/records/escapes.hpp"

namespace parley::convert {
namespace {

/// Converts a response to a check: an exact text, or a wildcard pattern if it has slots.
Check response_check(const std::string& text, std::size_t turn) {
  std::string pattern;
  bool has_slot = false;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = text.find('{', at);
    const std::size_t close = open == std::string::npos ? open : text.find('}', open);
    if (close == std::string::npos) break;
    pattern += escaped_for_wildcard(text.substr(at, open - at)) + "*";
    at = close + 1;
    has_slot = true;
  }
  if (!has_slot) return text_check("equals", text, turn_scope(turn), Ignoring::nothing);
  pattern += escaped_for_wildcard(text.substr(at));
  if (pattern.find_first_not_of("* \t\n") == std::string::npos)  // only slots
    return number_check("min-length", "value", 1, turn_scope(turn));
  return pattern_check("wildcard", pattern, turn_scope(turn), Ignoring::nothing);
}

}  // namespace

Domain Domain::read(Conversion& conversion) {
  Domain domain;
  const std::string& path = conversion.options.domain;
  if (path.empty()) return domain;
  std::error_code error;
  const bool is_folder = std::filesystem::is_directory(path, error);
  const std::vector<std::string> files =
      is_folder ? conversion.inputs.files_below(path, is_yaml) : std::vector<std::string>{path};
  bool has_responses = false;
  for (const std::string& file : files) {
    if (is_folder && !is_yaml(file)) continue;
    const auto source = conversion.inputs.read(file);
    const auto tree = source ? parse_yaml(*source, conversion.faults) : std::nullopt;
    if (!tree) return domain;
    const Node* responses = tree->first_of({"responses", "templates"});
    if (responses != nullptr) domain.take(*responses);
    has_responses = has_responses || responses != nullptr;
    if (!is_folder && responses == nullptr)
      conversion.faults.add(*source, tree->place, "the domain has no \"responses\"");
  }
  if (is_folder && !has_responses) conversion.faults.add(path, "no file of the domain has \"responses\"");
  return domain;
}

void Domain::take(const Node& responses) {
  for (const Node& response : responses.items) {
    for (const Node& variation : response.items) {
      const std::string text = variation.is_text() ? variation.text : variation.text_of("text");
      if (text.empty()) {
        without_text_.insert(response.key);
      } else {
        texts_[response.key].push_back(text);
      }
    }
  }
}

std::optional<Check> Domain::check_of(const std::string& name, std::size_t turn) const {
  const auto found = texts_.find(name);
  if (found == texts_.end() || without_text_.contains(name)) return std::nullopt;
  std::vector<Check> variations;
  for (const std::string& text : found->second) variations.push_back(response_check(text, turn));
  if (variations.size() == 1) return variations.front();
  return set_check("any", variations);
}

UtterCheck utter_check(const Domain& domain, const std::string& name, std::size_t turn) {
  if (auto check = domain.check_of(name, turn)) return {std::move(*check), {}};
  return {json_check({"/utter_action", "messages", {}, "equals", json_text(name), turn_scope(turn)}),
          "messages carry /utter_action"};
}

std::string without_entities(const std::string& text, std::size_t& entities) {
  std::string out;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = text.find('[', at);
    const std::size_t close = open == std::string::npos ? open : text.find(']', open);
    if (close == std::string::npos || close + 1 >= text.size()) break;
    const char kind = text[close + 1];
    const std::size_t end = kind == '('   ? text.find(')', close)
                            : kind == '{' ? text.find('}', close)
                                          : std::string::npos;
    out += text.substr(at, open - at);
    if (end == std::string::npos) {
      out += text.substr(open, close + 1 - open);
      at = close + 1;
      continue;
    }
    out += text.substr(open + 1, close - open - 1);
    at = end + 1;
    ++entities;
  }
  return out + text.substr(at);
}

}  // namespace parley::convert
