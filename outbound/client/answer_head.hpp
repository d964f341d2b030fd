#pragma once
/// AnswerHead: checks the lines of an answer's head: whether all of them arrived, whether they declare only one
/// length (F19, RFC 9110 8.6), and whether the codings were requested. libcurl checks none of this: it decodes
/// five nested codings. Owned by a transfer; used on its thread only.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::outbound {

class AnswerHead {
 public:
  /// Takes the next line, including its end, of an interim answer, of the answer or of its trailers. Returns
  /// the line's fault: a Content-Length that is not a number or differs from an earlier line; more than one
  /// content coding, or one that is not gzip; a transfer coding that is not chunked. `identity` and `none` do
  /// not count as codings. Repeats no part of the line that could be a secret.
  [[nodiscard]] std::optional<std::string> take(std::string_view line);
  /// Whether a line says that the connection ends with this answer.
  [[nodiscard]] bool closes() const { return reported_.closes; }
  /// Whether the body is compressed with gzip.
  [[nodiscard]] bool is_packed() const { return reported_.is_packed; }
  /// The Content-Length in the received part of the head; the maximum if the number is too large.
  [[nodiscard]] std::optional<std::uint64_t> length() const;
  /// The number of body bytes on the wire if libcurl ignores it: after a Transfer-Encoding that is not chunked,
  /// libcurl reads until the connection ends, even if the encoding means no coding (RFC 9112 6.3). nullopt in
  /// all other cases.
  [[nodiscard]] std::optional<std::uint64_t> hidden_length() const;
  /// Whether the received part of the head belongs to an interim answer (1xx), so that the final answer is
  /// still to come.
  [[nodiscard]] bool is_interim() const { return reported_.is_interim; }
  /// The text of the last Retry-After, without blanks; empty if the head has no such line.
  [[nodiscard]] const std::string& retry_after() const { return reported_.retry_after; }
  /// The text of the last Location, without blanks; empty if the head has no such line.
  [[nodiscard]] const std::string& location() const { return reported_.location; }
  /// Whether the body is sent in chunks.
  [[nodiscard]] bool is_chunked() const { return is_chunked_; }
  /// Whether the blank line was received.
  [[nodiscard]] bool is_whole() const { return is_whole_; }

 private:
  using Fault = std::optional<std::string>;
  void begin(std::string_view status_line);
  [[nodiscard]] Fault take_length(std::string_view value);
  [[nodiscard]] Fault take_content_codings(std::string_view value);
  [[nodiscard]] Fault take_transfer_codings(std::string_view value);
  void take_connection(std::string_view value);

  /// From the last head only: an interim answer's head is independent of the next one (RFC 9110 15.2).
  struct Reported {
    bool is_interim = false;
    bool closes = false;
    bool is_packed = false;
    std::string retry_after;
    std::string location;
    std::string length;  ///< as declared; empty if not declared
  };
  Reported reported_;
  bool has_begun_ = false;
  bool is_whole_ = false;
  // From all heads: an interim head that declares a transfer coding is wrong (RFC 9112 6.1), and libcurl
  // decides what follows.
  bool has_transfer_coding_ = false;  ///< including a coding that means no coding
  bool is_chunked_ = false;
};

}  // namespace parley::outbound
