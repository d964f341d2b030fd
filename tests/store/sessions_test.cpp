#include "store/side/sessions.hpp"

#include "tests/store/world.hpp"

namespace parley::store {
namespace {

Session session_of(const Id& id, Time since) {
  return {id, "digest of the cookie", "digest of the page", id, since, since, 0};
}

TEST(Sessions, are_read_as_they_were_written) {
  World world;
  const Session session = session_of(make_id(Time{5}, {1}), Time{1'000});
  ChangeSet changes;
  put_session(changes, session);
  world.must_commit(changes);
  const auto found = find_session(world.store->snapshot(), session.id);
  ASSERT_TRUE(found.ok() && *found);
  EXPECT_EQ((*found)->cookie, session.cookie);
  EXPECT_EQ((*found)->page, session.page);
  EXPECT_EQ((*found)->since, session.since);
  EXPECT_EQ((*found)->revision, 1U);
}

TEST(Sessions, a_code_is_used_once) {
  World world;
  const SignInCode code{"digest", make_id(Time{5}, {1}), Time{9}};
  ChangeSet made;
  put_code(made, code);
  world.must_commit(made);
  ChangeSet first, second;
  use_code(first, code);
  use_code(second, code);
  world.must_commit(first);
  EXPECT_EQ(world.store->committer().commit({&second, 1}).front().kind, Outcome::Kind::conflict);
}

TEST(Sessions, are_forgotten_when_they_are_over) {
  World world;
  const Session old = session_of(make_id(Time{5}, {1}), Time{0});
  const Session kept = session_of(make_id(Time{5}, {2}), Time{session_idle_ms});
  ChangeSet made;
  put_session(made, old);
  put_session(made, kept);
  put_code(made, {"digest", old.id, Time{9}});
  world.must_commit(made);
  ChangeSet swept;
  EXPECT_EQ(forget_ended_sessions(world.store->snapshot(), Time{session_idle_ms}, 100, swept), 2U);
  world.must_commit(swept);
  EXPECT_FALSE(*find_session(world.store->snapshot(), old.id));
  EXPECT_TRUE(*find_session(world.store->snapshot(), kept.id));
  ChangeSet ended;
  EXPECT_EQ(end_sessions(
                world.store->snapshot(), [&](const Session& each) { return each.id == kept.id; }, 9, ended),
            1U);
}

}  // namespace
}  // namespace parley::store
