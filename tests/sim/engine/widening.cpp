// What wide seeds draw beyond the plan that every seed has: models and how they misbehave, local runners, a deadline,
// previews, and rescores. The added steps go between the steps drawn before, which stay as they are.

#include <array>
#include <optional>
#include <random>

#include "tests/sim/engine/models.hpp"

namespace parley::sim {
namespace {

using Dice = std::mt19937_64;

/// A random set of the bad answers; for a third of the worlds the set is empty.
std::uint32_t some_of(Dice& dice, std::uint32_t first_bad, std::size_t sayings) {
  const auto drawn = static_cast<std::uint32_t>(dice());
  const std::uint32_t all = (1U << sayings) - 1U;
  const std::uint32_t bad = all & ~((1U << first_bad) - 1U);
  return dice() % 3 == 0 ? 0U : drawn & bad;
}

/// A random step; nullopt once the set of tokens is full.
std::optional<Step> drawn_step(const Plan& plan, Dice& dice, Deed deed) {
  const auto token = static_cast<std::uint32_t>(plan.steps.size() + 1);
  if (token > tokens_max) return std::nullopt;
  Step step;
  step.deed = deed;
  step.token = token;
  step.target = static_cast<std::uint32_t>(dice() % 6);
  step.value = static_cast<std::uint32_t>(dice() % 1'000);
  step.dice = dice();
  step.spin = dice() % 6 == 0 ? until_rest : static_cast<std::uint32_t>(dice() % 14);
  return step;
}

/// Inserts a step at a random place; false once the set of tokens is full.
bool put_in(Plan& plan, Dice& dice, Deed deed) {
  const auto step = drawn_step(plan, dice, deed);
  if (!step) return false;
  const auto place = static_cast<std::ptrdiff_t>(dice() % (plan.steps.size() + 1));
  plan.steps.insert(plan.steps.begin() + place, *step);
  return true;
}

/// Inserts a step at this place, sometimes with an Idempotency-Key; nullopt once the set of tokens is full.
std::optional<std::size_t> put_in_at(Plan& plan, Dice& dice, Deed deed, std::size_t place) {
  auto step = drawn_step(plan, dice, deed);
  if (!step) return std::nullopt;
  step->has_key = dice() % 4 == 0;
  plan.steps.insert(plan.steps.begin() + static_cast<std::ptrdiff_t>(place), *step);
  return place;
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

/// Two runners with the same identifier, and one with another, which must be offered none of their work.
void draw_runners(Plan& plan, Dice& dice) {
  plan.has_runners = dice() % 2 == 0;
  if (!plan.has_runners) return;
  const auto beats = 3 + dice() % 7;
  for (std::uint64_t i = 0; i < beats; ++i) static_cast<void>(put_in(plan, dice, Deed::heartbeat));
  for (std::uint64_t i = dice() % 4; i > 0; --i) static_cast<void>(put_in(plan, dice, Deed::pass));
}

/// A jump of time ends conversations that are driven for longer; most worlds have no deadline, or few commands would
/// meet.
void draw_deadline(Plan& plan, Dice& dice) {
  constexpr std::int64_t deadline_ms = 30'000;
  if (dice() % 3 == 0) plan.deadline_ms = deadline_ms;
  if (plan.deadline_ms == 0) return;
  for (std::uint64_t i = dice() % 4; i > 0; --i) static_cast<void>(put_in(plan, dice, Deed::pass));
}

void draw_previews(Plan& plan, Dice& dice) {
  for (std::uint64_t i = dice() % 5; i > 0; --i) static_cast<void>(put_in(plan, dice, Deed::preview));
}

/// Adds the steps that bring a result to its verdict if nothing intervenes, somewhere in the first half.
void bring_to_end(Plan& plan, Dice& dice, std::uint32_t target) {
  std::size_t place = dice() % (plan.steps.size() / 2 + 1);
  for (const Deed deed : {Deed::next, Deed::post, Deed::next, Deed::answer, Deed::finish}) {
    if (!put_in_at(plan, dice, deed, place)) return;
    plan.steps[place].target = target;
    plan.steps[place].spin = until_rest;
    ++place;
  }
}

/// Adds another command on the same result, with few messages or none in between; most of them are rescores too.
std::optional<std::size_t> meet_at(Plan& plan, Dice& dice, std::size_t place) {
  constexpr std::array rivals{Deed::rescore, Deed::rescore, Deed::rescore,  Deed::retry,
                              Deed::retry,   Deed::cancel,  Deed::metadata, Deed::crash};
  const Deed rival = rivals.at(dice() % rivals.size());
  const auto next = put_in_at(plan, dice, rival, place + 1);
  if (!next) return next;
  Step& first = plan.steps[place];
  first.spin = static_cast<std::uint32_t>(dice() % 5);
  // A retry may also concern an older result of the lineage.
  plan.steps[*next].prefers_completed = first.prefers_completed && (rival != Deed::retry || dice() % 2 == 0);
  plan.steps[*next].target = first.target;
  return next;
}

/// Adds rescore requests, most of them after the middle, when results are completed; some run concurrently with another
/// command.
void draw_rescores(Plan& plan, Dice& dice) {
  plan.has_rescores = true;
  if (dice() % 4 != 0) {
    plan.says = static_cast<std::uint32_t>(dice() % 2);
    for (std::uint32_t target = 0; target < plan.results.size(); ++target) {
      if (dice() % 3 != 0) bring_to_end(plan, dice, target);
    }
  }
  const auto later = [&plan, &dice](Deed deed) {
    const std::size_t middle = plan.steps.size() / 2;
    return put_in_at(plan, dice, deed, middle + dice() % (plan.steps.size() - middle + 1));
  };
  for (std::uint64_t groups = 1 + dice() % 4; groups > 0; --groups) {
    auto place = later(Deed::rescore);
    if (place) plan.steps[*place].prefers_completed = dice() % 8 != 0;
    for (std::uint64_t more = dice() % 3; place && more > 0; --more) place = meet_at(plan, dice, *place);
  }
  for (const Deed deed : {Deed::finish, Deed::retry, Deed::cancel, Deed::cancel_run, Deed::crash}) {
    if (dice() % 4 == 0) static_cast<void>(later(deed));
  }
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
  if (plan.seed >= first_seed_with_rescores) {
    Dice own(plan.seed * 0xa0761d6478bd642fULL + 11);
    draw_rescores(plan, own);
  }
}

}  // namespace parley::sim
