#pragma once
/// The result machine under test: its state, a clock and ids that only the test advances, and the seven states of the
/// state table, each reached by the machine's own commands. One thread.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "actors/result/result_machine.hpp"
#include "model/description/record_write.hpp"

namespace parley::actors::test {

inline constexpr Time noon{1'700'000'000'000};

/// pending, running and open, ended and waiting for finish, claimed, completed, failed, canceled.
enum class Phase : std::uint8_t { P, R, W, S, C, F, X };
inline constexpr std::array<Phase, 7> all_phases{Phase::P, Phase::R, Phase::W, Phase::S,
                                                 Phase::C, Phase::F, Phase::X};

[[nodiscard]] inline char letter(Phase phase) {
  return "PRWSCFX"[static_cast<std::size_t>(phase)];
}

[[nodiscard]] inline Phase phase_of(const ResultHead& head) {
  switch (head.status) {
    case ResultStatus::pending: return Phase::P;
    case ResultStatus::running: break;
    case ResultStatus::completed: return Phase::C;
    case ResultStatus::failed: return Phase::F;
    case ResultStatus::canceled: return Phase::X;
  }
  if (head.is_claimed()) return Phase::S;
  return head.is_ended() ? Phase::W : Phase::R;
}

[[nodiscard]] inline PostEntry says(std::string text) {
  PostEntry post;
  post.content = std::move(text);
  return post;
}
[[nodiscard]] inline PostEntry named(EntryType type, std::string name) {
  PostEntry post;
  post.type = type;
  post.name = std::move(name);
  return post;
}
/// An internal event that registers actions without arguments.
[[nodiscard]] inline PostEntry registers(const std::vector<std::string>& names) {
  PostEntry post = named(EntryType::internal_event, "buttons");
  post.actions.emplace();
  post.metadata.text = R"({"actions":[)";
  for (const std::string& name : names) {
    post.actions->push_back({name, "does it", {}, {}});
    if (post.metadata.text.back() != '[') post.metadata.text += ',';
    post.metadata.text += R"({"name":")" + name + R"(","description":"does it"})";
  }
  post.metadata.text += "]}";
  return post;
}
[[nodiscard]] inline PostEntry behind(const Id& anchor, PostEntry post) {
  post.after = to_text(anchor);
  return post;
}
[[nodiscard]] inline PostEntry before(const Id& anchor, PostEntry post) {
  post.before = to_text(anchor);
  return post;
}
[[nodiscard]] inline PostEntry by_tester(PostEntry post) {
  post.role = Role::tester;
  return post;
}
[[nodiscard]] inline PatchResult to_status(ResultStatus status) {
  PatchResult patch;
  patch.status = status;
  return patch;
}
[[nodiscard]] inline PatchResult to_mode(CompletionMode mode) {
  PatchResult patch;
  patch.completion_mode = mode;
  return patch;
}
[[nodiscard]] inline PatchResult to_metadata(std::string text) {
  PatchResult patch;
  patch.metadata = json::Text{std::move(text)};
  return patch;
}

/// 200 for an answer, the problem's status, or 0 if there is no reply.
[[nodiscard]] inline int status_of(const ResultDecision& decision) {
  if (!decision.reply) return 0;
  return decision.reply->ok() ? 200 : decision.reply->problem().status();
}
template <class Effect>
[[nodiscard]] std::size_t count_of(const ResultDecision& decision) {
  std::size_t count = 0;
  for (const ResultEffect& effect : decision.effects)
    count += std::holds_alternative<Effect>(effect) ? 1U : 0U;
  return count;
}

class Machine {
 public:
  explicit Machine(CompletionMode mode = CompletionMode::automatic) {
    ResultHead& head = state.head;
    head.stamp.id = ids.next(noon);
    head.stamp.updated_at = noon;
    head.stamp.revision = 1;
    head.agent.id = ids.next(noon);
    head.run = Ref<RecordKind::run>{ids.next(noon)};
    head.completion_mode = mode;
    state.touched = noon;
  }

  [[nodiscard]] DecisionContext moment() {
    now.ms += 10;
    return {now, ids};
  }
  ResultDecision apply(const PostEntry& command) { return on(state, command, moment()); }
  ResultDecision apply(const Finish& command) { return on(state, command, moment()); }
  ResultDecision apply(const NextMessage& command) { return on(state, command, moment()); }
  ResultDecision apply(const Scored& event) { return on(state, event, moment()); }
  ResultDecision apply(const TesterSpoke& event) { return on(state, event, moment()); }
  ResultDecision apply(const PatchEntry& command, const std::optional<Entry>& stored) {
    return on(state, command, stored, moment());
  }
  ResultDecision apply(const PatchResult& command) {
    ResultDecision decision = on(state, command, extras, moment());
    if (decision.extras) extras = *decision.extras;
    return decision;
  }
  ResultDecision apply(const Retry& command, RetryFacts facts = {}) {
    return on(state, command, facts, moment());
  }

  ResultDecision receives(tester::Turn said) {
    return apply(TesterSpoke{state.tester_turns, std::move(said), "script"});
  }
  /// Posts and returns the entry. Precondition: the post is accepted.
  Entry post(const PostEntry& command) {
    const ResultDecision decision = apply(command);
    EXPECT_EQ(status_of(decision), 200) << (decision.reply->ok() ? "" : decision.reply->problem().detail);
    return decision.entries.empty() ? Entry{} : decision.entries.front().entry;
  }
  [[nodiscard]] Scored verdict(std::int64_t attempt = 0) const {
    Scored scored;
    scored.attempt = attempt;
    scored.score = 75;
    scored.overall_passed = false;
    scored.is_decided = true;
    return scored;
  }
  [[nodiscard]] Phase phase() const { return phase_of(state.head); }

  /// Everything that a refused command must not change.
  [[nodiscard]] std::string picture() const {
    std::string text = write_stored(state.head) + " touched " + to_text(state.touched) + " bytes " +
                       std::to_string(state.bytes) + " next " + std::to_string(state.next_ordinal) +
                       " turns " + std::to_string(state.tester_turns) + " unanswered " +
                       (state.unanswered ? std::to_string(*state.unanswered) : "-") + " entries";
    for (const EntrySlot& slot : state.slots)
      text += " " + to_text(slot.id) + "/" + std::to_string(slot.turn);
    text += " registry";
    for (const auto& action : state.registry) text += " " + action.name;
    return text;
  }

  CountingIds ids;
  Time now = noon;
  ResultState state;
  ResultExtras extras;
};

/// A machine in that state, driven by a client and part of a run.
[[nodiscard]] inline Machine in(Phase phase) {
  Machine machine(phase == Phase::W ? CompletionMode::manual : CompletionMode::automatic);
  if (phase == Phase::P) return machine;
  machine.post(says("hello"));
  if (phase == Phase::F) machine.apply(to_status(ResultStatus::failed));
  if (phase == Phase::X) machine.apply(to_status(ResultStatus::canceled));
  const bool ends = phase == Phase::W || phase == Phase::S || phase == Phase::C;
  if (ends) machine.receives(tester::End{});
  if (phase == Phase::C) machine.apply(machine.verdict());
  EXPECT_EQ(machine.phase(), phase);
  return machine;
}

}  // namespace parley::actors::test
