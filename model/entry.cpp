#include "model/entry.hpp"

#include <cmath>

#include "model/check.hpp"
#include "model/json_writer.hpp"

namespace parley {
namespace {

std::optional<double> number_at(const json::Value& metadata, std::string_view key) {
  const auto value = metadata.find(key);
  if (!value || !value->is(json::Kind::number) || !std::isfinite(value->number())) return std::nullopt;
  return value->number();
}

std::optional<std::string> text_at(const json::Value& value, std::string_view key) {
  const auto found = value.find(key);
  if (!found || !found->is(json::Kind::string)) return std::nullopt;
  return std::string(found->string());
}

}  // namespace

std::string entry_json(const Entry& entry) {
  json::Writer out;
  out.reserve(256 + entry.metadata.text.size() + (entry.content ? entry.content->size() : 0));
  out.begin_object();
  out.member("id", to_text(entry.id));
  out.member("type", word_of(entry.type));
  out.member("role", word_of(entry.role));
  out.member_or_null("content", entry.content);
  out.member_or_null("name", entry.name);
  out.key("metadata").raw(entry.metadata.text);
  out.member("createdAt", to_text(entry.created_at));
  out.key("turn").integer(entry.turn);
  out.end_object();
  return std::move(out).text();
}

Entry entry_from_json(const json::Value& value) {
  Entry entry;
  const auto id = id_from_text(value.find("id")->string());
  const auto type = from_word<EntryType>(value.find("type")->string());
  const auto role = from_word<Role>(value.find("role")->string());
  const auto created_at = time_from_text(value.find("createdAt")->string());
  CHECK(id && type && role && created_at);
  entry.id = *id;
  entry.type = *type;
  entry.role = *role;
  entry.content = text_at(value, "content");
  entry.name = text_at(value, "name");
  entry.metadata.text = value.find("metadata")->raw();
  entry.created_at = *created_at;
  entry.turn = value.find("turn")->integer().value_or(0);
  return entry;
}

Measures measures_of(const json::Value& metadata) {
  return {number_at(metadata, "responseTime"), number_at(metadata, "inputTokens"),
          number_at(metadata, "outputTokens"), number_at(metadata, "cost")};
}

}  // namespace parley
