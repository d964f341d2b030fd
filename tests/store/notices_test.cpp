#include "store/side/notices.hpp"

#include "store/side/deliveries.hpp"
#include "tests/store/world.hpp"

namespace parley::store {
namespace {

Webhook webhook_of(World& world) {
  Webhook webhook;
  webhook.stamp = {world.id(), noon, 1};
  webhook.url = "https://example.org/";
  return webhook;
}

Run ended(Run run, RunStatus status = RunStatus::completed) {
  run.status = status;
  return run;
}

std::vector<NoticeKind> kinds(const World& world) {
  std::vector<NoticeKind> found;
  for (const Notice& each : notices(world.store->snapshot(), 100)) found.push_back(each.kind);
  return found;
}

void replace(World& world, const Run& before, const Run& after) {
  ChangeSet set;
  set.replace(before, after);
  world.must_commit(set);
}

TEST(Notices, are_written_with_the_end_of_a_run_only_while_there_is_a_webhook) {
  World world;
  const auto early = world.run();
  replace(world, early, ended(early));
  EXPECT_TRUE(kinds(world).empty());
  world.create(webhook_of(world));
  const auto run = world.run();
  EXPECT_TRUE(kinds(world).empty());
  replace(world, run, ended(run));
  world.reopen();
  const auto found = notices(world.store->snapshot(), 100);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, NoticeKind::run_ended);
  EXPECT_EQ(found[0].subject, run.stamp.id);
  EXPECT_EQ(found[0].revision, run.stamp.revision + 1);
}

TEST(Notices, follow_the_gate_that_a_client_notes) {
  World world;
  world.create(webhook_of(world));
  auto run = world.run();
  auto red = run;
  red.metadata = {R"({"gate": "red"})"};
  replace(world, run, red);
  EXPECT_EQ(kinds(world), std::vector{NoticeKind::gate_red});
  red.stamp.revision = run.stamp.revision + 1;
  auto still = red;
  still.metadata = {R"({"gate": "red", "by": "hand"})"};
  replace(world, red, still);
  EXPECT_EQ(kinds(world).size(), 1U);
}

TEST(Notices, report_a_result_when_it_fails_and_not_again) {
  ResultHead head;
  EXPECT_FALSE(is_failure(head));
  head.status = ResultStatus::completed;
  head.is_decided = true;
  EXPECT_FALSE(is_failure(head));
  head.overall_passed = false;
  EXPECT_TRUE(is_failure(head));
  head.is_void = true;  // not a valid trial
  EXPECT_FALSE(is_failure(head));
  head.status = ResultStatus::failed;
  EXPECT_TRUE(is_failure(head));

  World world;
  world.create(webhook_of(world));
  const ResultHead before = world.result(world.run());
  ResultHead after = before;
  after.status = ResultStatus::failed;
  ChangeSet set;
  const std::uint64_t revision = set.replace(before, after);
  world.must_commit(set);
  EXPECT_EQ(kinds(world), std::vector{NoticeKind::result_failed});
  ResultHead archived = after;
  archived.stamp.revision = revision;
  after = archived;
  archived.is_archived = true;
  ChangeSet again;
  again.replace(after, archived);
  world.must_commit(again);
  EXPECT_EQ(kinds(world).size(), 1U);
}

TEST(Notices, become_deliveries_in_one_change_set) {
  World world;
  const Webhook webhook = webhook_of(world);
  world.create(webhook);
  ChangeSet test;
  put_notice(test, {NoticeKind::test, world.id(), 0, noon, webhook.stamp.id});
  world.must_commit(test);
  const Notice notice = notices(world.store->snapshot(), 1).at(0);
  EXPECT_EQ(notice.webhook, webhook.stamp.id);
  Delivery delivery;
  delivery.key = {webhook.stamp.id, notice.subject};
  delivery.event = "webhook.test";
  delivery.body = R"({"type":"webhook.test"})";
  delivery.next_attempt_at = noon;
  ChangeSet made;
  erase_notice(made, notice);
  put_owed(made, delivery);
  world.must_commit(made);
  EXPECT_TRUE(notices(world.store->snapshot(), 1).empty());
  ASSERT_EQ(owed_deliveries(world.store->snapshot(), {}, 10).size(), 1U);
  const auto found = find_owed(world.store->snapshot(), delivery.key);
  ASSERT_TRUE(found.ok() && *found);
  EXPECT_EQ((*found)->body, delivery.body);
  EXPECT_EQ((*found)->next_attempt_at, noon);
  delivery.status = DeliveryStatus::delivered;
  ChangeSet over;
  end_delivery(over, delivery);
  world.must_commit(over);
  EXPECT_TRUE(owed_deliveries(world.store->snapshot(), {}, 10).empty());
  EXPECT_EQ(over_deliveries(world.store->snapshot(), {}, 10), std::vector{delivery.key});
  ASSERT_EQ(deliveries_of(world.store->snapshot(), webhook.stamp.id, 10).size(), 1U);
  EXPECT_EQ(deliveries_of(world.store->snapshot(), webhook.stamp.id, 10)[0].status,
            DeliveryStatus::delivered);
  EXPECT_TRUE(deliveries_of(world.store->snapshot(), world.id(), 10).empty());
}

}  // namespace
}  // namespace parley::store
