// What wide seeds draw beyond the plan that every seed has: models and how they misbehave, local runners, and a
// deadline. The steps of it come between those
// that were drawn before, which stay as they were.

#include <random>

#include "tests/sim/engine/models.hpp"

namespace parley::sim {
namespace {

using Dice = std::mt19937_64;

/// Each of the bad answers or not; none at all for a third of the worlds.
std::uint32_t some_of(Dice& dice, std::uint32_t first_bad, std::size_t sayings) {
  const auto drawn = static_cast<std::uint32_t>(dice());
  const std::uint32_t all = (1U << sayings) - 1U;
  const std::uint32_t bad = all & ~((1U << first_bad) - 1U);
  return dice() % 3 == 0 ? 0U : drawn & bad;
}

/// Between the steps there are, at a random place; false once a set of tokens is full.
bool put_in(Plan& plan, Dice& dice, Deed deed) {
  const auto token = static_cast<std::uint32_t>(plan.steps.size() + 1);
  if (token > tokens_max) return false;
  Step step;
  step.deed = deed;
  step.token = token;
  step.target = static_cast<std::uint32_t>(dice() % 6);
  step.value = static_cast<std::uint32_t>(dice() % 1'000);
  step.dice = dice();
  step.spin = dice() % 6 == 0 ? until_rest : static_cast<std::uint32_t>(dice() % 14);
  const auto place = static_cast<std::ptrdiff_t>(dice() % (plan.steps.size() + 1));
  plan.steps.insert(plan.steps.begin() + place, step);
  return true;
}

void draw_models(Plan& plan, Dice& dice) {
  ModelsPlan& models = plan.models;
  models.has_tester = dice() % 2 == 0;
  models.has_judge = dice() % 2 == 0;
  models.has_criteria = models.has_judge || dice() % 4 == 0;
  models.keeps_answers = dice() % 4 == 0;
  models.tester_knows =
      some_of(dice, static_cast<std::uint32_t>(TesterSays::invokes_unknown), tester_sayings);
  models.judge_knows = some_of(dice, static_cast<std::uint32_t>(JudgeSays::uncited), judge_sayings);
  for (Made& made : plan.results) {
    made.is_free = models.has_tester && made.kind != Kind::person && dice() % 4 != 0;
    made.criteria = models.has_criteria ? static_cast<std::uint32_t>(dice() % 3) : 0U;
  }
  const auto says = models.has_tester || models.has_judge ? 4 + dice() % 12 : 0;
  for (std::uint64_t i = 0; i < says; ++i) static_cast<void>(put_in(plan, dice, Deed::model_says));
}

/// Two runners of one identifier, and one of another, who must be offered nothing of theirs.
void draw_runners(Plan& plan, Dice& dice) {
  plan.has_runners = dice() % 2 == 0;
  if (!plan.has_runners) return;
  const auto beats = 3 + dice() % 7;
  for (std::uint64_t i = 0; i < beats; ++i) static_cast<void>(put_in(plan, dice, Deed::heartbeat));
  for (std::uint64_t i = dice() % 4; i > 0; --i) static_cast<void>(put_in(plan, dice, Deed::pass));
}

/// A jump of time ends what is driven for longer; most worlds are without, or little would be left to meet.
void draw_deadline(Plan& plan, Dice& dice) {
  constexpr std::int64_t deadline_ms = 30'000;
  if (dice() % 3 == 0) plan.deadline_ms = deadline_ms;
  if (plan.deadline_ms == 0) return;
  for (std::uint64_t i = dice() % 4; i > 0; --i) static_cast<void>(put_in(plan, dice, Deed::pass));
}

void draw_previews(Plan& plan, Dice& dice) {
  for (std::uint64_t i = dice() % 5; i > 0; --i) static_cast<void>(put_in(plan, dice, Deed::preview));
}

}  // namespace

Made made_by(const Plan& plan, Deed deed, std::uint32_t value) {
  Made made{Kind::client, value % 2 == 1};
  if (deed == Deed::preview && value / 12 % 3 == 0) made.kind = Kind::driven;
  made.is_free = plan.models.has_tester && value / 2 % 2 == 1;
  made.criteria = plan.models.has_criteria ? value / 4 % 3 : 0U;
  return made;
}

void widen(Plan& plan) {
  Dice dice(plan.seed * 0xd1342543de82ef95ULL + 7);
  draw_models(plan, dice);
  if (plan.seed >= first_seed_with_runners) draw_runners(plan, dice);
  if (plan.seed >= first_seed_with_deadline) draw_deadline(plan, dice);
  if (plan.seed >= first_seed_with_previews) draw_previews(plan, dice);
}

}  // namespace parley::sim
