#pragma once
/// The output of a framer as text, for tables of rows: requests in order, then `more` or `status slug`.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "http/protocol/framer.hpp"

namespace parley::http::support {

inline constexpr std::size_t body_limit = 64;

struct FramingRow {
  std::string name;
  std::string bytes;
  std::string expected;
};

inline std::string text_of(const Framer& framer) {
  const auto& request = framer.request();
  std::string text = std::string(request.method) + " " + std::string(request.target);
  if (request.minor_version == 0) text += " 1.0";
  if (!request.body.empty()) text += " <" + std::string(request.body) + ">";
  if (framer.wants_close()) text += " close";
  return text;
}

/// Feeds the pieces like a connection: the next request is read when the previous one is done.
inline std::string transcript(const std::vector<std::string_view>& pieces) {
  Framer framer(body_limit);
  std::string text;
  for (const auto piece : pieces) {
    auto state = framer.feed(piece);
    while (state == Framer::State::request) {
      text += text_of(framer) + "; ";
      state = framer.next();
    }
  }
  if (framer.state() == Framer::State::need_more) return text + "more";
  return text + std::to_string(framer.fault().status()) + " " + std::string(framer.fault().slug());
}

/// F29: the same result in one piece, cut once at every position, and byte by byte.
inline void expect_framing(const FramingRow& row) {
  SCOPED_TRACE(row.name);
  const std::string_view bytes = row.bytes;
  ASSERT_EQ(transcript({bytes}), row.expected);
  std::vector<std::string_view> single;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    ASSERT_EQ(transcript({bytes.substr(0, at), bytes.substr(at)}), row.expected) << "cut at " << at;
    single.push_back(bytes.substr(at, 1));
  }
  ASSERT_EQ(transcript(single), row.expected) << "byte by byte";
}

/// A GET with these field lines in addition to Host; they include their CRLF.
inline std::string with_fields(const std::string& lines) {
  return "GET / HTTP/1.1\r\nHost: h\r\n" + lines + "\r\n";
}

/// A POST with these field lines in addition to Host, then the body's bytes.
inline std::string post_with(const std::string& lines, const std::string& body) {
  return "POST /p HTTP/1.1\r\nHost: h\r\n" + lines + "\r\n" + body;
}

}  // namespace parley::http::support
