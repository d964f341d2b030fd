#include "convert/messages/rows.hpp"

#include "model/json/json.hpp"

namespace parley::convert {
namespace {

constexpr std::string_view blanks = " \t\n\r";

/// The positions of the items of a JSON list; nullopt if the text as a whole is not a list.
std::optional<std::vector<Part>> items_of_list(std::string_view text) {
  std::vector<Part> parts;
  std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos || text[begin] != '[') return std::nullopt;
  const std::size_t last = text.find_last_not_of(blanks);
  std::size_t depth = 0;
  std::uint32_t line = 1;
  std::uint32_t item_line = 1;
  std::size_t item = begin + 1;
  bool has_content = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n') ++line;
    if (at < begin || blanks.find(c) != std::string_view::npos) continue;
    if (c == '[' || c == '{') ++depth;
    const bool is_end = depth == 1 && (c == ',' || (c == ']' && at == last));
    if (is_end) {
      if (has_content || c == ',' || !parts.empty()) parts.push_back({item, at, item_line});
      item = at + 1;
      item_line = line;
      has_content = false;
    } else if (at != begin) {
      has_content = true;
    }
    if (c == ']' || c == '}') {
      if (depth == 0) return std::nullopt;
      --depth;
    }
    if (c == '"') {
      const std::size_t end = json::string_end(text, at);
      if (end == std::string_view::npos) return std::nullopt;
      at = end - 1;
    }
  }
  if (depth != 0) return std::nullopt;
  return parts;
}

/// Whether the first line is not a complete object, which means that the text is not JSON Lines.
bool is_one_document(const Source& source) {
  Faults spare;
  const std::size_t end = source.text.find('\n');
  const std::size_t first = source.text.find_first_not_of(blanks);
  if (first == std::string::npos || end == std::string::npos || source.text[first] != '{') return true;
  return !parse_json(source, {0, end, 1}, spare).has_value();
}

}  // namespace

void read_output(Conversion& conversion, const Source& source, const std::function<void()>& read) {
  const std::size_t items = conversion.report.items();
  const std::size_t faults = conversion.faults.count();
  read();
  if (conversion.report.items() == items && conversion.faults.count() == faults) {
    conversion.faults.add(
        source, {1, 1},
        conversion.options.as == "logs"
            ? "no recorded conversation was found; use --as tests if the file has tests"
            : "no conversation was found; is the format \"" + conversion.options.format + "\"?");
  }
}

void for_each_source(Conversion& conversion, const std::function<void(const Source&)>& read) {
  for (const std::string& path : conversion.options.paths) {
    const auto source = conversion.inputs.read(path);
    if (!source) continue;
    conversion.begin_output(path, stem_of(path));
    read_output(conversion, *source, [&] { read(*source); });
  }
}

void for_each_row(Conversion& conversion, const Source& source,
                  const std::function<void(const Node&)>& read) {
  std::vector<Part> parts;
  const bool is_document = is_one_document(source);
  const bool is_lines =
      extension_of(source.path) == ".jsonl" || extension_of(source.path) == ".ndjson" || !is_document;
  if (auto items = items_of_list(source.text);
      items && !(is_lines && source.text.find("]\n[") != std::string::npos)) {
    parts = std::move(*items);
  } else {
    if (is_document) parts = json_values(source.text);
    if (parts.empty())
      parts = is_lines ? json_lines(source.text) : std::vector<Part>{{0, source.text.size(), 1}};
  }
  for (const Part& part : parts) {
    const auto row = parse_json(source, part, conversion.faults);
    if (!row) return;
    read(*row);
    if (conversion.faults.count() > Faults::shown_max) return;
  }
}

}  // namespace parley::convert
