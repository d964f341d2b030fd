#include "model/metadata.hpp"

#include <algorithm>

#include "model/json_writer.hpp"

namespace parley {

json::Text merged(const json::Text& base, const json::Text& patch) {
  const auto old_object = json::parse(base.text);
  const auto new_object = json::parse(patch.text);
  json::Writer out;
  out.reserve(base.text.size() + patch.text.size());
  out.begin_object();
  for (const json::Value& member : old_object->root().children()) {
    const auto over = new_object->root().find(member.key());
    out.key(member.key()).raw(over ? over->raw() : member.raw());
  }
  for (const json::Value& member : new_object->root().children()) {
    if (!old_object->root().find(member.key())) out.key(member.key()).raw(member.raw());
  }
  out.end_object();
  return {std::move(out).text()};
}

json::Text without(const json::Text& object, std::span<const std::string_view> keys) {
  const auto parsed = json::parse(object.text);
  json::Writer out;
  out.begin_object();
  for (const json::Value& member : parsed->root().children()) {
    if (std::find(keys.begin(), keys.end(), member.key()) == keys.end())
      out.key(member.key()).raw(member.raw());
  }
  out.end_object();
  return {std::move(out).text()};
}

}  // namespace parley
