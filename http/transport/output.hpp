#pragma once
/// Output: the one answer that a connection is sending, and how much of it the socket has accepted.
/// Thread: the worker's. Invariant: never more than one answer, so a slow reader holds no more (F27).

#include <cstddef>
#include <string>

namespace parley::http {

class Output {
 public:
  enum class Sent { all, some, none, broken };

  /// Needs: the previous output is sent.
  void set(std::string head, std::string body);
  /// Writes as much as the socket accepts. `some` or `none`: wait until it is writable.
  [[nodiscard]] Sent send(int fd);

 private:
  [[nodiscard]] std::size_t left() const { return head_.size() + body_.size() - sent_; }

  std::string head_;
  std::string body_;
  std::size_t sent_ = 0;
};

}  // namespace parley::http
