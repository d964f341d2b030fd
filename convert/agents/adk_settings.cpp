#include "convert/agents/adk_settings.hpp"

#include <algorithm>
#include <array>

#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// The name of a match type, which may also be given as a number.
std::string match_type_of(const std::string& text) {
  constexpr std::array<std::string_view, 3> names{"EXACT", "IN_ORDER", "ANY_ORDER"};
  const std::string lower = ascii::lower(text);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (lower == ascii::lower(names[i]) || text == std::to_string(i)) return std::string(names[i]);
  }
  return std::string(names.front());
}

/// Whether checks of the tests cover what a metric of `test_config.json` measures.
bool is_covered(std::string_view metric) {
  constexpr std::array<std::string_view, 4> covered{"tool_trajectory_avg_score", "response_match_score",
                                                    "response_evaluation_score", "final_response_match_v2"};
  return std::find(covered.begin(), covered.end(), metric) != covered.end() ||
         metric.starts_with("rubric_based");
}

}  // namespace

const Node* text_of_rubric(const Node& rubric) {
  const Node* content = rubric.first_of({"rubric_content", "rubricContent"});
  if (content == nullptr || content->is_text()) return content;
  return content->first_of({"text_property", "textProperty"});
}

AdkSettings adk_settings_beside(Conversion& conversion, const Source& source) {
  AdkSettings settings;
  const std::string name = "test_config.json";
  if (std::filesystem::path(source.path).filename() == name ||
      !conversion.inputs.has_beside(source.path, name))
    return settings;
  const auto folder = std::filesystem::path(source.path).parent_path();
  settings.source = conversion.inputs.read_beside(source, {1, 1}, name, folder);
  const auto tree = settings.source ? parse_json(*settings.source, conversion.faults) : std::nullopt;
  if (!tree) return settings;
  for (const Node& each : tree->items) {
    if (each.is_null() || each.key == "criteria") continue;
    conversion.report.add(*settings.source, each.place,
                          {.kind = ItemKind::run,
                           .outcome = Outcome::not_mapped,
                           .source = each.key,
                           .text = as_text(each),
                           .why = "parley reads only the criteria"});
  }
  const Node* criteria = tree->find("criteria");
  if (criteria == nullptr) return settings;
  for (const Node& each : criteria->items) {
    const bool covered = is_covered(each.key);
    conversion.report.add(*settings.source, each.place,
                          {.kind = ItemKind::run,
                           .outcome = covered ? Outcome::ignored : Outcome::not_mapped,
                           .source = each.key,
                           .text = as_text(each),
                           .why = covered ? "" : "there is no such check"});
    for (const std::string_view key : {"match_type", "matchType"}) {
      if (const std::string match = each.text_of(key); !match.empty()) settings.match = match_type_of(match);
    }
    for (const Node& rubric : each.list_of("rubrics")) {
      if (const Node* text = text_of_rubric(rubric)) settings.rubrics.emplace_back(text->text, text->place);
    }
  }
  return settings;
}

}  // namespace parley::convert
