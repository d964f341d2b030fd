#include "model/description/stored_text.hpp"

#include <algorithm>
#include <charconv>

#include "model/json/json.hpp"

namespace parley {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

/// Undoes json::append_quoted; nullopt for an escape that it never writes.
std::optional<std::string> unescaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    switch (text[++i]) {
      case '"': out += '"'; break;
      case '\\': out += '\\'; break;
      case 'b': out += '\b'; break;
      case 'f': out += '\f'; break;
      case 'n': out += '\n'; break;
      case 'r': out += '\r'; break;
      case 't': out += '\t'; break;
      case 'u': {
        if (i + 4 >= text.size() || text[i + 1] != '0' || text[i + 2] != '0') return std::nullopt;
        const int high = hex_value(text[i + 3]);
        const int low = hex_value(text[i + 4]);
        if (high < 0 || high > 1 || low < 0) return std::nullopt;
        out += static_cast<char>(high * 16 + low);
        i += 4;
        break;
      }
      default: return std::nullopt;
    }
  }
  return out;
}

}  // namespace

bool StoredText::take(char c) {
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool StoredText::take_key(std::string_view name) {
  const std::string_view rest = text_.substr(at_);
  if (rest.size() < name.size() + 3 || rest[0] != '"' || rest[name.size() + 1] != '"' ||
      rest[name.size() + 2] != ':' || rest.substr(1, name.size()) != name) {
    return false;
  }
  at_ += name.size() + 3;
  return true;
}

bool StoredText::take_null() {
  constexpr std::string_view null = "null";
  if (text_.substr(at_, null.size()) != null) return false;
  at_ += null.size();
  return true;
}

bool StoredText::skip_string() {
  if (!take('"')) return false;
  const std::size_t end = json::string_end(text_, at_ - 1);
  if (end == std::string_view::npos) return false;
  at_ = end;
  return true;
}

std::string StoredText::string() {
  const std::size_t begin = at_;
  if (!skip_string()) {
    fail();
    return {};
  }
  const std::string_view inside = text_.substr(begin + 1, at_ - begin - 2);
  if (inside.find('\\') == std::string_view::npos) return std::string(inside);
  auto text = unescaped(inside);
  if (!text) fail();
  return std::move(text).value_or(std::string());
}

std::string_view StoredText::plain() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != ']' && text_[at_] != '}') ++at_;
  return text_.substr(begin, at_ - begin);
}

std::int64_t StoredText::integer() {
  const std::string_view digits = plain();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) fail();
  return value;
}

double StoredText::number() {
  const std::string_view digits = plain();
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) fail();
  return value;
}

bool StoredText::boolean() {
  const std::string_view word = plain();
  if (word != "true" && word != "false") fail();
  return word == "true";
}

std::string_view StoredText::raw() {
  const std::size_t begin = at_;
  const char first = at_ < text_.size() ? text_[at_] : '\0';
  if (first == '{' || first == '[') {
    skip_nested();
  } else if (first == '"') {
    if (!skip_string()) fail();
  } else if (plain().empty()) {
    fail();
  }
  return failed_ ? std::string_view() : text_.substr(begin, at_ - begin);
}

void StoredText::skip_nested() {
  std::size_t depth = 0;
  std::size_t at = at_;
  do {
    if (at >= text_.size()) return fail();
    const char c = text_[at];
    if (c == '"') {
      at = json::string_end(text_, at);  // npos ends the loop as too long
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at;
  } while (depth > 0);
  at_ = at;
}

void read_members(std::string_view object, std::span<const std::string_view> names,
                  std::span<std::string> found) {
  StoredText text(object);
  if (!text.take('{')) return;
  std::size_t missing = names.size();
  while (missing > 0 && !text.failed() && !text.at_end() && !text.take('}')) {
    const std::string_view key = text.raw();
    if (!text.take(':')) return;
    const std::string_view value = text.raw();
    text.end_member();
    if (text.failed()) return;
    const auto name = std::find(names.begin(), names.end(), key.substr(1, key.size() - 2));
    if (name == names.end()) continue;
    --missing;
    if (value.front() == '"')
      found[static_cast<std::size_t>(name - names.begin())] = StoredText(value).string();
  }
}

std::string stored_member(std::string_view object, std::string_view name) {
  std::string found;
  read_members(object, {&name, 1}, {&found, 1});
  return found;
}

}  // namespace parley
