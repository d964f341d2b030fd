#pragma once
/// AnswerHead: what the lines of an answer's head come to: whether all of them came, and whether the lengths that they tell
/// are one length (F19, RFC 9110 8.6). libcurl asks neither. A transfer owns one; its thread only.

#include <string>
#include <string_view>

namespace parley::outbound {

class AnswerHead {
 public:
  /// The next line with its end, be it of an interim answer, of the answer or of its trailers. False where it tells a
  /// Content-Length that is none, or another one than a line before.
  [[nodiscard]] bool take(std::string_view line);
  /// A line tells that the connection ends with this answer.
  [[nodiscard]] bool closes() const { return closes_; }
  /// The blank line came.
  [[nodiscard]] bool is_whole() const { return is_whole_; }

 private:
  [[nodiscard]] bool take_length(std::string_view value);
  [[nodiscard]] bool take_connection(std::string_view value);

  bool is_whole_ = false;
  bool closes_ = false;
  std::string length_;  ///< as told; empty where no line did
};

}  // namespace parley::outbound
