// Slots of the server and of runs: limits are exact, runs take turns, no result is started twice.

#include "actors/driving/dispatch_machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

namespace parley::actors::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Id id_of(std::uint64_t number) {
  Id id{};
  for (std::size_t i = 0; i < 8; ++i) id.bytes.at(15 - i) = static_cast<std::uint8_t>(number >> (8 * i));
  return id;
}

std::vector<Id> ids(std::uint64_t from, std::uint64_t count) {
  std::vector<Id> made;
  for (std::uint64_t i = 0; i < count; ++i) made.push_back(id_of(from + i));
  return made;
}

TEST(DispatchMachine, starts_as_many_as_the_run_allows) {
  DispatchMachine machine(100);
  EXPECT_EQ(machine.on({id_of(1), 2, ids(10, 3)}), ids(10, 2));
  EXPECT_THAT(machine.release(ids(99, 1)), IsEmpty()) << "an unknown result frees nothing";
  EXPECT_THAT(machine.release(ids(10, 1)), ElementsAre(id_of(12)));
  EXPECT_THAT(machine.release(ids(10, 1)), IsEmpty()) << "a slot is given back once";
  EXPECT_EQ(machine.driven(), 2);
}

TEST(DispatchMachine, holds_the_servers_own_cap) {
  DispatchMachine machine(3);
  EXPECT_EQ(machine.on({id_of(1), 100, ids(10, 10)}).size(), 3U);
  EXPECT_THAT(machine.on({id_of(2), 100, ids(50, 10)}), IsEmpty());
  EXPECT_EQ(machine.waiting(), 17U);
}

TEST(DispatchMachine, lets_runs_take_turns) {
  DispatchMachine machine(2);
  EXPECT_EQ(machine.on({id_of(1), 100, ids(10, 100)}), ids(10, 2));
  EXPECT_THAT(machine.on({id_of(2), 100, ids(500, 2)}), IsEmpty());
  EXPECT_THAT(machine.release(ids(10, 1)), ElementsAre(id_of(12)));
  EXPECT_THAT(machine.release(ids(11, 1)), ElementsAre(id_of(500)));
  EXPECT_THAT(machine.release(ids(12, 1)), ElementsAre(id_of(13)));
  EXPECT_THAT(machine.release(ids(13, 1)), ElementsAre(id_of(501)));
}

TEST(DispatchMachine, offers_are_taken_once) {
  DispatchMachine machine(10);
  EXPECT_EQ(machine.on({id_of(1), 1, ids(10, 2)}), ids(10, 1));
  EXPECT_THAT(machine.on({id_of(1), 1, ids(10, 2)}), IsEmpty());
  EXPECT_EQ(machine.waiting(), 1U);
}

TEST(DispatchMachine, forgets_a_waiting_result_that_was_released) {
  DispatchMachine machine(10);
  EXPECT_EQ(machine.on({id_of(1), 1, ids(10, 3)}), ids(10, 1));
  EXPECT_THAT(machine.release(ids(11, 1)), IsEmpty());
  EXPECT_THAT(machine.release(ids(10, 1)), ElementsAre(id_of(12)));
}

TEST(DispatchMachine, keeps_every_cap_over_random_schedules) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    DispatchMachine machine(7);
    std::map<std::uint64_t, std::vector<Id>> driven;  // by run
    std::size_t offered = 0;
    std::size_t started = 0;
    std::uint64_t next = 100;
    const auto take = [&](const std::vector<Id>& more) {
      started += more.size();
      for (const Id& id : more) driven[id.bytes.at(15) % 3].push_back(id);
    };
    const auto total = [&] { return driven[0].size() + driven[1].size() + driven[2].size(); };
    for (int step = 0; step < 300; ++step) {
      const std::uint64_t run = random() % 3;
      if (random() % 3 == 0 && offered < 200) {
        while (next % 256 % 3 != run) ++next;
        take(machine.on({id_of(run + 1), static_cast<std::int64_t>(run + 2), {id_of(next++)}}));
        ++offered;
      } else if (!driven[run].empty()) {
        const Id done = driven[run].back();
        driven[run].pop_back();
        take(machine.release(std::span(&done, 1)));
      }
      for (std::uint64_t each = 0; each < 3; ++each)
        ASSERT_LE(driven[each].size(), each + 2) << "seed " << seed;
      ASSERT_LE(total(), 7U);
      ASSERT_EQ(static_cast<std::int64_t>(total()), machine.driven());
    }
    for (bool again = true; again;) {
      again = false;
      for (auto& [run, held] : driven) {
        if (held.empty()) continue;
        again = true;
        const Id done = held.back();
        held.pop_back();
        take(machine.release(std::span(&done, 1)));
      }
    }
    EXPECT_EQ(started, offered) << "nobody starves, seed " << seed;
  }
}

}  // namespace
}  // namespace parley::actors::test
