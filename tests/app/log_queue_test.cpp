// The queue of the log: order, loss and its count, and nobody who waits for a reader that does not read (F46).

#include "app/log/log_queue.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

namespace parley::app {
namespace {

using namespace std::chrono_literals;

/// A pipe whose reader reads when it is told to. The writing end stays open: a queue may stand in write() for ever.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe(ends_.data()), 0); }
  ~Pipe() { ::close(ends_[0]); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int in() const { return ends_[1]; }
  /// Leaves no room; gives the bytes in it.
  std::size_t fill() {
    const int flags = ::fcntl(ends_[1], F_GETFL);
    ::fcntl(ends_[1], F_SETFL, flags | O_NONBLOCK);
    std::size_t bytes = 0;
    while (::write(ends_[1], "\n", 1) == 1) ++bytes;
    ::fcntl(ends_[1], F_SETFL, flags);
    return bytes;
  }
  /// All that is in the pipe, and what comes until `queue` is settled.
  std::string read_all(const LogQueue& queue) {
    ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
    std::string text;
    std::array<char, 65536> piece{};
    for (int last = 0; last < 2; last += queue.flush(1ms) ? 1 : 0) {
      for (ssize_t got = 1; got > 0;) {
        got = ::read(ends_[0], piece.data(), piece.size());
        if (got > 0) text.append(piece.data(), static_cast<std::size_t>(got));
      }
    }
    return text;
  }

 private:
  std::array<int, 2> ends_{};
};

std::string numbered(int number) {
  return std::to_string(number) + std::string(90, 'x') + "\n";
}

TEST(LogQueue, writes_what_was_put_in_its_order) {
  Pipe pipe;
  LogQueue queue(pipe.in());
  std::string all;
  for (int i = 0; i < 300; ++i) {
    queue.put(numbered(i));
    all += numbered(i);
  }
  EXPECT_TRUE(queue.flush(5s));
  EXPECT_TRUE(queue.has_caught_up());
  EXPECT_EQ(pipe.read_all(queue), all);
  EXPECT_EQ(queue.lost(), 0U);
}

TEST(LogQueue, drops_the_oldest_and_never_waits_where_nobody_reads_F46) {
  Pipe pipe;
  const std::size_t filler = pipe.fill();
  LogQueue queue(pipe.in(), 10'000);
  constexpr int lines = 5'000;
  for (int i = 0; i < lines; ++i) queue.put(numbered(i));
  EXPECT_FALSE(queue.flush(20ms));
  EXPECT_FALSE(queue.has_caught_up());
  const std::string seen = pipe.read_all(queue).substr(filler);
  EXPECT_TRUE(seen.ends_with(numbered(lines - 2) + numbered(lines - 1)));
  const auto written = static_cast<std::uint64_t>(std::count(seen.begin(), seen.end(), '\n'));
  EXPECT_LT(written, 200U) << "what may wait, and what the writer has in its hand";
  EXPECT_EQ(written + queue.lost(), static_cast<std::uint64_t>(lines));
  EXPECT_TRUE(queue.has_caught_up());
}

TEST(LogQueue, keeps_a_line_that_is_longer_than_all_that_may_wait) {
  Pipe pipe;
  LogQueue queue(pipe.in(), 10);
  const std::string line = std::string(9'000, 'y') + "\n";
  queue.put(line);
  EXPECT_EQ(pipe.read_all(queue), line);
}

TEST(LogQueue, counts_what_a_full_disk_takes_F46) {
  const int full = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  {
    LogQueue queue(full);
    for (int i = 0; i < 10; ++i) queue.put(numbered(i));
    EXPECT_TRUE(queue.flush(5s));
    EXPECT_EQ(queue.lost(), 10U);
    EXPECT_FALSE(queue.has_caught_up());
  }
  ::close(full);
}

TEST(LogQueue, goes_on_behind_a_descriptor_that_does_not_block) {
  Pipe pipe;
  ::fcntl(pipe.in(), F_SETFL, O_NONBLOCK);
  LogQueue queue(pipe.in());
  std::string all;
  for (int i = 0; i < 2'000; ++i) {
    queue.put(numbered(i));
    all += numbered(i);
  }
  EXPECT_EQ(pipe.read_all(queue), all);
  EXPECT_EQ(queue.lost(), 0U);
}

TEST(LogQueue, is_left_at_once_by_an_owner_whose_writer_stands_still) {
  Pipe pipe;
  std::optional<LogQueue> queue(std::in_place, pipe.in(), std::size_t{1'000'000});
  for (int i = 0; i < 2'000; ++i) queue->put(numbered(i));
  const auto begun = std::chrono::steady_clock::now();
  queue.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 1s);
}

}  // namespace
}  // namespace parley::app
