#include "app/log/log_queue.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string_view>
#include <thread>

namespace parley::app {
namespace {

/// Writes until all is written or the descriptor fails; the bytes that were written.
std::size_t write_on(int descriptor, std::string_view text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const auto some = ::write(descriptor, text.data() + written, text.size() - written);
    if (some > 0) {
      written += static_cast<std::size_t>(some);
    } else if (some < 0 && errno == EAGAIN) {
      // Whoever shares the descriptor has made it one that does not block.
      pollfd room{descriptor, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else if (some == 0 || errno != EINTR) {
      break;
    }
  }
  return written;
}

std::uint64_t lines_in(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Blocks every signal for a thread that is begun meanwhile: those that end the server are for its main thread.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

struct LogQueue::Shared {
  Shared(int to, std::size_t bytes_max) : descriptor(to), bytes_waiting_max(bytes_max) {}

  /// Some of the oldest lines, as many as a pipe takes in one piece, so that they stay whole beside those of other processes.
  /// Needs: the lock, and a line.
  std::string take() {
    std::string text;
    do {
      text += lines.front();
      bytes_waiting -= lines.front().size();
      lines.pop_front();
      ++taken;
    } while (!lines.empty() && text.size() + lines.front().size() <= PIPE_BUF);
    return text;
  }
  /// Needs: the lock.
  void make_room_for(std::size_t bytes) {
    while (!lines.empty() && bytes_waiting + bytes > bytes_waiting_max) {
      bytes_waiting -= lines.front().size();
      lines.pop_front();
      ++taken;
      lost.fetch_add(1, std::memory_order_relaxed);
    }
  }

  const int descriptor;
  const std::size_t bytes_waiting_max;

  std::mutex mutex;  ///< never held while anything is written
  std::condition_variable arrived;
  std::deque<std::string> lines;
  std::size_t bytes_waiting = 0;
  std::uint64_t taken = 0;  ///< lines that have left the queue
  bool is_over = false;

  std::atomic<std::uint64_t> put{0};      ///< lines that came in
  std::atomic<std::uint64_t> settled{0};  ///< of these, from the first on: written or lost
  std::atomic<std::uint64_t> lost{0};
  std::atomic<bool> is_failing{false};  ///< the last write() failed
};

LogQueue::LogQueue(int descriptor, std::size_t bytes_waiting_max)
    : shared_(std::make_shared<Shared>(descriptor, bytes_waiting_max)) {
  const NoSignals blocked;
  std::thread([shared = shared_] { write_lines(shared); }).detach();
}

LogQueue::~LogQueue() {
  const std::lock_guard lock(shared_->mutex);
  shared_->is_over = true;
  shared_->arrived.notify_one();
}

void LogQueue::put(std::string line) {
  const std::lock_guard lock(shared_->mutex);
  shared_->make_room_for(line.size());
  shared_->bytes_waiting += line.size();
  shared_->lines.push_back(std::move(line));
  shared_->put.fetch_add(1, std::memory_order_release);
  shared_->arrived.notify_one();
}

void LogQueue::write_lines(const std::shared_ptr<Shared>& shared) {
  bool is_line_cut = false;
  std::unique_lock lock(shared->mutex);
  for (;;) {
    shared->arrived.wait(lock, [&] { return !shared->lines.empty() || shared->is_over; });
    if (shared->lines.empty()) return;
    const std::string text = shared->take();
    const std::uint64_t up_to = shared->taken;
    lock.unlock();
    if (is_line_cut) is_line_cut = write_on(shared->descriptor, "\n") == 0;
    const std::size_t written = write_on(shared->descriptor, text);
    const std::string_view rest = std::string_view(text).substr(written);
    shared->lost.fetch_add(lines_in(rest), std::memory_order_relaxed);
    shared->is_failing.store(!rest.empty(), std::memory_order_relaxed);
    if (written > 0) is_line_cut = text[written - 1] != '\n';
    shared->settled.store(up_to, std::memory_order_release);
    lock.lock();
  }
}

bool LogQueue::flush(std::chrono::milliseconds at_most) const noexcept {
  const std::uint64_t wanted = shared_->put.load(std::memory_order_acquire);
  for (auto waited = 0; shared_->settled.load(std::memory_order_acquire) < wanted; ++waited) {
    if (waited >= at_most.count()) return false;
    ::poll(nullptr, 0, 1);
  }
  return true;
}

std::uint64_t LogQueue::lost() const noexcept {
  return shared_->lost.load(std::memory_order_relaxed);
}

bool LogQueue::has_caught_up() const noexcept {
  return shared_->settled.load(std::memory_order_acquire) == shared_->put.load(std::memory_order_acquire) &&
         !shared_->is_failing.load(std::memory_order_relaxed);
}

}  // namespace parley::app
