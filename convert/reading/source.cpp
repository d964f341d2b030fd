#include "convert/reading/source.hpp"

#include "model/text/utf8.hpp"

namespace parley::convert {
namespace {

/// Longest line, in bytes, that a fault shows.
constexpr std::size_t shown_line_bytes_max = 160;

bool begins_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

std::string_view line_at(std::string_view text, std::uint32_t line) {
  std::size_t begin = 0;
  for (std::uint32_t at = 1; at < line; ++at) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos) return {};
    ++begin;
  }
  return text.substr(begin, text.find('\n', begin) - begin);
}

/// The line with a caret below the column; empty if the line is too long to show.
std::string excerpt(std::string_view text, Place place) {
  const std::string_view line = line_at(text, place.line);
  if (place.line == 0 || line.size() > shown_line_bytes_max) return {};
  std::string blanks;
  std::uint32_t column = 1;
  for (const char c : line) {
    if (!begins_character(c)) continue;
    if (column++ >= place.column) break;
    blanks += c == '\t' ? '\t' : ' ';
  }
  std::string shown_line;
  for (const char c : line) shown_line += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? '?' : c;
  const std::string number = std::to_string(place.line);
  const std::string margin(number.size() < 5 ? 5 - number.size() : 0, ' ');
  return margin + number + " | " + shown_line + "\n" + std::string(margin.size() + number.size(), ' ') +
         " | " + blanks + "^\n";
}

void drop_carriage_returns(std::string& text) {
  std::size_t out = 0;
  for (std::size_t in = 0; in < text.size(); ++in) {
    if (text[in] == '\r' && in + 1 < text.size() && text[in + 1] == '\n') continue;
    text[out++] = text[in];
  }
  text.resize(out);
}

bool is_utf16(std::string_view bytes) {
  return bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
}

}  // namespace

std::string shown(const std::string& path, Place place) {
  if (place.line == 0) return path;
  return path + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

Place place_at(std::string_view text, std::size_t offset) {
  const std::size_t end = std::min(offset, text.size());
  PlaceCursor cursor(text);
  return cursor.to(end);
}

Place PlaceCursor::to(std::size_t offset) {
  for (; at_ < offset && at_ < text_.size(); ++at_) {
    if (text_[at_] == '\n') {
      ++line_;
      column_ = 1;
    } else if (begins_character(text_[at_])) {
      ++column_;
    }
  }
  return {line_, column_};
}

void Faults::add(const Source& source, Place place, std::string message) {
  if (++count_ > shown_max) return;
  shown_.push_back(shown(source.path, place) + ": error: " + message + "\n" + excerpt(source.text, place));
}

void Faults::add(const std::string& path, std::string message) {
  if (++count_ > shown_max) return;
  shown_.push_back(path + ": error: " + message + "\n");
}

std::string Faults::text() const {
  std::string out;
  for (const std::string& each : shown_) out += each;
  if (count_ > shown_.size()) out += "More errors follow.\n";
  return out;
}

std::optional<Source> source_of(std::string path, std::string bytes, Faults& faults) {
  if (is_utf16(bytes)) {
    faults.add(path + ":1:1", "the file is UTF-16; save it as UTF-8");
    return std::nullopt;
  }
  if (bytes.starts_with("version https://git-lfs.github.com/spec/")) {
    faults.add(path + ":1:1", "the file is a pointer of Git LFS; fetch its content with git lfs pull");
    return std::nullopt;
  }
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.erase(0, 3);
  if (bytes.find("\r\n") != std::string::npos) drop_carriage_returns(bytes);
  Source source{std::move(path), std::move(bytes)};
  if (const std::size_t at = source.text.find('\0'); at != std::string::npos) {
    faults.add(shown(source.path, place_at(source.text, at)), "a NUL byte; is this a text file in UTF-8?");
    return std::nullopt;
  }
  if (const std::size_t at = utf8_fault(source.text); at != std::string_view::npos) {
    faults.add(shown(source.path, place_at(source.text, at)), "not UTF-8; save the file as UTF-8");
    return std::nullopt;
  }
  return source;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace parley::convert
