#pragma once
/// Framer: turns the bytes of one connection into requests according to strict HTTP/1 (RFC 9112, D14). Pure: uses no
/// socket and no clock. Its output depends only on the bytes received so far, never on how they were split into
/// segments (F29).
///
/// Thread: one at a time, the worker thread.
/// Invariant: a fault is final; no byte after it is read as a request.
/// Order: request line, each field line as it ends, the complete head, the body.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/protocol/chunked.hpp"
#include "http/protocol/framing_fault.hpp"
#include "http/protocol/head.hpp"
#include "http/protocol/request.hpp"

namespace parley::http {

class Framer {
 public:
  enum class State { need_more, request, fault };
  /// The part of a request that the bytes since the last request belong to; each part has its own timeout (F27).
  enum class Part { nothing, head, body };

  /// `peer`: the address that sends the requests.
  explicit Framer(std::size_t body_bytes_max, const store::Address& peer = {})
      : body_bytes_max_(body_bytes_max), chunks_(body_bytes_max) {
    request_.peer = peer;
  }

  /// Takes bytes as they arrive. While a request is current they are only buffered; the caller bounds them by not
  /// reading.
  State feed(std::string_view bytes);
  /// Drops the current request and continues with the buffered bytes. Needs: state() == request.
  State next();

  [[nodiscard]] State state() const;
  /// Needs: state() == request. Valid until feed() or next().
  [[nodiscard]] const Request& request() const { return request_; }
  /// Whether the client ends the connection with this request. Needs: state() == request.
  [[nodiscard]] bool wants_close() const { return framing_.close; }
  /// Needs: state() == fault.
  [[nodiscard]] const FramingFault& fault() const { return *fault_; }

  [[nodiscard]] Part part() const;
  [[nodiscard]] std::size_t body_bytes_received() const;
  /// True if the head of a request is complete, its body is not, and use_body() has not been called for it.
  [[nodiscard]] bool awaits_body_use() const { return phase_ == Phase::body && !is_use_known_; }
  /// Needs: awaits_body_use(). Valid until feed() or use_body(); has no body.
  [[nodiscard]] const Request& head() const { return request_; }
  /// Adds to the fault what the received part of the head reveals about its request.
  void describe(FramingFault& fault) const;
  /// Needs: awaits_body_use().
  void use_body(BodyUse use);
  /// The memory used by the received part of the current body.
  [[nodiscard]] std::size_t body_bytes_kept() const;
  /// Releases the buffers: no further byte will be read.
  void end();
  /// Returns true once for a request whose client waits for `100 Continue` before it sends the body.
  [[nodiscard]] bool take_continue();

 private:
  enum class Phase { request_line, fields, body, complete, failed, ended };
  /// A range of the buffer, because views would dangle when the buffer grows.
  struct Extent {
    std::size_t at = 0;
    std::size_t size = 0;
  };

  State read_on();
  void make_room(std::size_t bytes);
  [[nodiscard]] std::optional<std::string_view> take_line();
  [[nodiscard]] std::size_t line_bytes_max() const;
  void on_line_too_long();
  void on_request_line(std::string_view line);
  void on_field_line(std::string_view line);
  void on_head();
  void on_body_bytes();
  void on_dropped_bytes();
  void cut_body();
  void complete(std::string_view body);
  void set_views();
  [[nodiscard]] std::string last_field(std::string_view wanted) const;
  void fail(FramingFault fault);
  [[nodiscard]] Extent extent_of(std::string_view view) const;
  [[nodiscard]] std::string_view view_of(Extent extent) const;

  std::size_t body_bytes_max_;
  std::string buffer_;
  std::size_t cursor_ = 0;   ///< first unread byte of a line, of the body, or of the next request
  std::size_t scanned_ = 0;  ///< no line feed between cursor_ and this position
  Phase phase_ = Phase::request_line;
  std::size_t empty_lines_ = 0;
  std::size_t field_block_bytes_ = 0;
  Extent method_;
  Extent target_;
  std::vector<std::pair<Extent, Extent>> fields_;
  Framing framing_;
  bool continue_owed_ = false;
  bool is_use_known_ = false;
  bool is_dropping_ = false;
  bool is_last_ = false;           ///< no request can be found after a body that was cut off
  std::size_t dropped_bytes_ = 0;  ///< bytes of the body that were discarded
  ChunkDecoder chunks_;
  std::string chunked_body_;
  Request request_;
  std::optional<FramingFault> fault_;
};

}  // namespace parley::http
