#pragma once
/// StreamOutput: the pieces of a streamed answer that wait for the socket. Pieces are shared by all streams that send
/// them. Thread: the worker. Bound: bounds::stream_bytes_max unsent bytes; a client that reads more slowly is
/// disconnected, and resumes from the last event that it received.

#include <cstddef>
#include <deque>
#include <memory>
#include <string>

#include "http/transport/output.hpp"

namespace parley::http {

class StreamOutput {
 public:
  /// Returns false if there is no room.
  [[nodiscard]] bool add(std::shared_ptr<const std::string> piece);
  /// Declares that no further piece follows.
  void end() { has_ended_ = true; }
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  [[nodiscard]] bool is_empty() const { return pieces_.empty(); }
  /// Writes as much as the socket accepts.
  [[nodiscard]] Output::Sent send(int fd);

 private:
  std::deque<std::shared_ptr<const std::string>> pieces_;
  std::size_t bytes_ = 0;  ///< bytes of all pieces
  std::size_t sent_ = 0;   ///< bytes of the first piece already sent
  bool has_ended_ = false;
};

}  // namespace parley::http
