#pragma once
/// `.parley/joined.lock`. Commands that joined the local server of another command hold it shared, so that the owner
/// of the server waits for them before it ends the server. The kernel releases the lock when a process ends. One
/// thread.

#include <filesystem>

#include "model/expected.hpp"

namespace parley::client {

class JoinLock {
 public:
  /// Opens the file without locking it. Problem: the file system refuses.
  [[nodiscard]] static Expected<JoinLock> open(const std::filesystem::path& file);
  JoinLock(JoinLock&& other) noexcept;
  JoinLock& operator=(JoinLock&& other) noexcept;
  ~JoinLock();

  /// For a command that joins a server. Returns false if the server is ending.
  [[nodiscard]] bool take_shared();
  /// For the command that ends its server. Returns false if another command uses the server.
  [[nodiscard]] bool take_exclusive();
  void release();

 private:
  explicit JoinLock(int fd) : fd_(fd) {}

  int fd_;
};

}  // namespace parley::client
