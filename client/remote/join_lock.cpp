#include "client/remote/join_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace parley::client {

Expected<JoinLock> JoinLock::open(const std::filesystem::path& file) {
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0)
    return problem(ProblemKind::invalid_parameter,
                   file.string() + " cannot be opened: " + std::strerror(errno));
  return JoinLock(fd);
}

JoinLock::JoinLock(JoinLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

JoinLock& JoinLock::operator=(JoinLock&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

JoinLock::~JoinLock() {
  if (fd_ >= 0) ::close(fd_);
}

bool JoinLock::take_shared() {
  return ::flock(fd_, LOCK_SH | LOCK_NB) == 0;
}

bool JoinLock::take_exclusive() {
  return ::flock(fd_, LOCK_EX | LOCK_NB) == 0;
}

void JoinLock::release() {
  ::flock(fd_, LOCK_UN);
}

}  // namespace parley::client
