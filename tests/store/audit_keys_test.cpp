// The audit log after a new master key replaces a lost one: a new log starts (D23, I68).

#include "tests/store/audited_world.hpp"

namespace parley::store {
namespace {

TEST(AuditKeys, another_key_starts_a_new_log_D23) {
  AuditedWorld world;
  EXPECT_TRUE(start_new_log(world.store->snapshot(), audit_keys(world.secrets)).empty())
      << "nothing is logged";
  world.write(3);
  const AuditHead end = audit_head(world.store->snapshot());
  world.take_another_key(8);
  EXPECT_EQ(head_before_new_log(world.store->snapshot(), audit_keys(world.secrets))->mac, end.mac);
  EXPECT_EQ(world.verified().fault, "") << "the new log is empty";
  world.write(2);
  EXPECT_EQ(head_before_new_log(world.store->snapshot(), audit_keys(world.secrets)), std::nullopt);
  const AuditReport report = world.verified({.keys = {}, .head = end, .with_values = true});
  EXPECT_EQ(report.fault, "");
  EXPECT_EQ(std::tuple(report.another_key_until, report.first, report.records), std::tuple(3U, 4U, 2U));
  EXPECT_EQ(world.verified({.keys = {}, .head = AuditHead{3, std::string(32, 'x')}}).fault_seq, 3U);
  EXPECT_NE(world.verified({.keys = {}, .head = AuditHead{2, end.mac}}).fault.find("another key"),
            std::string::npos);
}

TEST(AuditKeys, a_new_log_is_as_safe_as_the_first_one_D23) {
  AuditedWorld world;
  world.write(3);
  const AuditHead end = audit_head(world.store->snapshot());
  world.take_another_key(8);
  world.write(2);
  const std::vector<std::string> stored = world.stored_records();
  world.tamper(4, {});
  EXPECT_EQ(world.verified().fault_seq, 4U);
  world.tamper(4, moved(stored[4], 4));
  EXPECT_EQ(world.verified().fault_seq, 4U);
  world.tamper(4, stored[3]);
  EXPECT_EQ(world.verified().fault, "");
  const std::string forged = anchor_payload(audit_keys(Secrets(Key256{9})), end);
  world.tamper(TableId::meta, anchor_key, frame(anchor_key, 0, forged));
  EXPECT_NE(world.verified().fault, "") << "the anchor was sealed with another key";
  world.tamper(TableId::meta, anchor_key, {});
  EXPECT_EQ(world.verified().fault_seq, 1U);
}

TEST(AuditKeys, the_old_key_starts_a_new_log_too) {
  AuditedWorld world;
  world.write(3);
  world.take_another_key(8);
  world.write(2);
  world.take_another_key(7);
  world.write(1);
  const AuditReport report = world.verified();
  EXPECT_EQ(std::tuple(report.fault, report.first, report.records, report.another_key_until),
            std::tuple(std::string(), 6U, 1U, 5U));
}

TEST(AuditKeys, removed_records_stay_verifiable_under_another_key) {
  AuditedWorld world(day_ms);
  world.write(3);
  world.clock.advance(2 * day_ms);
  world.write(1);
  ASSERT_EQ(world.stored_records().size(), 1U);
  world.take_another_key(8, day_ms);
  world.write(1);
  const AuditReport report = world.verified();
  EXPECT_EQ(std::tuple(report.fault, report.first, report.records, report.another_key_until),
            std::tuple(std::string(), 5U, 1U, 4U));
}

TEST(AuditKeys, records_of_another_key_are_removed_by_their_age) {
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
      << "no record of the other key is left";
  EXPECT_GT(then.first, 4U);
}

}  // namespace
}  // namespace parley::store
