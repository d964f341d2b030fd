// The audit log where another master key takes the place of one that was lost (D23, I68).

#include "tests/store/audited_world.hpp"

namespace parley::store {
namespace {

TEST(AuditKeys, goes_on_under_another_key_behind_an_anchor_D23) {
  AuditedWorld world;
  world.write(3);
  const AuditHead end = audit_head(world.store->snapshot());
  EXPECT_TRUE(begin_audit_anew(world.store->snapshot(), audit_keys(world.secrets)).empty())
      << "it is the log's";
  world.take_another_key(8);
  EXPECT_EQ(another_key_head(world.store->snapshot(), audit_keys(world.secrets))->seq, 3U);
  EXPECT_EQ(world.verified().fault, "") << "nothing is new";
  world.write(2);
  const AuditReport report = world.verified({.keys = {}, .head = end, .with_values = true});
  EXPECT_EQ(report.fault, "");
  EXPECT_EQ(std::tuple(report.another_key_until, report.first, report.records), std::tuple(3U, 4U, 2U));
  EXPECT_EQ(world.verified({.keys = {}, .head = AuditHead{3, std::string(32, 'x')}}).fault_seq, 3U);
  EXPECT_NE(world.verified({.keys = {}, .head = AuditHead{2, end.mac}}).fault.find("another key"),
            std::string::npos);

  const std::vector<std::string> stored = world.stored_records();
  world.tamper(4, {});
  EXPECT_EQ(world.verified().fault_seq, 4U) << "what is new is as safe as it was";
  world.tamper(4, moved(stored[4], 4));
  EXPECT_EQ(world.verified().fault_seq, 4U);
  world.tamper(4, stored[3]);
  const AuditKeys keys = audit_keys(world.secrets);
  const std::string let_go = anchor_payload(keys, Anchor::let_go, end);
  for (const std::string& forged :
       {let_go, anchor_payload(audit_keys(Secrets(Key256{9})), Anchor::another_key, end)}) {
    world.tamper(TableId::meta, key_anchor_key, frame(key_anchor_key, 0, forged));
    EXPECT_NE(world.verified().fault, "") << "one sort of anchor, or another key's, is not this one";
  }
  world.tamper(TableId::meta, key_anchor_key, {});
  EXPECT_EQ(world.verified().fault_seq, 1U);
}

TEST(AuditKeys, back_under_the_old_key_what_it_sealed_verifies_whatever_came_between_D23) {
  AuditedWorld world;
  world.write(3);
  world.take_another_key(8);  // a mistake, and nothing is written under it
  world.take_another_key(7);
  EXPECT_EQ(another_key_head(world.store->snapshot(), audit_keys(world.secrets)), std::nullopt);
  AuditReport report = world.verified({.keys = {}, .head = {}, .with_values = true});
  EXPECT_EQ(std::tuple(report.fault, report.first, report.records, report.another_key_until),
            std::tuple(std::string(), 1U, 3U, 0U));
  world.write(1);
  EXPECT_EQ(world.verified().fault, "");

  world.take_another_key(8);
  world.write(2);
  world.take_another_key(7);
  world.write(2);
  world.take_another_key(9);  // the same mistake where the log holds records of a third key
  world.take_another_key(7);
  report = world.verified();
  EXPECT_EQ(std::tuple(report.fault, report.first, report.records, report.another_key_until),
            std::tuple(std::string(), 7U, 2U, 6U));
  world.tamper(7, {});
  EXPECT_EQ(world.verified().fault_seq, 7U) << "what the key sealed is as safe as it was";
}

TEST(AuditKeys, back_under_the_old_key_what_was_let_go_stays_vouched_for) {
  AuditedWorld world(day_ms);
  world.write(3);
  world.clock.advance(2 * day_ms);
  world.write(1);
  ASSERT_EQ(world.stored_records().size(), 1U);
  world.take_another_key(8, day_ms);
  world.take_another_key(7, day_ms);
  world.write(1);
  const AuditReport report = world.verified();
  EXPECT_EQ(std::tuple(report.fault, report.first, report.records, report.another_key_until),
            std::tuple(std::string(), 4U, 2U, 0U));
}

TEST(AuditKeys, lets_records_of_another_key_go_by_their_age) {
  AuditedWorld world(day_ms);
  world.write(3);
  world.clock.advance(2 * day_ms);
  world.take_another_key(8, day_ms);
  world.write(1);
  EXPECT_EQ(world.stored_records().size(), 1U);
  const AuditReport first = world.verified();
  EXPECT_EQ(std::tuple(first.fault, first.records, first.first), std::tuple(std::string(), 1U, 4U));
  world.clock.advance(2 * day_ms);
  world.write(2);
  const AuditReport then = world.verified();
  EXPECT_EQ(std::tuple(then.fault, then.another_key_until), std::tuple(std::string(), 0U))
      << "nothing of it is left";
  EXPECT_GT(then.first, 4U);
}

}  // namespace
}  // namespace parley::store
