#pragma once
/// Output: the answer that a connection is sending, and how much of it the socket has accepted. Thread: the worker.
/// Invariant: at most one answer, so that a slow reader holds no more (F27).

#include <cstddef>
#include <string>

namespace parley::http {

class Output {
 public:
  enum class Sent { all, some, none, broken };

  /// Needs: the previous output was sent completely.
  void set(std::string head, std::string body);
  /// Writes as much as the socket accepts. After `some` or `none`, the caller must wait until the socket is writable.
  [[nodiscard]] Sent send(int fd);

 private:
  [[nodiscard]] std::size_t left() const { return head_.size() + body_.size() - sent_; }

  std::string head_;
  std::string body_;
  std::size_t sent_ = 0;
};

}  // namespace parley::http
