#include "model/json/json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "model/check.hpp"
#include "model/json/json_number.hpp"

namespace parley::json {

const Node& Value::node() const {
  return document_->nodes_[node_];
}
Kind Value::kind() const {
  return node().kind;
}

std::string_view Value::raw() const {
  return std::string_view(document_->text_).substr(node().raw_begin, node().raw_end - node().raw_begin);
}

Text Value::compact() const {
  return {compacted(raw())};
}

bool Value::boolean() const {
  CHECK(is(Kind::boolean));
  return node().flag;
}

std::string_view Value::string() const {
  CHECK(is(Kind::string));
  return std::string_view(document_->pool_).substr(node().text_begin, node().text_size);
}

double Value::number() const {
  CHECK(is(Kind::number));
  return to_double(raw());
}

std::optional<std::int64_t> Value::integer() const {
  CHECK(is(Kind::number));
  return to_integer(raw());
}

std::size_t Value::size() const {
  return node().count;
}

std::string_view Value::key() const {
  return std::string_view(document_->pool_).substr(node().key_begin, node().key_size);
}

std::optional<Value> Value::find(std::string_view name) const {
  if (!is(Kind::object)) return std::nullopt;
  std::uint32_t child = node_ + 1;
  for (std::uint32_t i = 0; i < node().count; ++i) {
    const Value member{document_, child};
    if (member.key() == name) return member;
    child = member.node().next;
  }
  return std::nullopt;
}

std::vector<Value> Value::children() const {
  std::vector<Value> all;
  all.reserve(node().count);
  std::uint32_t child = node_ + 1;
  for (std::uint32_t i = 0; i < node().count; ++i) {
    all.emplace_back(document_, child);
    child = all.back().node().next;
  }
  return all;
}

std::string compacted(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!in_string && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) continue;
    out += c;
    if (c == '"') {
      in_string = !in_string;
    } else if (c == '\\' && in_string && i + 1 < text.size()) {
      out += text[++i];
    }
  }
  return out;
}

std::optional<Value> given(const Value& object, std::string_view key) {
  const auto value = object.find(key);
  return value && !value->is(Kind::null) ? value : std::nullopt;
}

bool equal(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::null: return true;
    case Kind::boolean: return a.boolean() == b.boolean();
    case Kind::number: return same_number(a.raw(), b.raw());
    case Kind::string: return a.string() == b.string();
    case Kind::array: {
      if (a.size() != b.size()) return false;
      const auto left = a.children();
      const auto right = b.children();
      return std::equal(left.begin(), left.end(), right.begin(), equal);
    }
    case Kind::object: {
      if (a.size() != b.size()) return false;
      for (const Value& member : a.children()) {
        const auto other = b.find(member.key());
        if (!other || !equal(member, *other)) return false;
      }
      return true;
    }
  }
  return false;
}

namespace {

/// The next token of a pointer after the slash at `at`, unescaped; moves `at` to the next slash or the end.
std::string next_token(std::string_view pointer, std::size_t& at) {
  std::string token;
  for (++at; at < pointer.size() && pointer[at] != '/'; ++at) {
    if (pointer[at] == '~' && at + 1 < pointer.size()) {
      token += pointer[++at] == '1' ? '/' : '~';
    } else {
      token += pointer[at];
    }
  }
  return token;
}

/// The item that an array index token names (RFC 6901 section 4: no sign, no leading zero).
std::optional<Value> item_at(const Value& array, const std::string& token) {
  if (token.empty() || (token.size() > 1 && token[0] == '0')) return std::nullopt;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (error != std::errc{} || end != token.data() + token.size() || index >= array.size())
    return std::nullopt;
  return array.children()[index];
}

}  // namespace

bool is_pointer(std::string_view pointer) {
  if (!pointer.empty() && pointer[0] != '/') return false;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] != '~') continue;
    if (i + 1 == pointer.size() || (pointer[i + 1] != '0' && pointer[i + 1] != '1')) return false;
  }
  return true;
}

std::optional<Value> at_pointer(const Value& root, std::string_view pointer) {
  if (!is_pointer(pointer)) return std::nullopt;
  std::optional<Value> here = root;
  for (std::size_t at = 0; at < pointer.size() && here;) {
    const std::string token = next_token(pointer, at);
    if (here->is(Kind::object)) {
      here = here->find(token);
    } else if (here->is(Kind::array)) {
      here = item_at(*here, token);
    } else {
      return std::nullopt;
    }
  }
  return here;
}

std::string pointer_token(std::string_view token) {
  std::string out;
  for (const char c : token) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace parley::json
