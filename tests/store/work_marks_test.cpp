// The results that a process was working on when it ended (I10, ADR 10).

#include "store/side/work_marks.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "tests/store/world.hpp"

namespace parley::store {
namespace {

std::unique_ptr<WorkMarks> opened_marks(const TemporaryDirectory& home) {
  auto marks = WorkMarks::open(home.path());
  if (!marks) ADD_FAILURE() << marks.problem().detail;
  return std::move(marks).value();
}

TEST(WorkMarks, do_not_exist_in_a_new_directory) {
  const TemporaryDirectory home;
  EXPECT_EQ(opened_marks(home)->left(), std::vector<Id>{});
}

TEST(WorkMarks, are_cleared_when_the_work_is_done) {
  const TemporaryDirectory home;
  CountingIds ids;
  {
    const auto marks = opened_marks(home);
    const auto mark = marks->mark(ids.next(noon));
  }
  EXPECT_EQ(opened_marks(home)->left(), std::vector<Id>{});
}

TEST(WorkMarks, name_the_work_of_a_killed_process_I10) {
  const TemporaryDirectory home;
  CountingIds ids;
  const Id done = ids.next(noon);
  const Id under_way = ids.next(noon);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto marks = opened_marks(home);
    { const auto mark = marks->mark(done); }
    const auto mark = marks->mark(under_way);
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(opened_marks(home)->left(), std::vector<Id>{under_way});
}

TEST(WorkMarks, distinguish_a_stopped_process_from_a_crashed_one_D51a) {
  const TemporaryDirectory home;
  EXPECT_FALSE(opened_marks(home)->was_stopped());
  {
    const auto marks = opened_marks(home);
    marks->settle();
    marks->stop();
  }
  EXPECT_TRUE(opened_marks(home)->was_stopped());
  EXPECT_TRUE(opened_marks(home)->was_stopped()) << "until recovery has dealt with it";
  opened_marks(home)->settle();
  EXPECT_FALSE(opened_marks(home)->was_stopped());
}

TEST(WorkMarks, stay_until_they_are_settled_under_one_number_I5) {
  const TemporaryDirectory home;
  CountingIds ids;
  const Id result = ids.next(noon);
  static_cast<void>(opened_marks(home));
  leave_mark(home.path(), result);
  const std::int64_t process = opened_marks(home)->process();
  const auto again = opened_marks(home);
  EXPECT_EQ(again->left(), std::vector<Id>{result});
  EXPECT_EQ(again->process(), process);
  again->settle();
  EXPECT_EQ(opened_marks(home)->left(), std::vector<Id>{});
  EXPECT_NE(opened_marks(home)->process(), process);
}

TEST(WorkMarks, of_many_threads_are_independent) {
  const TemporaryDirectory home;
  CountingIds ids;
  const Id result = ids.next(noon);
  const auto marks = opened_marks(home);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 10'000; ++round) const auto mark = marks->mark(result);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(opened_marks(home)->left(), std::vector<Id>{});
}

TEST(WorkMarks, beyond_the_slots_have_no_effect) {
  const TemporaryDirectory home;
  CountingIds ids;
  const auto marks = opened_marks(home);
  std::vector<WorkMarks::Mark> held;
  for (int i = 0; i < 300; ++i) held.push_back(marks->mark(ids.next(noon)));
  EXPECT_EQ(opened_marks(home)->left().size(), 255U);
}

TEST(WorkMarks, in_a_foreign_file_are_ignored) {
  const TemporaryDirectory home;
  std::ofstream(home.path() / "working") << std::string(40'000, '\2');
  EXPECT_EQ(opened_marks(home)->left(), std::vector<Id>{});
}

}  // namespace
}  // namespace parley::store
