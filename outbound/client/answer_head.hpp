#pragma once
/// AnswerHead: checks the lines of an answer's head: whether all of them arrived, whether the lengths that
/// they declare are one length (F19, RFC 9110 8.6), and whether the codings were requested. libcurl checks
/// none of this: it decodes five nested codings. Owned by a transfer; used on its thread only.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::outbound {

class AnswerHead {
 public:
  /// The next line with its end, of an interim answer, of the answer or of its trailers. Reports what is
  /// wrong with it: a Content-Length that is not a number or differs from an earlier line; more than one
  /// content coding, or another one than gzip; a transfer coding other than chunked. `identity` and `none` do
  /// not count as codings. Repeats no part of the line that could be a secret.
  [[nodiscard]] std::optional<std::string> take(std::string_view line);
  /// A line says that the connection ends with this answer.
  [[nodiscard]] bool closes() const { return reported_.closes; }
  /// The body is packed with gzip.
  [[nodiscard]] bool is_packed() const { return reported_.is_packed; }
  /// The Content-Length of the received part of the head; the maximum if the number is too large.
  [[nodiscard]] std::optional<std::uint64_t> length() const;
  /// The number of body bytes on the wire if libcurl does not use it: after a Transfer-Encoding that is not
  /// chunked it reads until the connection ends, even if that means no coding (RFC 9112 6.3). nullopt in all
  /// other cases.
  [[nodiscard]] std::optional<std::uint64_t> hidden_length() const;
  /// The received part of the head belongs to an interim answer (1xx): the final one is still to come.
  [[nodiscard]] bool is_interim() const { return reported_.is_interim; }
  /// The text of the last Retry-After, without blanks; empty if the head has none.
  [[nodiscard]] const std::string& retry_after() const { return reported_.retry_after; }
  /// The text of the last Location, without blanks; empty if the head has none.
  [[nodiscard]] const std::string& location() const { return reported_.location; }
  /// The body is sent in chunks.
  [[nodiscard]] bool is_chunked() const { return is_chunked_; }
  /// The blank line was received.
  [[nodiscard]] bool is_whole() const { return is_whole_; }

 private:
  using Fault = std::optional<std::string>;
  void begin(std::string_view status_line);
  [[nodiscard]] Fault take_length(std::string_view value);
  [[nodiscard]] Fault take_content_codings(std::string_view value);
  [[nodiscard]] Fault take_transfer_codings(std::string_view value);
  void take_connection(std::string_view value);

  /// From the last head: an interim answer's head is independent of the next one (RFC 9110 15.2).
  struct Reported {
    bool is_interim = false;
    bool closes = false;
    bool is_packed = false;
    std::string retry_after;
    std::string location;
    std::string length;  ///< as declared; empty if it was not declared
  };
  Reported reported_;
  bool has_begun_ = false;
  bool is_whole_ = false;
  // Of all heads: an interim one that declares a transfer coding is wrong (RFC 9112 6.1), and libcurl decides
  // what follows.
  bool has_transfer_coding_ = false;  ///< including one that means no coding
  bool is_chunked_ = false;
};

}  // namespace parley::outbound
