#pragma once
/// AnswerHead: what the lines of an answer's head come to: whether all of them came, whether the lengths that they tell are one
/// length (F19, RFC 9110 8.6), and whether the codings are ones that were asked for. libcurl asks none of that: it unpacks five
/// codings within each other. A transfer owns one; its thread only.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::outbound {

class AnswerHead {
 public:
  /// The next line with its end, be it of an interim answer, of the answer or of its trailers. What is wrong with it:
  /// "tells a length that is not one number", a Content-Length that is none or another one than a line before; more than one
  /// content coding, or another one than gzip; a transfer coding other than chunked. `identity` and `none` are no coding. Repeats
  /// nothing of the line that could be a secret.
  [[nodiscard]] std::optional<std::string> take(std::string_view line);
  /// A line tells that the connection ends with this answer.
  [[nodiscard]] bool closes() const { return told_.closes; }
  /// The body is packed with gzip.
  [[nodiscard]] bool is_packed() const { return told_.is_packed; }
  /// The Content-Length of the head, as far as it came; the largest number for one that no number holds.
  [[nodiscard]] std::optional<std::uint64_t> length() const;
  /// How many bytes the body has over the wire where libcurl does not go by it: behind a Transfer-Encoding that is not
  /// chunked it reads on until the connection ends, also where that means no coding (RFC 9112 6.3). nullopt in all other cases.
  [[nodiscard]] std::optional<std::uint64_t> hidden_length() const;
  /// The head, as far as it came, is that of an interim answer (1xx): the answer's own is still to come.
  [[nodiscard]] bool is_interim() const { return told_.is_interim; }
  /// The head has a Retry-After. What libcurl knows of one is an interim answer's else.
  [[nodiscard]] bool tells_wait() const { return told_.has_wait; }
  /// A Retry-After has more seconds than a number holds, of which libcurl makes none.
  [[nodiscard]] bool has_endless_wait() const { return told_.has_endless_wait; }
  /// The blank line came.
  [[nodiscard]] bool is_whole() const { return is_whole_; }

 private:
  using Fault = std::optional<std::string>;
  void begin(std::string_view status_line);
  [[nodiscard]] Fault take_length(std::string_view value);
  [[nodiscard]] Fault take_content_codings(std::string_view value);
  [[nodiscard]] Fault take_transfer_codings(std::string_view value);
  void take_retry_after(std::string_view value);
  void take_connection(std::string_view value);

  /// By the head that came last: an interim answer's says nothing of the answer behind it (RFC 9110 15.2).
  struct Told {
    bool is_interim = false;
    bool closes = false;
    bool is_packed = false;
    bool has_wait = false;
    bool has_endless_wait = false;
    std::string length;  ///< as told; empty where no line did
  };
  Told told_;
  bool is_begun_ = false;
  bool is_whole_ = false;
  // Of all heads: an interim one that tells a transfer coding is wrong (RFC 9112 6.1), and libcurl decides what comes of it.
  bool tells_transfer_coding_ = false;  ///< be it none
  bool is_chunked_ = false;
};

}  // namespace parley::outbound
