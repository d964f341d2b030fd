// The asynchronous log: order, lost lines and their count; no caller is blocked by a stalled reader (F46).

#include "app/log/async_log.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spdlog/pattern_formatter.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

namespace parley::app {
namespace {

using namespace std::chrono_literals;

/// A pipe that the test reads on request.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe(ends_.data()), 0); }
  ~Pipe() {
    for (const int end : ends_) ::close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int in() const { return ends_[1]; }
  /// Fills the pipe; returns the number of bytes in it.
  std::size_t fill() {
    const int flags = ::fcntl(ends_[1], F_GETFL);
    ::fcntl(ends_[1], F_SETFL, flags | O_NONBLOCK);
    std::size_t bytes = 0;
    while (::write(ends_[1], "\n", 1) == 1) ++bytes;
    ::fcntl(ends_[1], F_SETFL, flags);
    return bytes;
  }
  /// Reads the pipe until every line of `log` is settled; returns the content.
  std::string read_all(const AsyncLog& log) {
    ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
    std::string text;
    std::array<char, 65536> piece{};
    for (int last = 0; last < 2; last += log.flush(1ms) ? 1 : 0) {
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
  return std::to_string(number) + std::string(90, 'x');
}

std::unique_ptr<spdlog::formatter> plain() {
  return std::make_unique<spdlog::pattern_formatter>("%v");
}

TEST(AsyncLog, writes_lines_in_their_order) {
  Pipe pipe;
  AsyncLog log(pipe.in(), plain());
  std::string all;
  for (int i = 0; i < 300; ++i) {
    log.logger()->info(numbered(i));
    all += numbered(i) + "\n";
  }
  EXPECT_TRUE(log.flush(5s));
  EXPECT_EQ(pipe.read_all(log), all);
  EXPECT_EQ(log.lost(), 0U);
}

TEST(AsyncLog, drops_the_oldest_lines_and_never_waits_for_a_reader_F46) {
  Pipe pipe;
  const std::size_t filler = pipe.fill();
  AsyncLog log(pipe.in(), plain(), 100);
  constexpr int lines = 5'000;
  for (int i = 0; i < lines; ++i) log.logger()->info(numbered(i));
  EXPECT_FALSE(log.flush(20ms));
  std::string seen = pipe.read_all(log).substr(filler);
  EXPECT_TRUE(seen.ends_with(numbered(lines - 2) + "\n" + numbered(lines - 1) + "\n"));
  const auto written = static_cast<std::uint64_t>(std::count(seen.begin(), seen.end(), '\n'));
  EXPECT_LT(written, 200U) << "the queue and the writer's buffer";
  EXPECT_EQ(written + log.lost(), static_cast<std::uint64_t>(lines));
  log.logger()->info("after");
  seen = pipe.read_all(log);
  EXPECT_TRUE(seen.ends_with("after\n")) << seen;
  EXPECT_EQ(seen, "log lines lost lines=" + std::to_string(log.lost()) + "\nafter\n");
}

TEST(AsyncLog, writes_a_line_longer_than_a_pipe_takes_in_one_piece) {
  Pipe pipe;
  AsyncLog log(pipe.in(), plain());
  const std::string line(9'000, 'y');
  log.logger()->info(line);
  log.logger()->info("next");
  EXPECT_EQ(pipe.read_all(log), line + "\nnext\n");
}

TEST(AsyncLog, counts_lines_that_a_full_disk_refuses_F46) {
  const int full = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  {
    AsyncLog log(full, plain());
    for (int i = 0; i < 10; ++i) log.logger()->info(numbered(i));
    EXPECT_TRUE(log.flush(5s));
    EXPECT_EQ(log.lost(), 10U);
  }
  ::close(full);
}

TEST(AsyncLog, waits_for_a_descriptor_that_does_not_block) {
  Pipe pipe;
  ::fcntl(pipe.in(), F_SETFL, O_NONBLOCK);
  AsyncLog log(pipe.in(), plain());
  std::string all;
  for (int i = 0; i < 2'000; ++i) {
    log.logger()->info(numbered(i));
    all += numbered(i) + "\n";
  }
  EXPECT_EQ(pipe.read_all(log), all);
  EXPECT_EQ(log.lost(), 0U);
}

TEST(AsyncLog, writes_waiting_lines_before_it_is_destroyed) {
  Pipe pipe;
  std::string all;
  {
    AsyncLog log(pipe.in(), plain());
    for (int i = 0; i < 300; ++i) {
      log.logger()->info(numbered(i));
      all += numbered(i) + "\n";
    }
  }
  AsyncLog empty(pipe.in(), plain());
  EXPECT_EQ(pipe.read_all(empty), all);
}

}  // namespace
}  // namespace parley::app
