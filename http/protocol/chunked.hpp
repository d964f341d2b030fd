#pragma once
/// ChunkDecoder: reads a chunked body (RFC 9112 section 7.1) as it arrives, in pieces of any size:
///
///   body    = *(size [extensions] CRLF data CRLF) 0 [extensions] CRLF *(trailer CRLF) CRLF
///   size    = 1*16 HEXDIG          extensions = ";" and text; tolerated within a bound, ignored
///   trailer = a field line, checked and dropped
///
/// Thread: one at a time, the worker thread. Keeps at most one line.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/protocol/framing_fault.hpp"

namespace parley::http {

class ChunkDecoder {
 public:
  explicit ChunkDecoder(std::size_t body_bytes_max) : body_bytes_max_(body_bytes_max) {}

  /// Decodes from the front of `bytes`, appends data to `body` and returns the number of bytes consumed: all of them,
  /// unless the body ended or failed earlier. Problem (in `fault()`): 400 `invalid-chunk` or `invalid-field`, 413,
  /// 431.
  [[nodiscard]] std::size_t consume(std::string_view bytes, std::string& body);
  [[nodiscard]] bool is_done() const { return phase_ == Phase::done; }
  [[nodiscard]] const std::optional<FramingFault>& fault() const { return fault_; }

 private:
  enum class Phase { size, data, data_end, trailer, done };

  void step(std::string_view& rest, std::string& body);
  [[nodiscard]] bool take_line(std::string_view& rest, std::size_t bytes_max, ProblemKind kind);
  void take_data(std::string_view& rest, std::string& body);
  void take_data_end(std::string_view& rest);
  void on_size_line();
  void on_trailer();
  void fail(ProblemKind kind, std::string detail) { fault_ = framing_fault(kind, std::move(detail)); }

  std::size_t body_bytes_max_;
  std::size_t body_bytes_ = 0;  ///< decoded so far, even if the caller does not keep them
  Phase phase_ = Phase::size;
  std::string line_;  ///< the line being received; without its CRLF once it is complete
  std::uint64_t left_ = 0;
  std::size_t end_bytes_seen_ = 0;
  std::size_t extension_bytes_ = 0;
  std::size_t trailer_bytes_ = 0;
  std::size_t trailers_ = 0;
  std::optional<FramingFault> fault_;
};

}  // namespace parley::http
