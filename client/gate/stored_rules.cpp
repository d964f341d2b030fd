#include "client/gate/stored_rules.hpp"

#include <fmt/format.h>

#include "client/remote/api.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {
namespace {

/// Returns the number, or nullopt if it is not from 0 to `most`.
std::optional<double> number_within(const json::Value& rules, std::string_view key, double most) {
  const auto value = number_at(rules, key);
  return value && *value >= 0 && *value <= most ? value : std::nullopt;
}

}  // namespace

std::string rules_json(const GateRules& rules) {
  json::Writer out;
  out.begin_object();
  if (rules.min_pass_rate) out.key("minPassRate").number(*rules.min_pass_rate);
  if (rules.per_test)
    out.member("perTest", fmt::format("{}/{}", rules.per_test->first, rules.per_test->second));
  if (rules.min_score) out.key("minScore").number(*rules.min_score);
  if (!rules.baseline.empty()) out.member("baseline", rules.baseline);
  if (rules.allows_open) out.key("allowOpen").boolean(true);
  if (rules.allows_undecided) out.key("allowUndecided").boolean(true);
  if (rules.allows_missing) out.key("allowMissing").boolean(true);
  return std::move(out.end_object()).text();
}

GateRules rules_of_run(const json::Value& run) {
  GateRules rules;
  const auto metadata = json::given(run, "metadata");
  const auto stored = metadata ? json::given(*metadata, "rules") : std::nullopt;
  if (!stored || !stored->is(json::Kind::object)) return rules;
  rules.min_pass_rate = number_within(*stored, "minPassRate", 1);
  rules.per_test = ratio_of(text_at(*stored, "perTest"));
  rules.min_score = number_within(*stored, "minScore", 100);
  rules.baseline = text_at(*stored, "baseline");
  rules.allows_open = flag_at(*stored, "allowOpen");
  rules.allows_undecided = flag_at(*stored, "allowUndecided");
  rules.allows_missing = flag_at(*stored, "allowMissing");
  return rules;
}

}  // namespace parley::client
