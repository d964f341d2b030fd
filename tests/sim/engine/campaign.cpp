#include "tests/sim/engine/campaign.hpp"

#include <algorithm>
#include <ostream>

namespace parley::sim {
namespace {

bool fails(Stand& stand, const Plan& plan) {
  return !Schedule(stand, plan).carry_out().faults.empty();
}

}  // namespace

Plan only(Plan plan, const std::vector<std::uint32_t>& kept) {
  if (kept.empty()) return plan;
  std::erase_if(plan.steps, [&](const Step& step) {
    return std::find(kept.begin(), kept.end(), step.token) == kept.end();
  });
  return plan;
}

Plan shrink(Stand& stand, Plan plan) {
  for (bool is_smaller = true; is_smaller;) {
    is_smaller = false;
    for (std::size_t i = plan.steps.size(); i-- > 0;) {
      Plan less = plan;
      less.steps.erase(less.steps.begin() + static_cast<std::ptrdiff_t>(i));
      if (!fails(stand, less)) continue;
      plan = std::move(less);
      is_smaller = true;
    }
  }
  return plan;
}

void print(std::ostream& out, const Plan& plan, const Trial& trial) {
  out << head_of(plan) << "\n";
  for (const Step& step : plan.steps) out << "  " << text_of(step) << "\n";
  out << "history:\n" << text_of(trial.history);
  for (const std::string& fault : trial.faults) out << "FAULT " << fault << "\n";
  out << "again: parley_sim --seed " << plan.seed;
  const char* before = " --only ";
  if (plan.steps.empty()) out << before << 0;
  for (const Step& step : plan.steps) {
    out << before << step.token;
    before = ",";
  }
  out << std::endl;
}

void count(Tally& tally, const Trial& trial, std::uint64_t seed) {
  ++tally.schedules;
  tally.messages += trial.messages;
  tally.commands += trial.history.ops.size();
  tally.crashes += static_cast<std::uint64_t>(trial.crashes);
  if (trial.is_undecided) ++tally.undecided;
  if (trial.faults.empty()) return;
  if (tally.failed++ == 0) tally.first_failed = seed;
}

Tally run_seeds(Stand& stand, std::uint64_t first, std::uint64_t schedules, std::ostream& out) {
  Tally tally;
  for (std::uint64_t seed = first; seed < first + schedules && tally.failed == 0; ++seed) {
    const Plan plan = plan_of(seed);
    const Trial trial = Schedule(stand, plan).carry_out();
    count(tally, trial, seed);
    if (!trial.faults.empty()) print(out, plan, trial);
  }
  return tally;
}

}  // namespace parley::sim
