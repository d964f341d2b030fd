#pragma once
/// Runs a command with pipes, in a separate process group. Every wait has a deadline and serves all descriptors, so
/// that a child that prints without reading cannot block. Thread: one at a time.

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/expected.hpp"

namespace parley::client {

struct ChildOptions {
  std::vector<std::string> command;
  std::filesystem::path cwd;                             ///< empty: the working directory of this process
  std::vector<std::string> environment;                  ///< `NAME=value`
  const std::atomic<bool>* stop = nullptr;               ///< ends every wait
  std::function<void(std::string_view line)> on_stderr;  ///< called for each line; null: lines are discarded
};

class ChildProcess {
 public:
  using Time = std::chrono::steady_clock::time_point;
  enum class Wait : std::uint8_t { done, ended, timeout, too_long, stopped };

  ChildProcess() = default;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Kills the group.
  ~ChildProcess();

  /// Problem: the command cannot be started. The text has the system's reason.
  [[nodiscard]] Expected<Done> start(const ChildOptions& options);
  [[nodiscard]] bool is_started() const { return pid_ > 0; }

  /// Queues text for standard input. It is written during the waits.
  void write(std::string_view text) { outgoing_.append(text); }
  void close_input();
  /// Waits for a line of standard output. `ended`: the process ended, or closed its output, before a line was
  /// complete.
  [[nodiscard]] Wait read_line(Time deadline, std::size_t bytes_max, std::string& line);
  /// Reads what has arrived, without waiting. Returns whether there is unread output that is not blank.
  [[nodiscard]] bool has_output();
  /// Waits for the end of the process; `output` is its whole output. Needs: close_input().
  [[nodiscard]] Wait read_to_end(Time deadline, std::size_t bytes_max, std::string& output);
  /// Closes standard input and waits, then sends SIGTERM and finally SIGKILL to the group. Returns the output that
  /// nothing has read, at most 128 KiB.
  std::string end(std::chrono::milliseconds for_input, std::chrono::milliseconds for_term);
  /// Sends SIGKILL to the group and waits for the process.
  void kill();

  /// `exited 1` or `was ended by signal 9`; empty while the process runs.
  [[nodiscard]] std::string ending() const;
  [[nodiscard]] bool has_failed() const { return has_ended_ && status_ != 0; }
  /// The last 64 KB of standard error.
  [[nodiscard]] const std::string& errors() const { return errors_; }

 private:
  /// Serves the descriptors once, for at most `ms`.
  void serve(int ms);
  void take_output();
  void take_errors();
  void give_input();
  void note_end();
  /// Gives a process that closed its output time to exit, so that its exit code can be reported.
  void await_end();
  void reap();
  [[nodiscard]] bool is_stopped() const;
  [[nodiscard]] int ms_until(Time deadline) const;

  int pid_ = -1;
  int pid_fd_ = -1;
  int input_ = -1;
  int output_ = -1;
  int errors_fd_ = -1;
  bool has_ended_ = false;
  bool closes_input_ = false;
  int status_ = 0;  ///< in the format of waitpid
  std::string outgoing_;
  std::string incoming_;
  std::string errors_;
  std::string error_line_;
  const std::atomic<bool>* stop_ = nullptr;
  std::function<void(std::string_view)> on_stderr_;
};

}  // namespace parley::client
