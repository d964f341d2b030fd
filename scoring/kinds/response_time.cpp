// The type `response-time`.

#include <algorithm>
#include <array>

#include "model/json/json_writer.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/statistics.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/numeric_compare.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace response_time_kind {
namespace {

constexpr std::array keys{
    ConfigKey{"max", false, ConfigType::amount,
              "Milliseconds that no response exceeds; one of these three is needed."},
    ConfigKey{"average", false, ConfigType::amount, "Milliseconds that the mean does not exceed."},
    ConfigKey{"p95", false, ConfigType::amount,
              "Milliseconds that 95 of 100 responses do not exceed (nearest rank)."},
};

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  if (!given(config, "max") && !given(config, "average") && !given(config, "p95")) {
    findings.add(pointer + "/max", "is required, or else average or p95");
  }
}

struct Timed {
  double ms;
  const Entry* message;
};

/// Sorted by time, slowest last; equal times in the order of the conversation.
std::vector<Timed> timed_messages(Conversation& conversation) {
  std::vector<Timed> timed;
  for (const Entry* message : conversation.chatbot_messages()) {
    if (const auto ms = conversation.measures(*message).response_time) timed.push_back({*ms, message});
  }
  std::stable_sort(timed.begin(), timed.end(), [](const Timed& a, const Timed& b) { return a.ms < b.ms; });
  return timed;
}

struct Bound {
  std::string_view key;
  double found;
};

Verdict decide(const json::Value& config, Conversation& conversation) {
  const auto timed = timed_messages(conversation);
  if (timed.empty())
    return {.found = "No chatbot message has a metadata.responseTime, so there is nothing to measure."};
  MeasureSum sum;
  for (const Timed& one : timed) sum.add(one.ms);
  const std::size_t rank = (timed.size() * 95 + 99) / 100;

  Verdict verdict{AssertionStatus::passed, {}, {}, {}};
  for (const Bound& bound :
       {Bound{"max", timed.back().ms}, Bound{"average", sum.sum / static_cast<double>(sum.count)},
        Bound{"p95", timed[rank - 1].ms}}) {
    const auto most = number_at(config, bound.key);
    if (!most) continue;
    if (!verdict.expected.empty()) {
      verdict.expected += ", ";
      verdict.found += ", ";
    }
    verdict.expected += std::string(bound.key) + " response time at most " + json::number_text(*most) + " ms";
    verdict.found += std::string(bound.key) + " " + json::number_text(dusted(bound.found)) + " ms";
    if (!at_most(bound.found, *most)) verdict.status = AssertionStatus::failed;
  }
  verdict.found += " over " + counted(timed.size(), "measured message");
  for (auto slow = timed.rbegin(); slow != timed.rend(); ++slow) note(verdict.evidence, *slow->message);
  return verdict;
}

}  // namespace
}  // namespace response_time_kind

constinit const Kind rows::response_time{
    .name = "response-time",
    .summary =
        "The chatbot responds within `max`, `average` or `p95` milliseconds (metadata.responseTime of its "
        "messages).",
    .keys = response_time_kind::keys,
    .check = response_time_kind::check,
    .decide = response_time_kind::decide,
};

}  // namespace parley::scoring
