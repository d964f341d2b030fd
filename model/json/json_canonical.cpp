// One text for all spellings of a JSON value (D31).

#include <algorithm>

#include "model/json/json.hpp"
#include "model/json/json_number.hpp"
#include "model/json/json_writer.hpp"

namespace parley::json {
namespace {

void append(std::string& out, const Value& value);

void append_items(std::string& out, const Value& array) {
  out += '[';
  for (const Value& item : array.children()) {
    append(out, item);
    out += ',';
  }
  out += ']';
}

void append_members(std::string& out, const Value& object) {
  auto members = object.children();
  std::sort(members.begin(), members.end(), [](const Value& a, const Value& b) { return a.key() < b.key(); });
  out += '{';
  for (const Value& member : members) {
    append_quoted(out, member.key());
    out += ':';
    append(out, member);
    out += ',';
  }
  out += '}';
}

void append(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Kind::null: out += "null"; return;
    case Kind::boolean: out += value.boolean() ? "true" : "false"; return;
    case Kind::number: out += canonical_number(value.raw()); return;
    case Kind::string: append_quoted(out, value.string()); return;
    case Kind::array: append_items(out, value); return;
    case Kind::object: append_members(out, value); return;
  }
}

}  // namespace

std::string canonical(const Value& value) {
  std::string out;
  append(out, value);
  return out;
}

}  // namespace parley::json
