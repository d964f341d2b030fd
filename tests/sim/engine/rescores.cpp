#include "tests/sim/engine/rescores.hpp"

#include "tests/sim/engine/models.hpp"

namespace parley::sim {
namespace {

/// What `more` is called: its id is the service's.
constexpr std::string_view name_of_more = "more";

std::string other_words(std::uint32_t root) {
  return "Nobody asked so of parcel " + std::to_string(root);
}

std::optional<Rule> rule_of(const json::Value& row) {
  const std::string id(row.find("id")->string());
  if (id == "greets") return Rule::greets;
  if (id == "rule0") return Rule::rule0;
  if (id == "rule1") return Rule::rule1;
  const auto name = row.find("name");
  const bool is_more = name && name->is(json::Kind::string) && name->string() == name_of_more;
  return is_more ? std::optional(Rule::more) : std::nullopt;
}

std::optional<Asks> asks_of(const json::Value& row, Rule rule, std::uint32_t root) {
  if (row.find("type")->string() == "contains") {
    const auto text = json::at_pointer(row, "/config/value");
    for (const Asks asks : {Asks::hello, Asks::posted, Asks::bye}) {
      if (text && text->string() == text_of(asks)) return asks;
    }
    return std::nullopt;
  }
  const auto criteria = row.find("criteria");
  if (!criteria || !criteria->is(json::Kind::string)) return std::nullopt;
  const std::uint32_t criterion = rule == Rule::rule1 ? 1 : 0;
  if (criteria->string() == criterion_text(root, criterion)) return Asks::clause;
  return criteria->string() == other_words(root) ? std::optional(Asks::other_words) : std::nullopt;
}

std::optional<Ruled> ruled_of_word(std::string_view word) {
  if (word == "passed") return Ruled::passed;
  if (word == "failed") return Ruled::failed;
  if (word == "skipped") return Ruled::skipped;
  return word == "error" ? std::optional(Ruled::error) : std::nullopt;
}

std::optional<Row> row_of(const json::Value& json, std::uint32_t root) {
  const auto rule = rule_of(json);
  if (!rule) return std::nullopt;
  const auto asks = asks_of(json, *rule, root);
  const auto ruled = ruled_of_word(json.find("status")->string());
  if (!asks || !ruled) return std::nullopt;
  const std::string_view severity = json.find("severity")->string();
  const auto gravity = severity == "BLOCKER" ? Gravity::blocker
                       : severity == "MAJOR" ? Gravity::major
                                             : Gravity::minor;
  const auto weight = json.find("weight")->integer();
  return Row{*rule, *asks, gravity, weight.value_or(-1), *ruled};
}

Total total_of(const actors::Rescore& command) {
  return {command.score, command.overall_passed, command.is_decided};
}

}  // namespace

std::vector<Assertion> assertions_of(const Wish& wish, std::uint32_t root) {
  std::vector<Assertion> all;
  for (const Row& row : wish.rows) {
    Assertion one;
    if (row.rule == Rule::greets) one.id = "greets";
    if (row.rule == Rule::rule0) one.id = "rule0";
    if (row.rule == Rule::more) one.name = name_of_more;
    if (row.asks < Asks::clause) {
      one.type = "contains";
      one.config = json::Text{R"({"value":")" + text_of(row.asks) + R"("})"};
    } else {
      one.criteria = row.asks == Asks::clause ? criterion_text(root, 0) : other_words(root);
    }
    one.severity = row.gravity == Gravity::blocker ? Severity::blocker
                   : row.gravity == Gravity::major ? Severity::major
                                                   : Severity::minor;
    one.weight = row.weight;
    all.push_back(std::move(one));
  }
  return all;
}

std::optional<std::vector<Row>> rows_of(const ResultVerdict& verdict, std::uint32_t root) {
  const auto document = json::parse(verdict.assertion_results.text);
  if (!document.ok()) return std::nullopt;
  std::vector<Row> rows;
  for (const json::Value& json : document->root().children()) {
    const auto row = row_of(json, root);
    if (!row) return std::nullopt;
    rows.push_back(*row);
  }
  return rows;
}

Total total_of(const ResultHead& head) {
  return {head.score, head.overall_passed, head.is_decided};
}

std::uint64_t detail_of(const actors::Rescoring& made, bool is_saved) {
  return rescore_detail(total_of(made.head), total_of(made.command), made.flips.size(), is_saved);
}

}  // namespace parley::sim
