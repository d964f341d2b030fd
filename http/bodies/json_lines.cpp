#include "http/bodies/json_lines.hpp"

#include <algorithm>
#include <array>

#include "http/protocol/field_grammar.hpp"

namespace parley::http {
namespace {

constexpr std::array<std::string_view, 5> names{"application/jsonl", "application/x-ndjson",
                                                "application/ndjson", "application/x-jsonlines",
                                                "application/json-lines"};

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

bool is_json_lines_media_type(std::string_view content_type) {
  const std::string_view type = trimmed(content_type.substr(0, content_type.find(';')));
  return is_json_media_type(type) || std::any_of(names.begin(), names.end(), [&](std::string_view name) {
           return same_ignoring_case(type, name);
         });
}

Expected<std::vector<JsonLine>> read_json_lines(const RequestContext& call) {
  if (!is_json_lines_media_type(call.content_type)) {
    return problem(ProblemKind::unsupported_media_type,
                   "send the lines with Content-Type: application/jsonl");
  }
  const std::string_view coding = trimmed(call.content_encoding);
  if (!coding.empty() && !same_ignoring_case(coding, "identity")) {
    return problem(ProblemKind::unsupported_media_type, "send the body without Content-Encoding");
  }
  if (call.body.size() > json_lines_bytes_max)
    return problem(ProblemKind::body_too_large, "send at most 8 MiB of lines at once");
  std::string_view rest = without_byte_order_mark(call.body);
  std::vector<JsonLine> lines;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (is_blank(line)) continue;
    if (lines.size() == json_lines_max)
      return problem(ProblemKind::body_too_large, "send at most 10000 lines at once");
    lines.push_back({number, line});
  }
  if (lines.empty()) return body_fault("", "must have at least one line");
  return lines;
}

}  // namespace parley::http
