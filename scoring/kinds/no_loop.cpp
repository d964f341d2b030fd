// The type `no-loop`: the chatbot does not repeat itself in a loop.

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include "scoring/kinds/rows.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/conversation.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace no_loop_kind {
namespace {

constexpr std::array<std::string_view, 2> of_words{"tools", "messages"};
constexpr std::array keys{
    word_key("of", of_words,
             "tools (default): calls of one name and the same arguments; messages: the same texts of the "
             "chatbot, but for white space at their ends."),
    ConfigKey{"repeats", false, ConfigType::count,
              "Repetitions in succession that make a loop; at least 2, default 3."},
    ConfigKey{"period", false, ConfigType::count,
              "Maximum number of steps of one round, 1 to 20; default 3: A B C A B C A B C is found, too."},
};

constexpr std::int64_t period_max = 20;

std::size_t repeats_of(const json::Value& config) {
  return static_cast<std::size_t>(count_at(config, "repeats").value_or(3));
}

std::size_t period_of(const json::Value& config) {
  return static_cast<std::size_t>(count_at(config, "period").value_or(3));
}

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  const auto repeats = count_at(config, "repeats");
  if (repeats && (*repeats == 0 || *repeats == 1)) findings.add(pointer + "/repeats", "must be 2 or more");
  const auto period = count_at(config, "period");
  if (period && (*period == 0 || *period > period_max))
    findings.add(pointer + "/period", "must be from 1 to 20");
}

/// The steps as numbers. Equal steps have the same number.
using Step = NumberedCall;

/// The chatbot's messages; nullopt if reading them would be too much work.
std::optional<std::vector<Step>> messages_of(Conversation& conversation) {
  std::vector<Step> steps;
  // Numbered, so that each text is read once and not in every comparison.
  std::unordered_map<std::string_view, std::size_t> numbers;
  for (const Entry* message : conversation.chatbot_messages()) {
    const std::string_view text = message->content ? std::string_view(*message->content) : std::string_view();
    if (!conversation.work().take(reading_steps(text))) return std::nullopt;
    const std::string_view said = trimmed(text);
    if (!said.empty()) steps.push_back({message, numbers.try_emplace(said, numbers.size()).first->second});
  }
  return steps;
}

/// The tool calls; nullopt if listing them takes more work than is left.
std::optional<std::vector<Step>> calls_of(Conversation& conversation) {
  const std::vector<Step>* calls = conversation.calls();
  if (calls == nullptr || !conversation.work().take(calls->size())) return std::nullopt;
  return *calls;
}

struct Loop {
  std::size_t begin;
  std::size_t length;
  std::size_t period;
};

/// The first sequence of at least `repeats` rounds in which every step equals the step one period earlier.
std::optional<Loop> loop_of_period(const std::vector<Step>& steps, std::size_t period, std::size_t repeats) {
  std::size_t equal = 0;
  for (std::size_t i = period; i < steps.size(); ++i) {
    equal = steps[i].number == steps[i - period].number ? equal + 1 : 0;
    // Divides instead of multiplying, so that no number of repeats overflows.
    if (equal / period + 1 < repeats || equal == 0) continue;
    while (i + 1 < steps.size() && steps[i + 1].number == steps[i + 1 - period].number) ++i, ++equal;
    return Loop{i + 1 - equal - period, equal + period, period};
  }
  return std::nullopt;
}

Verdict decide(const json::Value& config, Conversation& conversation) {
  const bool is_message = text_at(config, "of") == "messages";
  const auto found = is_message ? messages_of(conversation) : calls_of(conversation);
  if (!found) return {.found = std::string(too_much_work)};
  const std::vector<Step>& steps = *found;
  const std::size_t repeats = repeats_of(config);
  const std::string_view noun = is_message ? "chatbot message" : "tool call";
  Verdict verdict{AssertionStatus::passed,
                  "no " + std::string(noun) + "s go round " + counted(repeats, "time") + " in succession",
                  "no such loop among " + counted(steps.size(), noun),
                  {}};
  for (std::size_t period = 1; period <= period_of(config); ++period) {
    const auto loop = loop_of_period(steps, period, repeats);
    if (!loop) continue;
    verdict.status = AssertionStatus::failed;
    verdict.found =
        counted(loop->length / period, "round") + " of " + counted(period, noun) + " from " +
        in_quotes(steps[loop->begin].entry->name.value_or(steps[loop->begin].entry->content.value_or(""))) +
        " on";
    for (std::size_t i = 0; i < loop->length; ++i) note(verdict.evidence, *steps[loop->begin + i].entry);
    return verdict;
  }
  return verdict;
}

}  // namespace
}  // namespace no_loop_kind

constinit const Kind rows::no_loop{
    .name = "no-loop",
    .summary = "The chatbot does not repeat the same calls or messages in a loop.",
    .keys = no_loop_kind::keys,
    .check = no_loop_kind::check,
    .decide = no_loop_kind::decide,
};

}  // namespace parley::scoring
