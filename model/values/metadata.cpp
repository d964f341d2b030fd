#include "model/values/metadata.hpp"

#include <algorithm>

#include "model/json/json_writer.hpp"

namespace parley {
namespace {

std::vector<json::Value> members_of(const Expected<json::Document>& object) {
  return object.ok() ? object->root().children() : std::vector<json::Value>{};
}

std::optional<json::Value> member_of(const Expected<json::Document>& object, std::string_view key) {
  return object.ok() ? object->root().find(key) : std::nullopt;
}

}  // namespace

json::Text merged(const json::Text& base, const json::Text& patch) {
  const auto old_object = json::parse(base.text);
  const auto new_object = json::parse(patch.text);
  json::Writer out;
  out.reserve(base.text.size() + patch.text.size());
  out.begin_object();
  for (const json::Value& member : members_of(old_object)) {
    const auto over = member_of(new_object, member.key());
    out.key(member.key()).raw(over ? over->raw() : member.raw());
  }
  for (const json::Value& member : members_of(new_object)) {
    if (!member_of(old_object, member.key())) out.key(member.key()).raw(member.raw());
  }
  out.end_object();
  return {std::move(out).text()};
}

json::Text without(const json::Text& object, std::span<const std::string_view> keys) {
  const auto parsed = json::parse(object.text);
  json::Writer out;
  out.begin_object();
  for (const json::Value& member : members_of(parsed)) {
    if (std::find(keys.begin(), keys.end(), member.key()) == keys.end())
      out.key(member.key()).raw(member.raw());
  }
  out.end_object();
  return {std::move(out).text()};
}

}  // namespace parley
