// Canceled groups are remembered, so that calls that arrive late are canceled too (I45: after cancel-run no call
// starts).

#include <gtest/gtest.h>

#include "model/id.hpp"
#include "outbound/admission/canceled_groups.hpp"

namespace parley::outbound {
namespace {

Id group_of(unsigned char number) {
  Id id;
  id.bytes.back() = number;
  return id;
}

HttpRequest call_for(const Id& group, std::uint64_t epoch) {
  HttpRequest request;
  request.group = group;
  request.epoch = epoch;
  return request;
}

TEST(CanceledGroups, hold_calls_older_than_the_cancel_and_no_others) {
  CanceledGroups groups;
  EXPECT_FALSE(groups.holds(call_for(group_of(1), 0)));
  groups.add(group_of(1), 5);
  EXPECT_TRUE(groups.holds(call_for(group_of(1), 4)));
  EXPECT_FALSE(groups.holds(call_for(group_of(1), 5))) << "asked for what was stored afterwards";
  EXPECT_FALSE(groups.holds(call_for(group_of(2), 4)));
  EXPECT_FALSE(groups.holds(call_for(Id{}, 0))) << "made for no group";
  groups.add(group_of(1), 9);
  EXPECT_TRUE(groups.holds(call_for(group_of(1), 8)));
}

TEST(CanceledGroups, a_forgotten_group_holds_every_call_of_its_age) {
  CanceledGroups groups(2);
  groups.add(group_of(1), 1);
  groups.add(group_of(2), 2);
  groups.add(group_of(1), 3);  // the first entry is forgotten, but not the newer one of the same group
  EXPECT_TRUE(groups.holds(call_for(group_of(1), 2)));
  EXPECT_FALSE(groups.holds(call_for(group_of(1), 3)));
  EXPECT_TRUE(groups.holds(call_for(group_of(3), 0))) << "its word may be among the forgotten";
  EXPECT_FALSE(groups.holds(call_for(group_of(3), 1)));
  groups.add(group_of(4), 4);
  groups.add(group_of(5), 5);
  EXPECT_TRUE(groups.holds(call_for(group_of(1), 2)));
  EXPECT_FALSE(groups.holds(call_for(group_of(1), 3))) << "3 is forgotten, and nothing older was asked";
}

}  // namespace
}  // namespace parley::outbound
