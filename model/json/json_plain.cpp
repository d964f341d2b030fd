// One text for a JSON value, whichever escapes its encoder uses.

#include "model/json/json.hpp"
#include "model/json/json_writer.hpp"

namespace parley::json {
namespace {

void write_plain(Writer& out, const Value& value) {
  switch (value.kind()) {
    case Kind::string: out.string(value.string()); return;
    case Kind::array:
      out.begin_array();
      for (const Value& item : value.children()) write_plain(out, item);
      out.end_array();
      return;
    case Kind::object:
      out.begin_object();
      for (const Value& member : value.children()) {
        out.key(member.key());
        write_plain(out, member);
      }
      out.end_object();
      return;
    case Kind::null:
    case Kind::boolean:
    case Kind::number: out.raw(value.raw()); return;
  }
}

bool has_escapes(std::string_view text) {
  return text.find('\\') != std::string_view::npos;
}

}  // namespace

std::string plain(const Value& value) {
  if (!has_escapes(value.raw())) return compacted(value.raw());
  Writer out;
  write_plain(out, value);
  return std::move(out).text();
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
