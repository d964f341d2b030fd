// Which codings of an answer are accepted, and how other codings are reported (RFC 9110 5.6.1.2 and 8.4, RFC 9112 6.1).

#include "outbound/client/answer_head.hpp"

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

TEST(AnswerHead, accepts_identity_codings_and_requested_ones) {
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

// libcurl then reads until the connection closes, whatever the length says (RFC 9112 6.3).
TEST(AnswerHead, reports_a_length_that_an_identity_transfer_coding_hides) {
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

TEST(AnswerHead, distinguishes_an_interim_answer_from_the_answer_RFC9110_15_2) {
  AnswerHead head;
  const auto is_interim_after = [&](const std::string& line) {
    EXPECT_EQ(head.take(line + "\r\n"), std::nullopt);
    return head.is_interim();
  };
  for (const std::string status : {"100 Continue", "102 Processing", "103", "199 Whatever"}) {
    EXPECT_TRUE(is_interim_after("HTTP/1.1 " + status)) << status;
    EXPECT_TRUE(is_interim_after("X: y"));
    EXPECT_TRUE(is_interim_after(""));
  }
  EXPECT_FALSE(is_interim_after("HTTP/1.1 200 OK"));
  EXPECT_FALSE(is_interim_after("HTTP/1.1 103 Hints")) << "a line of the head";
  EXPECT_FALSE(is_interim_after(""));
  EXPECT_FALSE(is_interim_after("X: y")) << "a trailer";
  for (const std::string status : {"101 Switching Protocols", "1", "10", "1000", "1xx", "999", ""}) {
    AnswerHead other;
    EXPECT_EQ(other.take("HTTP/1.1 " + status + "\r\n"), std::nullopt);
    EXPECT_FALSE(other.is_interim()) << status;
  }
}

// All fields except a transfer coding, which an interim answer must not declare (RFC 9112 6.1).
TEST(AnswerHead, forgets_the_fields_of_an_interim_answer_RFC9110_15_2) {
  AnswerHead head;
  for (const std::string line : {"HTTP/1.1 103 Hints", "Connection: close", "Content-Length: 9",
                                 "Content-Encoding: gzip", "Retry-After: 99999999999999999999", ""}) {
    EXPECT_EQ(head.take(line + "\r\n"), std::nullopt) << line;
  }
  EXPECT_TRUE(head.closes() && head.is_packed() && head.retry_after() == "99999999999999999999");
  EXPECT_EQ(head.length(), 9U);
  EXPECT_EQ(head.take("HTTP/1.1 200 OK\r\n"), std::nullopt);
  EXPECT_FALSE(head.closes());
  EXPECT_FALSE(head.is_packed());
  EXPECT_EQ(head.retry_after(), "");
  EXPECT_EQ(head.length(), std::nullopt);
  EXPECT_EQ(head.take("Content-Encoding: gzip\r\n"), std::nullopt) << "it is packed once";
  EXPECT_EQ(head.take("Retry-After: 1\r\n"), std::nullopt);
  EXPECT_TRUE(head.is_packed());
  EXPECT_EQ(head.retry_after(), "1");
}

// A peer may echo what it was sent in these fields, and failures are not redacted (I67).
TEST(AnswerHead, repeats_no_text_of_a_peer_that_could_be_a_secret_I67) {
  for (const std::string coding : {"sk-abcdef", "abcdef", "a b", "\x01", "a;q=1", "caf\xc3\xa9"}) {
    EXPECT_EQ(fault_in({"HTTP/1.1 200 OK", "Content-Encoding: " + coding, ""}),
              "has a content coding that is neither gzip nor identity");
    EXPECT_EQ(fault_in({"HTTP/1.1 200 OK", "Transfer-Encoding: " + coding, ""}),
              "has a transfer coding that is neither chunked nor identity");
  }
}

}  // namespace
}  // namespace parley::outbound
