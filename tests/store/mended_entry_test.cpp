// Entries written by an earlier version with metadata that is not JSON do not break answers that show them.

#include "store/snapshot.hpp"
#include "tests/store/world.hpp"

namespace parley::store {
namespace {

TEST(Snapshot, marks_an_entry_whose_metadata_is_not_JSON) {
  World world;
  const ResultHead head = created(world.result(created(world.run())));
  world.create(head);
  Entry entry;
  entry.id = world.id();
  entry.name = "form";
  entry.metadata.text = R"({"order":***})";
  const std::string json = entry_json(entry);
  ChangeSet set;
  set.append_entry(head.stamp, 0, message(entry.id, json));
  world.must_commit(set);

  const Snapshot snapshot = world.store->snapshot();
  entry.metadata.text = R"({"unreadable":"{\"order\":***}"})";
  const auto alone = snapshot.entry(head.stamp.id, 0);
  ASSERT_TRUE(alone.ok() && *alone);
  EXPECT_EQ((*alone)->json, entry_json(entry));
  std::vector<StoredEntry> seen;
  const auto walked = snapshot.for_each_entry(head.stamp.id, [&](std::uint32_t, const StoredEntry& each) {
    seen.push_back(each);
    return true;
  });
  ASSERT_TRUE(walked.ok());
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].json, entry_json(entry));
  EXPECT_EQ(world.store->usage().corrupt_reads, 2U) << "it is damage";
}

}  // namespace
}  // namespace parley::store
