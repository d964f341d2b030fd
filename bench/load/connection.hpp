#pragma once
/// One keep-alive connection with one request in flight: a non-blocking socket and a parser of answers that have a
/// Content-Length. Owned by one runner's thread.

#include <cstdint>
#include <string>
#include <string_view>

namespace parley::load {

/// A complete answer; the views are valid until the next read.
struct Answer {
  int status = 0;
  std::string_view head;
  std::string_view body;
  bool closes = false;
};

class Connection {
 public:
  Connection() = default;
  ~Connection();
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&&) = delete;
  Connection(const Connection&) = delete;

  /// Connects (blocking); returns false with errno set on failure.
  [[nodiscard]] bool open(const std::string& host, std::uint16_t port);
  void close();
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  [[nodiscard]] int descriptor() const { return descriptor_; }

  /// The request to send next: the caller fills it, then calls `send`.
  [[nodiscard]] std::string& request() { return output_; }
  /// Sends as much as possible; returns false when the connection is lost.
  [[nodiscard]] bool send();

  enum class Reading : std::uint8_t { incomplete, complete, lost };
  /// Reads the available bytes. On `complete`, the answer is in `answer` and the request is done.
  [[nodiscard]] Reading read(Answer& answer);

 private:
  [[nodiscard]] Reading take(Answer& answer);

  int descriptor_ = -1;
  std::string output_;
  std::size_t sent_ = 0;
  std::string input_;
  std::size_t answered_ = 0;  ///< bytes of `input_` that belong to the last answer
  std::size_t head_bytes_ = 0;
  std::size_t body_bytes_ = 0;
};

/// The value of a header field, or empty. `name` in lower case.
[[nodiscard]] std::string_view field(std::string_view head, std::string_view name);

}  // namespace parley::load
