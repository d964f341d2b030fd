// Cells of `__expected`, and tests that have a threshold.

#include <algorithm>

#include "convert/promptfoo/assertions.hpp"
#include "convert/promptfoo/data_files.hpp"
#include "convert/records/checks.hpp"
#include "model/json/json_writer.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

struct Head {
  std::string type;
  std::string threshold;
  std::string_view value;
};

/// Reads `type` or `type(0.8)`, and its value; nullopt if the type is unknown.
std::optional<Head> typed(std::string_view name, std::string_view value) {
  std::string threshold;
  if (const std::size_t open = name.find('('); open != std::string_view::npos && name.ends_with(')')) {
    threshold = name.substr(open + 1, name.size() - open - 2);
    name = name.substr(0, open);
  }
  return is_assertion_type(name) ? std::optional(Head{std::string(name), threshold, value}) : std::nullopt;
}

/// Reads `type:` or `type(0.8):` before the value, or a type alone; nullopt if the cell begins otherwise.
std::optional<Head> head_of(std::string_view cell) {
  const std::size_t colon = cell.find(':');
  if (colon == std::string_view::npos) return typed(cell, {});
  if (const std::string name = file_name_of(cell); is_file_reference(cell) && is_code_file(name))
    return Head{name.ends_with(".py") ? "python" : "javascript", {}, cell};
  // Type names may contain a colon: `trajectory:tool-used: search`.
  for (std::size_t end = colon; end != std::string_view::npos; end = cell.find(':', end + 1)) {
    const std::string_view name = ascii::trimmed(cell.substr(0, end));
    if (auto head = typed(name, ascii::trimmed(cell.substr(end + 1), " \t\n"))) return head;
    if (end > colon + 40) break;
  }
  const std::string_view word = cell.substr(0, colon);
  const std::string_view value = ascii::trimmed(cell.substr(colon + 1), " \t\n");
  if (word == "grade") return Head{"llm-rubric", {}, value};
  if (word == "fn" || word == "eval") return Head{"javascript", {}, value};
  return std::nullopt;
}

/// The name that all checks have; empty: they have several. Needs: at least one check.
std::string common_name(const std::vector<Check>& checks) {
  const std::string& name = checks.front().name;
  const bool is_common =
      std::all_of(checks.begin(), checks.end(), [&](const Check& each) { return each.name == name; });
  return is_common ? name : std::string();
}

}  // namespace

Node assertion_of_cell(const std::string& cell, Place place) {
  Node node = holder_node(Node::Kind::map, "", place);
  const std::string_view text = ascii::trimmed(cell, " \t\n");
  const auto head = head_of(text);
  const std::string value(head ? head->value : text);
  node.items.push_back(text_node("type", head ? head->type : "equals", place));
  if (!value.empty()) node.items.push_back(text_node("value", value, place));
  if (head && !head->threshold.empty()) {
    node.items.push_back(text_node("threshold", head->threshold, place));
    node.items.back().kind = Node::Kind::number;
  }
  return node;
}

void apply_threshold(Conversion& conversion, TestDraft& draft, const Source& source, const Node& threshold) {
  std::vector<Check>& checks = draft.test.checks;
  const auto share = threshold.number();
  const bool has_criteria =
      std::any_of(checks.begin(), checks.end(), [](const Check& each) { return each.type == "criteria"; });
  Item item{.kind = ItemKind::run, .source = "threshold", .text = as_text(threshold)};
  // promptfoo treats a threshold of 0 as none.
  const bool is_share = share && *share > 0 && *share <= 1;
  if (!is_share || has_criteria || checks.size() < 2 || checks.size() > 50) {
    if (checks.size() > 1 && is_share && *share < 1) {
      for (Check& each : checks)
        each.severity = each.severity == Severity::minor ? Severity::minor : Severity::major;
      item.outcome = Outcome::approximated;
      item.why = "each check contributes to the score; no single check fails the test";
    } else {
      item.outcome = Outcome::ignored;
    }
    return conversion.note(draft, {source, threshold.place}, std::move(item));
  }
  const std::size_t set_size = checks.size();
  Check set = threshold_check(json::number_text(*share), checks);
  set.name = common_name(checks);
  const bool loses_names =
      set.name.empty() &&
      std::any_of(checks.begin(), checks.end(), [](const Check& each) { return !each.name.empty(); });
  checks = {std::move(set)};
  item.became = {"assert-set"};
  if (draft.checks_found > set_size) {
    item.outcome = Outcome::approximated;
    item.why = "the threshold applies to the converted checks only";
  }
  conversion.note(draft, {source, threshold.place}, std::move(item));
  if (!loses_names) return;
  conversion.note(draft, {source, threshold.place},
                  {.outcome = Outcome::not_mapped,
                   .source = "metric",
                   .why = "the checks of a set have no names of their own"});
}

}  // namespace parley::convert
