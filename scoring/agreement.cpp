#include "scoring/agreement.hpp"

#include <algorithm>
#include <cmath>

namespace parley::scoring {
namespace {

constexpr double z = 1.959963984540054;

}  // namespace

void Agreement::add(bool person, bool judge) {
  if (person) {
    ++(judge ? both_passed : person_passed);
  } else {
    ++(judge ? judge_passed : both_failed);
  }
}

Kappa kappa_of(const Agreement& agreement) {
  const auto n = static_cast<double>(agreement.pairs());
  const auto share = [&](std::int64_t count) { return static_cast<double>(count) / n; };
  const double person = share(agreement.both_passed + agreement.person_passed);
  const double judge = share(agreement.both_passed + agreement.judge_passed);
  const double observed = share(agreement.both_passed + agreement.both_failed);
  const double chance = person * judge + (1 - person) * (1 - judge);
  Kappa kappa;
  kappa.base_rate = person;
  if (chance >= 1) return kappa;
  const double value = (observed - chance) / (1 - chance);
  const double error = std::sqrt(observed * (1 - observed) / n) / (1 - chance);
  kappa.value = value;
  kappa.interval = {std::clamp(value - z * error, -1.0, 1.0), std::clamp(value + z * error, -1.0, 1.0)};
  return kappa;
}

}  // namespace parley::scoring
