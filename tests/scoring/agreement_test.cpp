#include "scoring/agreement.hpp"

#include <gtest/gtest.h>

namespace parley::scoring {
namespace {

TEST(Kappa, is_that_of_the_textbook) {
  // Fleiss, Cohen: 20 passed by both, 5 by the person only, 10 by the judge only, 15 failed by both: observed 0.7,
  // chance 0.5.
  const Kappa kappa = kappa_of({20, 5, 10, 15});
  EXPECT_DOUBLE_EQ(kappa.base_rate, 0.5);
  EXPECT_NEAR(*kappa.value, 0.4, 1e-12);
  EXPECT_NEAR(kappa.interval.high - *kappa.value, 1.959963984540054 * 0.12961481396815722, 1e-9);
}

TEST(Kappa, is_undefined_if_all_verdicts_are_alike) {
  Agreement alike;
  for (int i = 0; i < 9; ++i) alike.add(true, true);
  EXPECT_FALSE(kappa_of(alike).value);
}

TEST(Kappa, is_negative_if_judge_and_person_disagree) {
  EXPECT_NEAR(*kappa_of({0, 5, 5, 0}).value, -1, 1e-12);
}

}  // namespace
}  // namespace parley::scoring
