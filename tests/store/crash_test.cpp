// F1, I1, I3: a child commits and reports each commit over a pipe; it is killed at a random instant; every reported
// commit is present afterwards.

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>

#include "tests/store/world.hpp"

namespace parley::store {
namespace {

constexpr int rounds = 50;
constexpr std::size_t results_a_batch = 3;

/// Commits batches until it is killed. Each batch has a run and its results. Writes the id of each run to `pipe` after
/// its batch is committed.
[[noreturn]] void commit_for_ever(const Options& options, int pipe, int round) {
  auto opened = Store::open(options);
  if (!opened) ::_exit(1);
  CountingIds ids(static_cast<std::uint64_t>(round) << 32);
  Committer& committer = opened.value()->committer();
  for (std::int64_t ms = 1;; ++ms) {
    parley::Run run;
    run.stamp.id = ids.next(Time{noon.ms + ms});
    std::vector<ChangeSet> batch(1);
    batch.front().create(run);
    for (std::size_t i = 0; i < results_a_batch; ++i) {
      ResultHead head;
      head.stamp.id = ids.next(Time{noon.ms + ms});
      head.run = Ref<RecordKind::run>{run.stamp.id};
      ChangeSet set;
      set.create(head);
      set.append_entry(head.stamp, 0, message(run.stamp.id, "{}"));
      batch.push_back(std::move(set));
    }
    for (const Outcome& outcome : committer.commit(batch)) {
      if (outcome.kind != Outcome::Kind::committed) ::_exit(2);
    }
    if (::write(pipe, run.stamp.id.bytes.data(), 16) != 16) ::_exit(3);
  }
}

/// Everything received through the pipe until the child died.
std::vector<Id> told_by(int pipe) {
  std::string bytes;
  std::array<char, 4096> part{};
  for (ssize_t got = 0; (got = ::read(pipe, part.data(), part.size())) > 0;) {
    bytes.append(part.data(), static_cast<std::size_t>(got));
  }
  std::vector<Id> ids;
  for (std::string_view rest = bytes; rest.size() >= 16; rest.remove_prefix(16)) ids.push_back(id_at(rest));
  return ids;
}

/// In an odd round, waits for a report of the child. In an even round the child may be killed while it opens the store.
void await_report(int pipe, int round) {
  if (round % 2 == 0) return;
  constexpr int patience_ms = 30'000;
  pollfd readable{pipe, POLLIN, 0};
  EXPECT_EQ(::poll(&readable, 1, patience_ms), 1) << "nothing was committed";
}

/// Lets the child live for this time; in an odd round, the time begins with its first report.
std::vector<Id> commit_and_die(const Options& options, int round, std::chrono::microseconds life) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) std::abort();
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    commit_for_ever(options, ends[1], round);
  }
  ::close(ends[1]);
  await_report(ends[0], round);
  std::this_thread::sleep_for(life);
  ::kill(child, SIGKILL);
  auto told = told_by(ends[0]);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended by itself: " << WEXITSTATUS(status);
  return told;
}

TEST(Crash, F1_every_commit_reported_before_kill_9_is_complete) {
  TemporaryDirectory home;
  Options options;
  options.directory = home.path() / "data";
  options.map_bytes = std::uint64_t{1} << 30;
  std::mt19937 random(5);
  std::size_t told = 0;
  for (int round = 0; round < rounds; ++round) {
    const auto runs = commit_and_die(options, round, std::chrono::microseconds(random() % 20'000));
    told += runs.size();
    auto opened = Store::open(options);
    ASSERT_TRUE(opened.ok()) << opened.problem().detail;
    const Snapshot snapshot = opened.value()->snapshot();
    for (const Id& run : runs) {
      ASSERT_TRUE(snapshot.has(RecordKind::run, run)) << "round " << round;
      ASSERT_EQ(snapshot.live_of_run(run).size(), results_a_batch);
      for (const Id& result : snapshot.live_of_run(run)) ASSERT_EQ(snapshot.entry_count(result), 1U);
    }
    const auto differences = recount(snapshot);
    ASSERT_TRUE(differences.ok());
    EXPECT_TRUE(differences->empty()) << "round " << round;
  }
  EXPECT_GT(told, 0U);
}

}  // namespace
}  // namespace parley::store
