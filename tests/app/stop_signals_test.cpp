// What a second signal means: the first one come again, or somebody who will not wait (I66).

#include "app/process/stop_signals.hpp"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

using std::chrono::milliseconds;

const StopSignal first{SIGTERM, std::chrono::steady_clock::time_point{milliseconds(5'000)}};

TEST(StopSignals, in_a_moment_the_same_one_is_the_first_come_again_I66) {
  for (const milliseconds later : {milliseconds(0), milliseconds(3), milliseconds(75)})
    EXPECT_TRUE(is_same_request(first, {SIGTERM, first.at + later})) << later.count();
}

TEST(StopSignals, a_later_one_or_another_one_ends_at_once_I66) {
  EXPECT_FALSE(is_same_request(first, {SIGTERM, first.at + milliseconds(76)}));
  EXPECT_FALSE(is_same_request(first, {SIGINT, first.at + milliseconds(3)}));
}

}  // namespace
}  // namespace parley::app
