// The order in which a fair queue serves its clients when many of them fill it.

#include "actors/runtime/fair_queue.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "model/clock.hpp"

namespace parley::actors {
namespace {

Id owner(std::uint8_t number) {
  Id id;
  id.bytes.back() = number;
  return id;
}

std::vector<int> all_of(FairQueue<int>& queue) {
  std::vector<int> taken;
  while (!queue.is_empty()) taken.push_back(queue.take());
  return taken;
}

TEST(FairQueue, gives_each_owner_a_turn_and_keeps_the_order_of_each_I65) {
  FairQueue<int> queue({});
  for (const int piece : {10, 11, 12, 13}) queue.put(owner(1), 1, piece);
  for (const int piece : {20, 21}) queue.put(owner(2), 1, piece);
  EXPECT_EQ(queue.take(), 10);
  queue.put(owner(3), 1, 30);
  EXPECT_EQ(all_of(queue), (std::vector<int>{20, 11, 30, 21, 12, 13}));
}

TEST(FairQueue, bounds_the_pieces_of_all_and_of_each) {
  FairQueue<int> queue({.pieces = 3, .pieces_of_owner = 2});
  queue.put(owner(1), 1, 10);
  queue.put(owner(1), 1, 11);
  EXPECT_FALSE(queue.has_room(owner(1), 0));
  EXPECT_TRUE(queue.has_room(owner(2), 0)) << "that one is full is nothing to another";
  queue.put(owner(2), 1, 20);
  EXPECT_FALSE(queue.has_room(owner(2), 0)) << "all together are full";
  EXPECT_EQ(queue.take(), 10);
  EXPECT_TRUE(queue.has_room(owner(1), 0));
}

TEST(FairQueue, bounds_the_bytes_of_all_and_of_each_but_takes_one_piece_of_any_size) {
  FairQueue<int> queue({.bytes = 100, .bytes_of_owner = 60});
  EXPECT_TRUE(queue.has_room(owner(1), 1'000));
  queue.put(owner(1), 60, 10);
  EXPECT_FALSE(queue.has_room(owner(1), 1));
  queue.put(owner(2), 10, 20);
  EXPECT_TRUE(queue.has_room(owner(2), 30));
  EXPECT_FALSE(queue.has_room(owner(2), 31));
  queue.put(owner(2), 30, 21);
  EXPECT_EQ(all_of(queue), (std::vector<int>{10, 20, 21}));
  EXPECT_TRUE(queue.has_room(owner(1), 60)) << "what was taken does not count";
}

TEST(FairQueue, keeps_room_for_owners_with_little_work_however_much_others_have_I65) {
  FairQueue<int> queue({.pieces = 100,
                        .pieces_of_owner = 50,
                        .bytes = 1'000,
                        .bytes_of_owner = 500,
                        .pieces_reserved = 3,
                        .bytes_reserved = 20});
  const auto fill = [&queue](std::uint8_t number, std::size_t bytes) {
    int put = 0;
    for (; queue.has_room(owner(number), bytes); ++put) queue.put(owner(number), bytes, number);
    return put;
  };
  EXPECT_EQ(fill(1, 10), 50);
  EXPECT_EQ(fill(2, 10), 50);
  EXPECT_EQ(fill(3, 5), 3) << "the pieces that are reserved for each";
  EXPECT_EQ(fill(4, 15), 1) << "the bytes that are reserved for each";
  EXPECT_EQ(fill(5, 400), 1) << "one of any size";
  for (int turn = 1; turn <= 5; ++turn) EXPECT_EQ(queue.take(), turn);
  EXPECT_FALSE(queue.has_room(owner(1), 10)) << "the bounds of all hold for who has much";
  EXPECT_EQ(fill(3, 5), 1);
}

}  // namespace
}  // namespace parley::actors
