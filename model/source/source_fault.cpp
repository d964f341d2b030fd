#include "model/source/source_fault.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <map>
#include <optional>

#include "model/text/shown_text.hpp"

namespace parley::source {
namespace {

std::string_view word_of(Level level) {
  return level == Level::error ? "error" : "warning";
}

/// Source lines are truncated to this length, so that a file of one line does not flood the terminal.
constexpr std::size_t shown_columns_max = 160;

/// Reads the code point at `at` and moves `at` past it; U+FFFD for malformed bytes.
utf8proc_int32_t next_point(std::string_view text, std::size_t& at) {
  utf8proc_int32_t point = 0;
  const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at),
                                     static_cast<utf8proc_ssize_t>(text.size() - at), &point);
  at += size > 0 ? static_cast<std::size_t>(size) : 1;
  return size > 0 ? point : 0xFFFD;
}

bool is_hidden(utf8proc_int32_t point) {
  const bool is_bidi = (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
  return point < 0x20 || (point >= 0x7F && point < 0xA0) || is_bidi || point == 0xFFFD;
}

/// The source line and the line with the caret under it.
struct Excerpt {
  std::string line;
  std::string marks;
};

/// Shown instead of a secret.
constexpr std::string_view mask = "****";

/// The end of the hidden part that contains the byte; nullopt: the byte is shown.
std::optional<std::size_t> end_of_hidden(const std::vector<Span>& hidden, std::size_t at) {
  for (const Span& each : hidden)
    if (each.begin <= at && at < each.end) return each.end;
  return std::nullopt;
}

Excerpt excerpt_of(std::string_view line, Span mark, const std::vector<Span>& hidden) {
  Excerpt excerpt;
  std::size_t columns = 0;
  bool is_marked = false;
  const auto add_marks = [&](std::size_t cells, bool in_mark, char space) {
    for (std::size_t cell = 0; cell < cells; ++cell) {
      excerpt.marks.push_back(in_mark ? (is_marked ? '~' : '^') : space);
      is_marked = is_marked || in_mark;
    }
  };
  for (std::size_t at = 0; at < line.size() && columns < shown_columns_max; ++columns) {
    const std::size_t begin = at;
    if (const auto end = end_of_hidden(hidden, at)) {
      at = std::min(*end, line.size());
      excerpt.line.append(mask);
      add_marks(mask.size(), mark.begin < at && begin < std::max(mark.end, mark.begin + 1), ' ');
      continue;
    }
    const auto point = next_point(line, at);
    const bool is_hidden_here = point != '\t' && is_hidden(point);
    if (is_hidden_here)
      excerpt.line.push_back('?');
    else
      excerpt.line.append(line.substr(begin, at - begin));
    const int width = is_hidden_here || point == '\t' ? 1 : std::max(0, utf8proc_charwidth(point));
    const bool in_mark = begin >= mark.begin && (begin < mark.end || begin == mark.begin);
    add_marks(static_cast<std::size_t>(width), in_mark, point == '\t' ? '\t' : ' ');
  }
  if (!is_marked && columns < shown_columns_max) excerpt.marks.push_back('^');
  while (!excerpt.marks.empty() && (excerpt.marks.back() == ' ' || excerpt.marks.back() == '\t'))
    excerpt.marks.pop_back();
  return excerpt;
}

/// The hidden parts of the file that are in the line, as offsets in the line.
std::vector<Span> hidden_in_line(const std::vector<Span>& hidden, Span line) {
  std::vector<Span> parts;
  for (const Span& each : hidden) {
    if (each.end > line.begin && each.begin < line.end)
      parts.push_back({std::max(each.begin, line.begin) - line.begin, each.end - line.begin});
  }
  return parts;
}

std::string source_lines(const Place& place, const std::vector<Span>& hidden) {
  const Position position = place.file->position(place.at.begin);
  const std::string_view line = place.file->line(position.line);
  const std::size_t line_begin = place.file->line_begin(position.line);
  const std::size_t begin = std::min(place.at.begin, place.file->text().size()) - line_begin;
  const std::size_t end = std::max(begin, std::min(place.at.end, line_begin + line.size()) - line_begin);
  const Excerpt excerpt = excerpt_of(line, {begin, place.at.end < line_begin ? begin : end},
                                     hidden_in_line(hidden, {line_begin, line_begin + line.size()}));
  std::string number = std::to_string(position.line);
  if (number.size() < 5) number.insert(0, 5 - number.size(), ' ');
  std::string text = number + " | " + excerpt.line + "\n";
  if (!excerpt.marks.empty()) text += std::string(number.size(), ' ') + " | " + excerpt.marks + "\n";
  return text;
}

/// Escapes text of workflow commands: `%`, line ends, and in properties also `:` and `,`.
std::string escaped(std::string_view text, bool is_property) {
  std::string out;
  for (const char c : text) {
    const bool needs_escape = c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ','));
    if (!needs_escape) {
      out.push_back(c);
      continue;
    }
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    out.append({'%', digits[byte >> 4U], digits[byte & 0xFU]});
  }
  return out;
}

/// Sorts by file, in the order in which files first appear, then by position.
void sort_by_place(std::vector<SourceFault>& faults) {
  std::map<std::string, std::size_t> ranks;
  const auto name = [](const SourceFault& fault) {
    const auto& place = fault.from.empty() ? fault.place : fault.from.back();
    return place.file ? place.file->name() : std::string();
  };
  for (const SourceFault& fault : faults) ranks.emplace(name(fault), ranks.size());
  const auto key = [&](const SourceFault& fault) {
    const auto& place = fault.from.empty() ? fault.place : fault.from.back();
    return std::pair(ranks[name(fault)], place.at.begin);
  };
  std::stable_sort(faults.begin(), faults.end(),
                   [&](const SourceFault& a, const SourceFault& b) { return key(a) < key(b); });
}

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace

std::string place_text(const Place& place) {
  const Position position = place.file->position(place.at.begin);
  return place.file->name() + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

std::string fault_text(const SourceFault& fault) {
  std::string text = fault.place.file ? place_text(fault.place) + ": " : "";
  text += std::string(word_of(fault.level)) + ": " + shown_text(fault.message) + "\n";
  if (fault.place.file) text += source_lines(fault.place, fault.hidden);
  for (const Place& from : fault.from) text += "   from " + place_text(from) + "\n";
  return text;
}

std::string fault_annotation(const SourceFault& fault) {
  std::string text = "::" + std::string(word_of(fault.level)) + " ";
  if (fault.place.file) {
    const Position begin = fault.place.file->position(fault.place.at.begin);
    text += "file=" + escaped(fault.place.file->name(), true) + ",line=" + std::to_string(begin.line) +
            ",col=" + std::to_string(begin.column) + ",";
  }
  return text + "title=" + escaped(fault.code, true) + "::" + escaped(fault.message, false) + "\n";
}

void write_fault(json::Writer& out, const SourceFault& fault) {
  out.begin_object()
      .member("level", word_of(fault.level))
      .member("code", fault.code)
      .member("message", fault.message);
  if (fault.place.file) {
    const Position begin = fault.place.file->position(fault.place.at.begin);
    const Position end = fault.place.file->position(std::max(fault.place.at.begin, fault.place.at.end));
    out.member("file", fault.place.file->name());
    out.key("line").integer(begin.line).key("column").integer(begin.column);
    out.key("endLine").integer(end.line).key("endColumn").integer(end.column);
  }
  if (!fault.from.empty()) {
    out.key("from").begin_array();
    for (const Place& from : fault.from) out.string(place_text(from));
    out.end_array();
  }
  out.end_object();
}

std::string count_sentence(const std::vector<SourceFault>& faults) {
  std::size_t errors = 0;
  std::map<std::string, int> files;
  for (const SourceFault& fault : faults) {
    if (fault.level == Level::error) ++errors;
    if (fault.place.file) ++files[fault.place.file->name()];
  }
  const std::size_t warnings = faults.size() - errors;
  std::string text = errors > 0 ? counted(errors, "error") : "";
  if (warnings > 0) text += (text.empty() ? "" : ", ") + counted(warnings, "warning");
  return text + (files.empty() ? "." : " in " + counted(files.size(), "file") + ".");
}

std::string report_of(std::vector<SourceFault> faults, FaultFormat format) {
  sort_by_place(faults);
  const std::size_t shown = std::min(faults.size(), shown_faults_max);
  if (format == FaultFormat::json) {
    json::Writer out;
    out.begin_array();
    for (std::size_t i = 0; i < shown; ++i) write_fault(out, faults[i]);
    out.end_array();
    return std::move(out).text() + "\n";
  }
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    text += format == FaultFormat::github ? fault_annotation(faults[i]) : fault_text(faults[i]);
  }
  if (format == FaultFormat::text && !faults.empty()) {
    if (shown < faults.size()) text += "... and " + std::to_string(faults.size() - shown) + " more\n";
    text += count_sentence(faults) + "\n";
  }
  return text;
}

bool has_errors(const std::vector<SourceFault>& faults) {
  return std::any_of(faults.begin(), faults.end(),
                     [](const auto& fault) { return fault.level == Level::error; });
}

}  // namespace parley::source
