#include "tests/sim/engine/plan.hpp"

#include <array>
#include <random>

namespace parley::sim {
namespace {

constexpr std::array<std::string_view, deeds> words{"post",
                                                    "tool",
                                                    "registers",
                                                    "insert",
                                                    "merge",
                                                    "next",
                                                    "finish",
                                                    "cancel",
                                                    "fail",
                                                    "start",
                                                    "mode_auto",
                                                    "mode_manual",
                                                    "metadata",
                                                    "retry",
                                                    "create",
                                                    "cancel_run",
                                                    "close_run",
                                                    "put_run_canceled",
                                                    "put_run_running",
                                                    "again",
                                                    "answer",
                                                    "pass",
                                                    "disk_full",
                                                    "disk_well",
                                                    "disk_error",
                                                    "crash",
                                                    "crash_within",
                                                    "crash_in_recovery",
                                                    "hold",
                                                    "release",
                                                    "pause",
                                                    "unpause",
                                                    "look",
                                                    "model_says",
                                                    "heartbeat",
                                                    "preview",
                                                    "rescore"};

/// How often each deed is drawn, for a seed that uses it.
constexpr std::array<unsigned, first_deeds> shares{12, 3, 3, 4, 4, 14, 8, 3, 2, 2, 2, 2, 3,
                                                   7,  3, 2, 2, 1, 1,  5,  // commands
                                                   14, 6, 2, 4, 1, 3,  1, 1, 3, 5, 1, 2, 5};
/// The deeds without which very little happens.
constexpr std::array always{Deed::post,      Deed::next,    Deed::answer,
                            Deed::disk_well, Deed::release, Deed::unpause};

using Dice = std::mt19937_64;

std::array<unsigned, first_deeds> weights_of(Dice& dice) {
  std::array<unsigned, first_deeds> weights{};
  for (std::size_t i = 0; i < first_deeds; ++i) {
    weights.at(i) = dice() % 2 == 0 ? 0U : shares.at(i) * static_cast<unsigned>(1 + dice() % 3);
  }
  for (const Deed deed : always) {
    auto& weight = weights.at(static_cast<std::size_t>(deed));
    if (weight == 0) weight = shares.at(static_cast<std::size_t>(deed));
  }
  return weights;
}

std::uint32_t spin_of(Dice& dice) {
  const auto kind = dice() % 8;
  if (kind == 0) return until_rest;
  if (kind < 3) return 0;
  return static_cast<std::uint32_t>(dice() % 14);
}

}  // namespace

std::string_view word_of(Deed deed) {
  return words.at(static_cast<std::size_t>(deed));
}

Plan plan_of(std::uint64_t seed) {
  Dice dice(seed * 0x9e3779b97f4a7c15ULL + 1);
  Plan plan;
  plan.seed = seed;
  const auto results = 1 + dice() % 3;
  const auto leaning = dice() % 4;  // the kind that most results of this seed have
  for (std::uint64_t i = 0; i < results; ++i) {
    Made made;
    if (leaning == 0 || dice() % 5 == 0) made.kind = Kind::driven;
    if (leaning == 1 && dice() % 3 == 0) made.kind = Kind::person;
    made.is_manual = dice() % 3 == 0;
    plan.results.push_back(made);
  }
  plan.says = static_cast<std::uint32_t>(dice() % 4);
  plan.cap = static_cast<std::uint32_t>(1 + dice() % 2);
  plan.is_running = dice() % 2 == 0;
  plan.is_stuck_at_once = dice() % 3 == 0;
  const auto weights = weights_of(dice);
  std::discrete_distribution<std::size_t> draw(weights.begin(), weights.end());
  const auto steps = 6 + dice() % 30;
  for (std::uint32_t token = 1; token <= steps; ++token) {
    Step step;
    step.deed = static_cast<Deed>(draw(dice));
    step.token = token;
    step.target = static_cast<std::uint32_t>(dice() % 6);
    step.value = static_cast<std::uint32_t>(dice() % 1'000);
    step.dice = dice();
    step.spin = spin_of(dice);
    step.has_key = dice() % 4 == 0;
    plan.steps.push_back(step);
  }
  if (seed >= first_wide_seed) widen(plan);
  return plan;
}

std::string text_of(const Step& step) {
  std::string text = "#" + std::to_string(step.token) + " " + std::string(word_of(step.deed));
  if (is_of_result(step.deed)) text += " target=" + std::to_string(step.target);
  text += " value=" + std::to_string(step.value);
  if (is_command(step.deed) && step.has_key) text += " key";
  if (step.prefers_completed) text += " of those completed";
  text += step.spin == until_rest ? " spin=all" : " spin=" + std::to_string(step.spin);
  return text;
}

std::string head_of(const Plan& plan) {
  std::string text = "seed " + std::to_string(plan.seed) + ": says=" + std::to_string(plan.says) +
                     " cap=" + std::to_string(plan.cap) + (plan.is_running ? " running" : " new") +
                     (plan.is_stuck_at_once ? " stuck-after=0" : "") + " results:";
  for (const Made& made : plan.results) {
    text += made.kind == Kind::client ? " client" : made.kind == Kind::person ? " person" : " driven";
    if (made.is_manual) text += "/manual";
    if (made.is_free) text += "/free";
    if (made.criteria > 0) text += "/" + std::to_string(made.criteria) + " criteria";
  }
  if (plan.models.has_tester) text += " tester-model";
  if (plan.models.has_judge) text += " judge-model";
  if (plan.has_runners) text += " runners";
  if (plan.deadline_ms > 0) text += " deadline=" + std::to_string(plan.deadline_ms);
  if (plan.has_rescores) text += " rescores";
  if (plan.models.keeps_answers) text += " keep-answers";
  return text;
}

}  // namespace parley::sim
