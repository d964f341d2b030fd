#include "http/protocol/response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "http/protocol/field_grammar.hpp"

namespace parley::http {
namespace {

constexpr int no_content = 204;
constexpr int not_modified = 304;

struct Reason {
  int status;
  std::string_view text;
};

constexpr std::array reasons{
    Reason{200, "OK"},
    Reason{201, "Created"},
    Reason{202, "Accepted"},
    Reason{204, "No Content"},
    Reason{301, "Moved Permanently"},
    Reason{302, "Found"},
    Reason{303, "See Other"},
    Reason{304, "Not Modified"},
    Reason{307, "Temporary Redirect"},
    Reason{308, "Permanent Redirect"},
    Reason{400, "Bad Request"},
    Reason{401, "Unauthorized"},
    Reason{403, "Forbidden"},
    Reason{404, "Not Found"},
    Reason{405, "Method Not Allowed"},
    Reason{406, "Not Acceptable"},
    Reason{408, "Request Timeout"},
    Reason{409, "Conflict"},
    Reason{410, "Gone"},
    Reason{412, "Precondition Failed"},
    Reason{413, "Content Too Large"},
    Reason{414, "URI Too Long"},
    Reason{415, "Unsupported Media Type"},
    Reason{417, "Expectation Failed"},
    Reason{422, "Unprocessable Content"},
    Reason{429, "Too Many Requests"},
    Reason{431, "Request Header Fields Too Large"},
    Reason{500, "Internal Server Error"},
    Reason{501, "Not Implemented"},
    Reason{502, "Bad Gateway"},
    Reason{503, "Service Unavailable"},
    Reason{504, "Gateway Timeout"},
    Reason{505, "HTTP Version Not Supported"},
};

/// Empty for a status without a row: RFC 9112 section 4 allows an empty reason phrase.
std::string_view reason_of(int status) {
  const auto* found =
      std::find_if(reasons.begin(), reasons.end(), [&](const Reason& each) { return each.status == status; });
  return found == reasons.end() ? std::string_view{} : found->text;
}

bool is_transports_own(std::string_view name) {
  constexpr std::array<std::string_view, 4> own{"connection", "content-length", "date", "transfer-encoding"};
  return std::any_of(own.begin(), own.end(),
                     [&](std::string_view each) { return same_ignoring_case(each, name); });
}

bool is_sendable(const Response& response) {
  constexpr int first_final = 200;
  constexpr int last = 599;
  return response.status >= first_final && response.status <= last &&
         std::all_of(response.fields.begin(), response.fields.end(), [](const auto& field) {
           return is_token(field.first) && is_field_text(field.second) && !is_transports_own(field.first);
         });
}

void append_field(std::string& head, std::string_view name, std::string_view value) {
  head.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace

bool may_have_body(int status) {
  return status != no_content && status != not_modified;
}

std::optional<std::string> response_head(const Response& response, const ResponseFrame& frame) {
  if (!is_sendable(response)) return {};
  constexpr std::size_t usual_bytes = 512;
  std::string head;
  head.reserve(usual_bytes);
  head.append("HTTP/1.1 ").append(fmt::format_int(response.status).c_str());
  head.append(" ").append(reason_of(response.status)).append("\r\n");
  append_field(head, "Date", frame.date);
  for (const auto& [name, value] : response.fields) append_field(head, name, value);
  if (response.is_stream) append_field(head, "Transfer-Encoding", "chunked");
  if (may_have_body(response.status) && !response.is_stream)
    append_field(head, "Content-Length", fmt::format_int(response.body.size()).c_str());
  if (frame.close) append_field(head, "Connection", "close");
  if (!frame.close && frame.is_http_1_0) append_field(head, "Connection", "keep-alive");
  head.append("\r\n");
  return head;
}

std::string_view DateText::at(std::time_t now) {
  if (now == second_) return text_;
  constexpr std::array<std::string_view, 7> days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::tm utc{};
  gmtime_r(&now, &utc);
  constexpr int first_year = 1900;
  text_ =
      fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", days.at(static_cast<std::size_t>(utc.tm_wday)),
                  utc.tm_mday, months.at(static_cast<std::size_t>(utc.tm_mon)), utc.tm_year + first_year,
                  utc.tm_hour, utc.tm_min, utc.tm_sec);
  second_ = now;
  return text_;
}

}  // namespace parley::http
