#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>

#include <cerrno>

#include "store/committer.hpp"
#include "tests/store/world.hpp"

namespace parley::store {
namespace {

using Kind = Outcome::Kind;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Committer, F10_a_full_map_refuses_and_a_larger_one_continues) {
  World world(std::uint64_t{1} << 20);
  const std::string filler(20'000, 'x');
  int stored = 0;
  Outcome last;
  for (; stored < 1'000; ++stored) {
    last = world.commit(creation(world.scenario(filler)));
    if (last.kind != Kind::committed) break;
  }
  ASSERT_GT(stored, 5);
  ASSERT_EQ(last.kind, Kind::refused);
  EXPECT_EQ(last.problem.kind, ProblemKind::store_refuses);
  EXPECT_EQ(last.problem.status(), 503);
  EXPECT_FALSE(world.store->committer().is_broken());
  EXPECT_THAT(world.differences(), IsEmpty()) << "reads go on";

  world.options.map_bytes = std::uint64_t{1} << 30;
  world.reopen();
  EXPECT_EQ(world.commit(creation(world.scenario(filler))).kind, Kind::committed);
  EXPECT_THAT(world.differences(), IsEmpty());
}

TEST(Committer, F10_in_a_nearly_full_map_the_small_sets_of_a_batch_still_go_in) {
  World world(std::uint64_t{1} << 20);
  EXPECT_THAT(
      commit_all(world, {creation(world.scenario()), creation(world.scenario(std::string(2'000'000, 'x'))),
                         creation(world.scenario())}),
      ElementsAre(Kind::committed, Kind::refused, Kind::committed));
  EXPECT_THAT(world.differences(), IsEmpty());
}

TEST(Committer, F10_a_full_map_says_what_to_do) {
  World world(std::uint64_t{1} << 20);
  const Outcome refused = world.commit(creation(world.scenario(std::string(2'000'000, 'x'))));
  EXPECT_EQ(refused.kind, Kind::refused);
  for (const char* word : {"--map-size", "DELETE", "--retention"})
    EXPECT_THAT(refused.problem.detail, HasSubstr(word));
}

TEST(Committer, F6_refuses_under_the_free_space_kept_and_recovers_by_itself) {
  World world;
  world.options.free_bytes_min = 1'000;
  world.reopen();
  std::uint64_t free = 999;
  world.store->committer().surround({.free_bytes = [&] { return free; }, .commit_error = {}});
  const Outcome refused = world.commit(creation(world.scenario()));
  EXPECT_EQ(refused.kind, Kind::refused);
  EXPECT_THAT(refused.problem.detail, HasSubstr("disk is full"));
  EXPECT_THAT(refused.problem.detail, HasSubstr("--disk-free-min"));
  EXPECT_THAT(refused.problem.detail, HasSubstr("make room"));
  free = 1'000;
  EXPECT_EQ(world.commit(creation(world.scenario())).kind, Kind::committed);
}

TEST(Committer, F6_an_impossible_reserve_refuses_on_the_real_disk) {
  World world;
  world.options.free_bytes_min = UINT64_MAX;
  world.reopen();
  EXPECT_EQ(world.commit(creation(world.scenario())).kind, Kind::refused);
}

TEST(Committer, F6_EIO_on_a_full_disk_and_ENOSPC_are_refusals) {
  World world;
  world.options.free_bytes_min = 1'000;
  world.reopen();
  for (const int error : {EIO, ENOSPC, EDQUOT}) {
    std::uint64_t free = 2'000;
    int next = error;
    world.store->committer().surround({.free_bytes = [&] { return free; },
                                       .commit_error =
                                           [&] {
                                             free = 0;
                                             return next;
                                           }});
    EXPECT_EQ(world.commit(creation(world.scenario())).kind, Kind::refused) << error;
    free = 2'000;
    next = 0;
    EXPECT_EQ(world.commit(creation(world.scenario())).kind, Kind::committed) << error;
  }
  EXPECT_THAT(world.differences(), IsEmpty());
}

TEST(Committer, F10_EIO_on_a_full_disk_is_a_refusal_even_without_a_reserve) {
  World world;
  world.options.free_bytes_min = 0;
  world.reopen();
  int next = EIO;
  world.store->committer().surround({.free_bytes = [] { return std::uint64_t{0}; },
                                     .commit_error = [&] { return std::exchange(next, 0); }});
  EXPECT_EQ(world.commit(creation(world.scenario())).kind, Kind::refused);
  EXPECT_EQ(world.commit(creation(world.scenario())).kind, Kind::committed);
}

/// The limit applies to the process, so it is set only during the test.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  rlimit before_{};
};

TEST(Committer, F10_a_file_that_may_not_grow_refuses_writes_and_allows_reads) {
  const std::string filler(20'000, 'x');
  for (const std::uint64_t reserve : {std::uint64_t{0}, std::uint64_t{100'000}}) {
    World world;
    world.options.free_bytes_min = reserve;
    world.reopen();
    const Scenario first = world.scenario();
    world.create(first);
    {
      const FileLimit limit(2'000'000 + 1'234);
      int refused = 0;
      for (int i = 0; i < 600 && refused < 20; ++i) {
        const Kind kind = world.commit(creation(world.scenario(filler))).kind;
        EXPECT_THAT(kind, AnyOf(Kind::committed, Kind::refused));
        if (kind == Kind::refused) ++refused;
      }
      EXPECT_EQ(refused, 20);
      EXPECT_TRUE(world.store->snapshot().has(RecordKind::scenario, first.stamp.id));
      EXPECT_LE(world.store->usage().disk_free_bytes, 2'000'000U);
    }
    EXPECT_EQ(world.commit(creation(world.scenario())).kind, Kind::committed) << "the limit is gone";
    EXPECT_THAT(world.differences(), IsEmpty());
  }
}

TEST(Committer, F7_any_other_failure_of_a_commit_is_final) {
  for (const int error : {EIO, EBADF, EINVAL}) {
    World world;
    const Scenario before = world.scenario();
    world.create(before);
    int next = error;
    world.store->committer().surround(
        {.free_bytes = {}, .commit_error = [&] { return std::exchange(next, 0); }});
    EXPECT_THAT(commit_all(world, {creation(world.scenario()), creation(world.scenario())}),
                ElementsAre(Kind::broken, Kind::broken));
    EXPECT_TRUE(world.store->committer().is_broken());
    EXPECT_EQ(world.commit(creation(world.scenario())).kind, Kind::broken) << "for ever";
    EXPECT_TRUE(world.store->snapshot().has(RecordKind::scenario, before.stamp.id)) << "reads go on";
    world.reopen();
    EXPECT_EQ(world.commit(creation(world.scenario())).kind, Kind::committed) << "after a restart";
  }
}

}  // namespace
}  // namespace parley::store
