// One text for a JSON value, whichever escapes its encoder likes.

#include "model/json.hpp"
#include "model/json_writer.hpp"

namespace parley::json {
namespace {

void append_plain(std::string& out, const Value& value) {
  const bool is_object = value.is(Kind::object);
  if (value.is(Kind::string)) return append_quoted(out, value.string());
  if (!is_object && !value.is(Kind::array)) {
    out += value.raw();
    return;
  }
  out += is_object ? '{' : '[';
  bool is_first = true;
  for (const Value& child : value.children()) {
    if (!is_first) out += ',';
    is_first = false;
    if (is_object) {
      append_quoted(out, child.key());
      out += ':';
    }
    append_plain(out, child);
  }
  out += is_object ? '}' : ']';
}

bool has_escapes(std::string_view text) {
  return text.find('\\') != std::string_view::npos;
}

}  // namespace

std::string plain(const Value& value) {
  if (!has_escapes(value.raw())) return compacted(value.raw());
  std::string out;
  append_plain(out, value);
  return out;
}

std::string plain(const Text& text) {
  if (!has_escapes(text.text)) return text.text;
  const auto document = parse(text.text);
  return document.ok() ? plain(document->root()) : text.text;
}

std::string as_text(const Value& value) {
  return value.is(Kind::string) ? std::string(value.string()) : plain(value);
}

}  // namespace parley::json
