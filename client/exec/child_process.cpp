#include "client/exec/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "client/remote/stop_request.hpp"

namespace parley::client {
namespace {

constexpr std::size_t errors_bytes_max = 64 << 10;
constexpr std::size_t rest_bytes_max = 64 << 10;
constexpr int slice_ms = 100;  ///< how soon a request to stop is noticed
/// A process that closed its output usually exits soon. This is the wait for its exit code and last output.
constexpr std::chrono::milliseconds exit_grace{500};
/// Read at most this many bytes per call of serve(), so that a child that prints endlessly cannot block it.
constexpr std::size_t piece_bytes = 64 << 10;

struct Pipe {
  int read = -1;
  int write = -1;
};

bool open_pipe(Pipe& pipe) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  pipe = {ends[0], ends[1]};
  return true;
}

void close_fd(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

void set_nonblocking(int fd) {
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
}

std::vector<char*> pointers_of(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& each : texts)
    pointers.push_back(const_cast<char*>(each.c_str()));  // NOLINT: posix_spawn takes char*
  pointers.push_back(nullptr);
  return pointers;
}

/// Puts the child in its own process group, with default signal handlers and no blocked signals.
void prepare(posix_spawnattr_t& attributes) {
  ::posix_spawnattr_init(&attributes);
  sigset_t none;
  ::sigemptyset(&none);
  sigset_t all;
  ::sigfillset(&all);
  ::sigdelset(&all, SIGKILL);
  ::sigdelset(&all, SIGSTOP);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

}  // namespace

ChildProcess::~ChildProcess() {
  kill();
  close_fd(input_);
  close_fd(output_);
  close_fd(errors_fd_);
  close_fd(pid_fd_);
}

Expected<Done> ChildProcess::start(const ChildOptions& options) {
  Pipe in;
  Pipe out;
  Pipe err;
  std::error_code unknown;
  if (!options.cwd.empty() && !std::filesystem::is_directory(options.cwd, unknown))
    return problem(ProblemKind::invalid_body, "there is no folder " + options.cwd.string() + " (\"cwd\")");
  const auto refused = [&](int error) {
    for (int* fd : {&in.read, &in.write, &out.read, &out.write, &err.read, &err.write}) close_fd(*fd);
    return problem(ProblemKind::invalid_body,
                   "the command " + options.command.front() + " cannot be started: " + std::strerror(error));
  };
  if (!open_pipe(in) || !open_pipe(out) || !open_pipe(err)) return refused(errno);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in.read, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out.write, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.write, STDERR_FILENO);
  if (!options.cwd.empty()) ::posix_spawn_file_actions_addchdir_np(&actions, options.cwd.c_str());
  posix_spawnattr_t attributes;
  prepare(attributes);
  std::vector<char*> arguments = pointers_of(options.command);
  std::vector<char*> environment = pointers_of(options.environment);
  pid_t pid = -1;
  const int error =
      ::posix_spawnp(&pid, arguments.front(), &actions, &attributes, arguments.data(), environment.data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) return refused(error);
  close_fd(in.read);
  close_fd(out.write);
  close_fd(err.write);
  pid_ = pid;
  note_process_group(pid);
  pid_fd_ = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  input_ = in.write;
  output_ = out.read;
  errors_fd_ = err.read;
  for (const int fd : {input_, output_, errors_fd_}) set_nonblocking(fd);
  stop_ = options.stop;
  on_stderr_ = options.on_stderr;
  return Done{};
}

bool ChildProcess::is_stopped() const {
  return stop_ != nullptr && stop_->load();
}

int ChildProcess::ms_until(Time deadline) const {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now())
          .count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, slice_ms));
}

void ChildProcess::close_input() {
  closes_input_ = true;
  if (outgoing_.empty()) close_fd(input_);
}

void ChildProcess::give_input() {
  while (!outgoing_.empty() && input_ >= 0) {
    const ssize_t count = ::write(input_, outgoing_.data(), outgoing_.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) {  // the child closed its input
      outgoing_.clear();
      close_fd(input_);
      return;
    }
    outgoing_.erase(0, static_cast<std::size_t>(count));
  }
  if (closes_input_) close_fd(input_);
}

void ChildProcess::take_output() {
  std::array<char, piece_bytes> piece{};
  const ssize_t count = ::read(output_, piece.data(), piece.size());
  if (count > 0) {
    incoming_.append(piece.data(), static_cast<std::size_t>(count));
  } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
    close_fd(output_);
  }
}

void ChildProcess::take_errors() {
  std::array<char, piece_bytes> piece{};
  const ssize_t count = ::read(errors_fd_, piece.data(), piece.size());
  if (count <= 0) {
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) close_fd(errors_fd_);
    return;
  }
  const std::string_view text(piece.data(), static_cast<std::size_t>(count));
  errors_.append(text);
  if (errors_.size() > errors_bytes_max) errors_.erase(0, errors_.size() - errors_bytes_max);
  if (!on_stderr_) return;
  error_line_.append(text);
  for (std::size_t end = error_line_.find('\n'); end != std::string::npos; end = error_line_.find('\n')) {
    on_stderr_(std::string_view(error_line_).substr(0, end));
    error_line_.erase(0, end + 1);
  }
  if (error_line_.size() > errors_bytes_max) error_line_.clear();
}

void ChildProcess::note_end() {
  if (has_ended_ || pid_ <= 0) return;
  // The process is reaped only after its group was killed. Until then no other process can get its id.
  siginfo_t found{};
  if (::waitid(P_PID, static_cast<id_t>(pid_), &found, WEXITED | WNOHANG | WNOWAIT) != 0 || found.si_pid == 0)
    return;
  has_ended_ = true;
  status_ = found.si_code == CLD_EXITED ? (found.si_status & 0xff) << 8 : found.si_status;
}

void ChildProcess::serve(int ms) {
  std::array<pollfd, 4> fds{
      {{input_, POLLOUT, 0}, {output_, POLLIN, 0}, {errors_fd_, POLLIN, 0}, {pid_fd_, POLLIN, 0}}};
  if (outgoing_.empty()) fds[0].fd = -1;
  if (has_ended_) fds[3].fd = -1;
  if (::poll(fds.data(), fds.size(), ms) <= 0) return;
  if (fds[0].revents != 0) give_input();
  if (fds[1].revents != 0) take_output();
  if (fds[2].revents != 0) take_errors();
  if (fds[3].revents != 0) note_end();
}

ChildProcess::Wait ChildProcess::read_line(Time deadline, std::size_t bytes_max, std::string& line) {
  while (true) {
    const std::size_t end = incoming_.find('\n');
    if (end != std::string::npos && end <= bytes_max) {
      line = incoming_.substr(0, end);
      incoming_.erase(0, end + 1);
      if (line.ends_with('\r')) line.pop_back();
      return Wait::done;
    }
    if (incoming_.size() > bytes_max) return Wait::too_long;
    if (is_stopped()) return Wait::stopped;
    // A grandchild may keep the output open, so reading stops once the process has ended and its output was read.
    if (output_ < 0 || has_ended_) {
      const std::size_t before = incoming_.size();
      serve(0);
      if (incoming_.size() > before) continue;
      await_end();
      if (errors_fd_ >= 0) take_errors();
      return Wait::ended;
    }
    if (std::chrono::steady_clock::now() >= deadline) return Wait::timeout;
    serve(ms_until(deadline));
  }
}

bool ChildProcess::has_output() {
  if (output_ >= 0) serve(0);
  if (incoming_.find_first_not_of(" \t\r\n") != std::string::npos) return true;
  incoming_.clear();
  return false;
}

void ChildProcess::await_end() {
  const Time until = std::chrono::steady_clock::now() + exit_grace;
  while (!has_ended_ && std::chrono::steady_clock::now() < until && !is_stopped()) serve(ms_until(until));
}

ChildProcess::Wait ChildProcess::read_to_end(Time deadline, std::size_t bytes_max, std::string& output) {
  while (true) {
    if (incoming_.size() > bytes_max) return Wait::too_long;
    if (is_stopped()) return Wait::stopped;
    if (has_ended_) {
      const std::size_t before = incoming_.size();
      serve(0);
      if (incoming_.size() > before) continue;
      if (errors_fd_ >= 0) take_errors();
      output = std::move(incoming_);
      incoming_.clear();
      return Wait::done;
    }
    if (std::chrono::steady_clock::now() >= deadline) return Wait::timeout;
    serve(ms_until(deadline));
  }
}

std::string ChildProcess::end(std::chrono::milliseconds for_input, std::chrono::milliseconds for_term) {
  if (pid_ <= 0) return "";
  close_input();
  const auto wait_until = [&](Time deadline) {
    while (!has_ended_ && std::chrono::steady_clock::now() < deadline && !is_stopped()) {
      if (incoming_.size() > rest_bytes_max) incoming_.resize(rest_bytes_max);
      serve(ms_until(deadline));
    }
  };
  wait_until(std::chrono::steady_clock::now() + for_input);
  if (!has_ended_) {
    ::kill(-pid_, SIGTERM);
    wait_until(std::chrono::steady_clock::now() + for_term);
  }
  kill();
  if (output_ >= 0) take_output();
  return std::move(incoming_);
}

void ChildProcess::kill() {
  if (pid_ <= 0) return;
  // Even if the process has ended, processes that it started may still be alive in the group.
  ::kill(-pid_, SIGKILL);
  reap();
}

void ChildProcess::reap() {
  while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
  }
  has_ended_ = true;
  forget_process_group(pid_);
  pid_ = -1;
}

std::string ChildProcess::ending() const {
  if (!has_ended_) return "";
  if (WIFSIGNALED(status_)) return "was ended by signal " + std::to_string(WTERMSIG(status_));
  return "exited " + std::to_string(WEXITSTATUS(status_));
}

}  // namespace parley::client
