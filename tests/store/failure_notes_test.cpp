#include "store/side/failure_notes.hpp"

#include "store/audit/audit.hpp"
#include "store/side/labels.hpp"
#include "tests/store/world.hpp"

namespace parley::store {
namespace {

const FailureGroup group{make_id(Time{5}, {1}), "9f2c00000000000a"};

class FailureNotes : public ::testing::Test {
 protected:
  Outcome::Kind put(const FailureGroup& of, const std::string& note) {
    ChangeSet changes;
    EXPECT_TRUE(put_failure_note(changes, world.store->snapshot(), of, note).ok());
    return world.store->committer().commit({&changes, 1}).front().kind;
  }
  std::optional<std::string> note_of(const FailureGroup& of) {
    auto found = find_failure_note(world.store->snapshot(), of);
    EXPECT_TRUE(found.ok());
    return found.ok() ? *found : std::nullopt;
  }

  World world;
};

TEST_F(FailureNotes, survive_a_restart_until_they_are_removed) {
  EXPECT_EQ(note_of(group), std::nullopt);
  EXPECT_EQ(put(group, "known"), Outcome::Kind::committed);
  EXPECT_EQ(put(group, "known, see #12"), Outcome::Kind::committed);
  world.reopen();
  EXPECT_EQ(note_of(group), "known, see #12");
  EXPECT_EQ(put(group, ""), Outcome::Kind::committed);
  EXPECT_EQ(note_of(group), std::nullopt);
  EXPECT_EQ(put(group, "again"), Outcome::Kind::committed);
  EXPECT_EQ(note_of(group), "again");
}

TEST_F(FailureNotes, belong_to_one_signature_of_one_scenario) {
  put(group, "known");
  EXPECT_EQ(note_of({group.scenario, "9f2c00000000000b"}), std::nullopt);
  EXPECT_EQ(note_of({make_id(Time{5}, {2}), group.signature}), std::nullopt);
  for (const std::string text : {"", "9f2c", "9f2c00000000000a0", "9f2c00000000000x", " f2c00000000000a"})
    EXPECT_EQ(note_of({group.scenario, text}), std::nullopt) << text;
}

TEST_F(FailureNotes, change_nothing_when_they_are_equal) {
  put(group, "known");
  for (const auto& [of, note] :
       {std::pair(group, "known"), std::pair(FailureGroup{group.scenario, "0000000000000000"}, "")}) {
    ChangeSet changes;
    ASSERT_TRUE(put_failure_note(changes, world.store->snapshot(), of, note).ok());
    EXPECT_TRUE(changes.writes.empty()) << of.signature;
  }
}

TEST_F(FailureNotes, of_two_writers_one_decides_again) {
  ChangeSet first, second;
  ASSERT_TRUE(put_failure_note(first, world.store->snapshot(), group, "mine").ok());
  ASSERT_TRUE(put_failure_note(second, world.store->snapshot(), group, "theirs").ok());
  world.must_commit(first);
  EXPECT_EQ(world.store->committer().commit({&second, 1}).front().kind, Outcome::Kind::conflict);
  EXPECT_EQ(note_of(group), "mine");
}

TEST_F(FailureNotes, are_no_labels_and_are_audited_as_they_are) {
  put(group, "known");
  ChangeSet changes;
  put_label(changes, {make_id(Time{6}, {1}), group.scenario, "", make_id(Time{6}, {2}), "passed", "", {}});
  world.must_commit(changes);
  EXPECT_EQ(labels_of(world.store->snapshot(), std::nullopt).size(), 1U);
  EXPECT_EQ(labels_of(world.store->snapshot(), group.scenario).size(), 1U);
  EXPECT_TRUE(is_audited(TableId::labels));
}

}  // namespace
}  // namespace parley::store
