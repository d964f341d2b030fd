// Which codings of an answer are taken, and what is said of the others (RFC 9110 5.6.1.2 and 8.4, RFC 9112 6.1).

#include "outbound/answer_head.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace parley::outbound {
namespace {

std::string fault_in(const std::vector<std::string>& lines) {
  AnswerHead head;
  std::string fault;
  for (const std::string& line : lines) {
    if (const auto found = head.take(line + "\r\n"); found && fault.empty()) fault = *found;
  }
  return fault;
}

TEST(AnswerHead, takes_codings_that_are_none_or_were_asked_for) {
  for (const std::string line :
       {"Content-Encoding: gzip", "content-encoding:X-GZIP ,", "Content-Encoding: none",
        "Content-Encoding: identity, gzip, None", "Content-Encoding:", "Transfer-Encoding: chunked,",
        "Transfer-Encoding: ,\tChunked , chunked", "Transfer-Encoding: identity", "Transfer-Encoding:"}) {
    EXPECT_EQ(fault_in({"HTTP/1.1 200 OK", line, ""}), "") << line;
  }
  EXPECT_EQ(fault_in({"HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked", ""}),
            "");
}

TEST(AnswerHead, names_a_coding_that_it_does_not_know) {
  struct Row {
    std::string line, fault;
  };
  for (const Row& row : std::vector<Row>{
           {"Content-Encoding: utf-8", "has the content coding utf-8, which is neither gzip nor identity"},
           {"Content-Encoding: gzip, BR", "has the content coding br, which is neither gzip nor identity"},
           {"Content-Encoding: deflate",
            "has the content coding deflate, which is neither gzip nor identity"},
           {"Content-Encoding: gzip, gzip", "is packed more than once"},
           {"Transfer-Encoding: gzip, chunked",
            "has the transfer coding gzip, which is neither chunked nor identity"},
           {"Transfer-Encoding: chunked, x",
            "has the transfer coding x, which is neither chunked nor identity"},
       }) {
    EXPECT_EQ(fault_in({"HTTP/1.1 200 OK", row.line, ""}), row.fault) << row.line;
  }
}

// libcurl reads to the end of the connection there, whatever the length says (RFC 9112 6.3).
TEST(AnswerHead, tells_a_length_that_a_transfer_coding_of_none_hides) {
  const auto hidden = [](const std::vector<std::string>& lines) {
    AnswerHead head;
    EXPECT_EQ(head.take("HTTP/1.1 200 OK\r\n"), std::nullopt);
    for (const std::string& line : lines) EXPECT_EQ(head.take(line + "\r\n"), std::nullopt) << line;
    return head.hidden_length();
  };
  for (const std::string line :
       {"Transfer-Encoding: identity", "transfer-encoding:", "Transfer-Encoding: None,"}) {
    EXPECT_EQ(hidden({line, "Content-Length: 7"}), 7U) << line;
    EXPECT_EQ(hidden({"Content-Length: 7", line}), 7U) << line;
    EXPECT_EQ(hidden({line}), std::nullopt) << line;
    EXPECT_EQ(hidden({line, "Transfer-Encoding: chunked", "Content-Length: 7"}), std::nullopt) << line;
  }
  EXPECT_EQ(hidden({"Content-Length: 7"}), std::nullopt);
  EXPECT_EQ(hidden({"Transfer-Encoding:", "Content-Length: 99999999999999999999999"}),
            std::numeric_limits<std::uint64_t>::max());
}

// A peer may put what it was sent there, and nobody masks this (I67).
TEST(AnswerHead, repeats_no_word_of_a_peer_that_could_be_a_secret_I67) {
  for (const std::string coding : {"sk-abcdef", "abcdef", "a b", "\x01", "a;q=1", "caf\xc3\xa9"}) {
    EXPECT_EQ(fault_in({"HTTP/1.1 200 OK", "Content-Encoding: " + coding, ""}),
              "has a content coding that is neither gzip nor identity");
    EXPECT_EQ(fault_in({"HTTP/1.1 200 OK", "Transfer-Encoding: " + coding, ""}),
              "has a transfer coding that is neither chunked nor identity");
  }
}

}  // namespace
}  // namespace parley::outbound
