// How a second signal is treated: as a repeat of the first, or as an impatient operator (I66).

#include "app/process/stop_signals.hpp"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

using std::chrono::milliseconds;

const StopSignal first{SIGTERM, std::chrono::steady_clock::time_point{milliseconds(5'000)}};

TEST(StopSignals, a_quick_repeat_of_a_signal_counts_as_the_first_one_I66) {
  for (const milliseconds later : {milliseconds(0), milliseconds(3), milliseconds(75)})
    EXPECT_TRUE(is_same_request(first, {SIGTERM, first.at + later})) << later.count();
}

TEST(StopSignals, a_later_or_different_signal_ends_immediately_I66) {
  EXPECT_FALSE(is_same_request(first, {SIGTERM, first.at + milliseconds(76)}));
  EXPECT_FALSE(is_same_request(first, {SIGINT, first.at + milliseconds(3)}));
}

}  // namespace
}  // namespace parley::app
