// The type `no-loop`: the chatbot does not go round in circles.

#include <algorithm>
#include <array>

#include "scoring/config.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/scope.hpp"
#include "scoring/text.hpp"

namespace parley::scoring {
namespace no_loop_kind {
namespace {

constexpr std::array keys{
    ConfigKey{"of", false, ConfigType::text,
              "tools (default): calls of one name and the same arguments; messages: the same texts of the "
              "chatbot."},
    ConfigKey{"repeats", false, ConfigType::count,
              "How often in succession makes a loop; from 2 on, default 3."},
    ConfigKey{"period", false, ConfigType::count,
              "Greatest number of steps of one round, 1 to 20; default 3: A B C A B C A B C is found, too."},
};

constexpr std::int64_t period_max = 20;

std::size_t repeats_of(const json::Value& config) {
  return static_cast<std::size_t>(count_at(config, "repeats").value_or(3));
}

std::size_t period_of(const json::Value& config) {
  return static_cast<std::size_t>(count_at(config, "period").value_or(3));
}

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  const auto of = text_at(config, "of");
  if (of && *of != "tools" && *of != "messages") findings.add(pointer + "/of", "must be tools or messages");
  const auto repeats = count_at(config, "repeats");
  if (repeats && (*repeats == 0 || *repeats == 1)) findings.add(pointer + "/repeats", "must be 2 or more");
  const auto period = count_at(config, "period");
  if (period && (*period == 0 || *period > period_max))
    findings.add(pointer + "/period", "must be from 1 to 20");
}

/// What is done, in a form in which the same is equal.
struct Step {
  const Entry* entry;
  std::string what;
};

std::vector<Step> steps_of(const json::Value& config, Conversation& conversation) {
  std::vector<Step> steps;
  if (text_at(config, "of") == "messages") {
    for (const Entry* message : conversation.chatbot_messages()) {
      std::string text = comparable(message->content.value_or(""), {.letter_case = true, .whitespace = true});
      if (!text.empty()) steps.push_back({message, std::move(text)});
    }
    return steps;
  }
  for (const Entry& entry : conversation.entries()) {
    if (entry.type != EntryType::tool) continue;
    const auto arguments = conversation.metadata(entry).find("arguments");
    steps.push_back({&entry, entry.name.value_or("") + "\n" + (arguments ? arguments->compact().text : "")});
  }
  return steps;
}

struct Loop {
  std::size_t begin;
  std::size_t length;
  std::size_t period;
};

/// The first run in which every step equals the one a period before, so long that there are `repeats` rounds.
std::optional<Loop> loop_of_period(const std::vector<Step>& steps, std::size_t period, std::size_t repeats) {
  std::size_t equal = 0;
  for (std::size_t i = period; i < steps.size(); ++i) {
    equal = steps[i].what == steps[i - period].what ? equal + 1 : 0;
    // Divided, so that no number of repeats overflows.
    if (equal / period + 1 < repeats || equal == 0) continue;
    while (i + 1 < steps.size() && steps[i + 1].what == steps[i + 1 - period].what) ++i, ++equal;
    return Loop{i + 1 - equal - period, equal + period, period};
  }
  return std::nullopt;
}

Verdict decide(const json::Value& config, Conversation& conversation) {
  const auto steps = steps_of(config, conversation);
  const std::size_t repeats = repeats_of(config);
  const std::string_view noun = text_at(config, "of") == "messages" ? "chatbot message" : "tool call";
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
        quoted(steps[loop->begin].entry->name.value_or(steps[loop->begin].entry->content.value_or(""))) +
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
    .summary = "The chatbot does not do or say the same again and again.",
    .keys = no_loop_kind::keys,
    .check = no_loop_kind::check,
    .decide = no_loop_kind::decide,
};

}  // namespace parley::scoring
