// A table of single-turn tests for promptfoo: the user's text, text checks, and criteria as `llm-rubric`.

#include <algorithm>

#include "convert/exporting/csv_cells.hpp"
#include "convert/exporting/exporters.hpp"
#include "tester/script.hpp"

namespace parley::convert {
namespace {

/// The columns before the checks: the message and the description.
constexpr std::size_t text_columns = 2;

/// The text of a script with exactly one turn; nullopt for anything else.
std::optional<std::string> single_turn(const std::string& instruction) {
  if (!tester::is_script(instruction)) return std::nullopt;
  const auto script = tester::Script::parse(instruction);
  if (!script.ok() || script->lines().size() != 1 || !script->rules().empty()) return std::nullopt;
  const auto* say = std::get_if<tester::Say>(&script->lines().front().turn);
  if (say == nullptr || say->text.find("{{") != std::string::npos) return std::nullopt;
  return say->text;
}

/// Whether `ignore` lists exactly letter case or, if `wants_case` is false, nothing. If it is absent, the type's
/// default counts.
bool ignores(const Node* config, std::string_view type, bool wants_case) {
  const Node* ignore = config == nullptr ? nullptr : config->find("ignore");
  if (ignore == nullptr) return (type != "equals") == wants_case;
  if (ignore->items.empty()) return !wants_case;
  return wants_case && ignore->items.size() == 1 && ignore->items.front().text == "case";
}

/// A list as one cell; nullopt if a text is empty, has a comma, quote or newline, or has spaces at its ends.
std::optional<std::string> list_text(const Node& values) {
  std::string out;
  for (const Node& each : values.items) {
    const std::string text = as_text(each);
    if (text.empty() || text.find_first_of(",\"\n") != std::string::npos || text.front() == ' ' ||
        text.back() == ' ')
      return std::nullopt;
    out += (out.empty() ? "" : ", ") + text;
  }
  return out;
}

/// The cell `type: value` of promptfoo; nullopt for a check that promptfoo cannot express.
std::optional<std::string> cell_of(const Node& assertion) {
  std::string type = assertion.text_of("type");
  if (type.empty() || type == "criteria") {
    const std::string text = assertion.text_of("criteria");
    return text.empty() ? std::nullopt : std::optional("llm-rubric: " + text);
  }
  const Node* config = assertion.find("config");
  if (config == nullptr || config->first_of({"target", "pointer"}) != nullptr) return std::nullopt;
  const std::string scope = config->text_of("scope");
  if (!scope.empty() && scope != "any" && scope != "turn:0") return std::nullopt;
  const Node* negate = config->find("negate");
  const std::string prefix = negate != nullptr && negate->flag ? "not-" : "";
  const Node* values = config->find("values");
  const bool ignores_case = ignores(config, type, true);
  const bool ignores_nothing = ignores(config, type, false);
  std::optional<std::string> text;
  if (type == "regex") {
    text = config->text_of("pattern");
  } else if ((type == "contains-any" || type == "contains-all") && values != nullptr) {
    if (!ignores_case && !ignores_nothing) return std::nullopt;
    text = list_text(*values);
    if (ignores_case) type = "i" + type;
  } else if (type == "icontains" || (type == "contains" && values == nullptr && ignores_case)) {
    if (type == "icontains" && config->find("ignore") != nullptr) return std::nullopt;
    type = "icontains";
    text = config->text_of("value");
  } else if ((type == "contains" || type == "equals" || type == "starts-with") && values == nullptr &&
             ignores_nothing) {
    text = config->text_of("value");
  }
  const bool is_exact = text && !text->empty() && text->front() != ' ' && text->back() != ' ' &&
                        text->front() != '\n' && text->back() != '\n';
  if (!is_exact) return std::nullopt;
  return prefix + type + ": " + *text;
}

class PromptfooExporter : public Exporter {
 public:
  explicit PromptfooExporter(ExportReport& report) : report_(report) {}

  void add(const Node& record) override {
    const std::string name = record_name(record);
    const Node* enabled = record.find("isEnabled");
    if (enabled != nullptr && !enabled->flag) return report_.lose(name, "test", "it is disabled");
    const auto text = single_turn(record.text_of("instruction"));
    if (!text) return report_.lose(name, "test", "only tests of one turn fit into a row");
    std::vector<std::string> row{*text, name};
    for (const Node& assertion : record.list_of("assertions")) {
      if (auto cell = cell_of(assertion)) {
        row.push_back(std::move(*cell));
      } else {
        report_.lose(name, assertion.text_of("type"), "promptfoo has no such check");
      }
    }
    // Without its checks, the row would always pass.
    if (row.size() == text_columns && !record.list_of("assertions").empty())
      return report_.lose(name, "test", "promptfoo has none of its checks");
    columns_ = std::max(columns_, row.size());
    rows_.push_back(std::move(row));
  }

  std::string finish() override {
    std::vector<std::string> header{"message", "__description"};
    for (std::size_t i = header.size(); i < columns_; ++i)
      header.push_back("__expected" + std::to_string(i - 1));
    std::string out = csv_row(header);
    for (std::vector<std::string>& row : rows_) {
      row.resize(std::max(columns_, header.size()));
      out += csv_row(row);
    }
    return out;
  }

 private:
  ExportReport& report_;
  std::vector<std::vector<std::string>> rows_;
  std::size_t columns_ = text_columns;
};

}  // namespace

std::unique_ptr<Exporter> make_promptfoo_csv(const ExportOptions& /*options*/, ExportReport& report) {
  return std::make_unique<PromptfooExporter>(report);
}

}  // namespace parley::convert
