#include "model/records/entry.hpp"

#include <cmath>

#include "model/check.hpp"
#include "model/description/stored_text.hpp"
#include "model/json/json_writer.hpp"

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

std::optional<std::string> text_or_null(StoredText& text) {
  return text.take_null() ? std::nullopt : std::optional(text.string());
}

/// nullopt for anything that entry_json does not write.
std::optional<Entry> read_in_order(std::string_view json) {
  StoredText text(json);
  Entry entry;
  const auto next = [&](std::string_view name) {
    text.end_member();
    return !text.failed() && text.take_key(name);
  };
  if (!text.take('{') || !next("id")) return std::nullopt;
  const auto id = id_from_text(text.string());
  if (!next("type")) return std::nullopt;
  const auto type = from_word<EntryType>(text.string());
  if (!next("role")) return std::nullopt;
  const auto role = from_word<Role>(text.string());
  if (!next("content")) return std::nullopt;
  entry.content = text_or_null(text);
  if (!next("name")) return std::nullopt;
  entry.name = text_or_null(text);
  if (!next("metadata")) return std::nullopt;
  entry.metadata.text = text.raw();
  if (!next("createdAt")) return std::nullopt;
  const auto created_at = time_from_text(text.string());
  if (!next("turn")) return std::nullopt;
  entry.turn = text.integer();
  if (next("history")) entry.is_history = text.boolean();
  if (text.failed() || !text.take('}') || !text.at_end() || !id || !type || !role || !created_at)
    return std::nullopt;
  entry.id = *id;
  entry.type = *type;
  entry.role = *role;
  entry.created_at = *created_at;
  return entry;
}

/// Members in any order. Needs: the output of entry_json, except for the order.
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
  entry.is_history = value.find("history").has_value();
  return entry;
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
  if (entry.is_history) out.key("history").boolean(true);
  out.end_object();
  return std::move(out).text();
}

Expected<Entry> entry_from_stored(std::string_view text) {
  if (auto entry = read_in_order(text)) return std::move(*entry);
  const auto document = json::parse(text);
  if (!document) return document.problem();
  return entry_from_json(document->root());
}

std::optional<std::string> mended_entry(std::string_view text) {
  if (text.find("***") == std::string_view::npos || json::parse(text).ok()) return std::nullopt;
  // No string before the metadata can contain these quotes unescaped, and nothing after it contains them.
  constexpr std::string_view before = ",\"metadata\":";
  constexpr std::string_view separator = ",\"createdAt\":";
  const auto begin = text.find(before);
  const auto end = text.rfind(separator);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin + before.size())
    return std::nullopt;
  const std::size_t from = begin + before.size();
  std::string mended(text.substr(0, from));
  mended += R"({"unreadable":)";
  json::append_quoted(mended, text.substr(from, end - from));
  mended += "}";
  mended += text.substr(end);
  if (!json::parse(mended).ok()) return std::nullopt;
  return mended;
}

Measures measures_of(const json::Value& metadata) {
  return {number_at(metadata, "responseTime"), number_at(metadata, "inputTokens"),
          number_at(metadata, "outputTokens"), number_at(metadata, "cost")};
}

}  // namespace parley
