#pragma once
/// JsonLines: a body with one JSON value per line (jsonlines.org, NDJSON), as an input of handlers. Values and pure
/// functions; any thread.

#include <string_view>
#include <vector>

#include "http/exchange/inputs.hpp"

namespace parley::http {

inline constexpr std::size_t json_lines_max = 10'000;
inline constexpr std::size_t json_lines_bytes_max = 8 * 1024 * 1024;

struct JsonLine {
  std::size_t number = 0;  ///< line number in the body, from 1
  std::string_view text;
};

/// True for application/jsonl, its aliases, and JSON itself.
[[nodiscard]] bool is_json_lines_media_type(std::string_view content_type);

/// The non-blank lines of the body, as views into it. Problem: 415; 413 if a bound is exceeded; 400 if there are no
/// lines.
[[nodiscard]] Expected<std::vector<JsonLine>> read_json_lines(const RequestContext& call);

/// Each line is the JSON of a new T. Valid as long as the request's context exists.
template <class T>
struct JsonLines {
  std::vector<JsonLine> lines;
};

template <class T>
struct Input<JsonLines<T>> : BodyInput<JsonLines<T>> {
  static Expected<JsonLines<T>> read(const store::Snapshot&, const RequestContext& call, std::size_t) {
    TRY(lines, read_json_lines(call));
    return JsonLines<T>{std::move(lines)};
  }
};

}  // namespace parley::http
