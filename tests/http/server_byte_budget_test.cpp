// The memory that all clients may use together, and its release (I63).

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "http/transport/byte_budget.hpp"

namespace parley::http {
namespace {

std::shared_ptr<ByteBudget> a_budget() {
  return std::make_shared<ByteBudget>(ByteBudget::Bounds{100, 80, 10});
}

TEST(ByteBudget, lets_large_ones_have_all_but_the_reserve_of_the_small) {
  const auto budget = a_budget();
  ByteBudget::Share first;
  ByteBudget::Share second;
  ByteBudget::Share small;
  EXPECT_TRUE(first.grow_to(60, budget));
  EXPECT_FALSE(second.grow_to(21, budget));
  EXPECT_TRUE(second.grow_to(20, budget));
  EXPECT_TRUE(small.grow_to(10, budget));
  EXPECT_EQ(budget->bytes(), 90U);
  ByteBudget::Share last;
  EXPECT_TRUE(last.grow_to(10, budget));
  ByteBudget::Share none;
  EXPECT_FALSE(none.grow_to(1, budget)) << "the reserve is bounded too";
  EXPECT_EQ(budget->bytes(), 100U);
}

TEST(ByteBudget, admits_a_single_share_of_any_size) {
  const auto budget = a_budget();
  ByteBudget::Share small;
  EXPECT_TRUE(small.grow_to(10, budget));
  ByteBudget::Share huge;
  EXPECT_TRUE(huge.grow_to(1'000, budget));
  EXPECT_TRUE(huge.grow_to(2'000, budget)) << "it is still alone";
  ByteBudget::Share other;
  EXPECT_FALSE(other.grow_to(11, budget));
  huge.release();
  EXPECT_TRUE(other.grow_to(11, budget));
}

TEST(ByteBudget, takes_back_from_every_share_that_ends) {
  const auto budget = a_budget();
  {
    ByteBudget::Share share;
    EXPECT_TRUE(share.grow_to(5, budget));
    EXPECT_TRUE(share.grow_to(50, budget)) << "small becomes large";
    EXPECT_TRUE(share.grow_to(7, budget)) << "never shrinks";
    EXPECT_EQ(budget->bytes(), 50U);
    ByteBudget::Share moved = std::move(share);
    EXPECT_EQ(budget->bytes(), 50U);
    ByteBudget::Share onto;
    EXPECT_TRUE(onto.grow_to(6, budget));
    onto = std::move(moved);
    EXPECT_EQ(budget->bytes(), 50U);
    ByteBudget::Share refused;
    EXPECT_TRUE(refused.grow_to(9, budget));
    EXPECT_FALSE(refused.grow_to(90, budget));
    EXPECT_EQ(budget->bytes(), 50U) << "a refused share is empty";
  }
  EXPECT_EQ(budget->bytes(), 0U);
}

TEST(ByteBudget, counts_shares_that_cannot_be_refused_against_the_others) {
  const auto budget = a_budget();
  ByteBudget::Share first;
  ByteBudget::Share second;
  first.hold(75, budget);
  second.hold(75, budget);
  EXPECT_EQ(budget->bytes(), 150U);
  ByteBudget::Share small;
  EXPECT_FALSE(small.grow_to(1, budget));
  second.release();
  EXPECT_TRUE(small.grow_to(1, budget));
  first.hold(5, budget);
  EXPECT_EQ(budget->bytes(), 6U) << "replacing its former bytes";
}

TEST(ByteBudget, gives_each_owner_a_part) {
  const auto budget = std::make_shared<ByteBudget>(ByteBudget::Bounds{1'000, 900, 10, 100});
  ByteBudget::Share first;
  ByteBudget::Share second;
  EXPECT_TRUE(first.grow_to(80, budget, 1));
  EXPECT_FALSE(second.grow_to(21, budget, 1));
  EXPECT_TRUE(second.grow_to(20, budget, 1));
  ByteBudget::Share of_another;
  EXPECT_TRUE(of_another.grow_to(100, budget, 2));
  EXPECT_TRUE(of_another.grow_to(400, budget, 2)) << "a single body of any size";
  ByteBudget::Share of_none;
  EXPECT_TRUE(of_none.grow_to(300, budget));
  ByteBudget::Share moved = std::move(first);
  moved.release();
  EXPECT_TRUE(second.grow_to(90, budget, 1))
      << "the owner's part is given back by the share that it moved to";
  EXPECT_EQ(budget->bytes(), 790U);
}

TEST(ByteBudget, never_exceeds_its_bytes_under_concurrent_requests) {
  const auto budget = std::make_shared<ByteBudget>(ByteBudget::Bounds{100, 80, 10});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, bytes = i % 2 == 0 ? 40U : 7U] {
      for (int turn = 0; turn < 5'000; ++turn) {
        ByteBudget::Share share;
        static_cast<void>(share.grow_to(bytes, budget));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(budget->bytes(), 0U);
}

}  // namespace
}  // namespace parley::http
