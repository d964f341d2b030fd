#include "store/side/labels.hpp"

#include "model/json/json_writer.hpp"
#include "store/engine/lmdb.hpp"
#include "store/engine/raw_snapshot.hpp"
#include "store/engine/row_keys.hpp"

namespace parley::store {
namespace {

constexpr std::uint64_t label_revision = 1;

std::string label_key(const Id& result, const Id& label) {
  return std::string(result.key()).append(label.key());
}

std::string label_text(const json::Value& root, std::string_view name) {
  const auto value = root.find(name);
  return value ? std::string(value->string()) : std::string();
}

std::optional<Label> read(std::string_view key, std::string_view payload) {
  const auto document = json::parse(payload);
  if (!document || key.size() != 2 * id_bytes) return std::nullopt;
  const json::Value root = document->root();
  Label label;
  label.result = id_at(key);
  label.id = id_at(key.substr(id_bytes));
  label.assertion = label_text(root, "assertion");
  label.user = id_from_text(label_text(root, "user")).value_or(Id{});
  label.verdict = label_text(root, "verdict");
  label.note = label_text(root, "note");
  if (const auto entries = root.find("entries")) {
    for (const json::Value& each : entries->children())
      label.entries.push_back(id_from_text(each.string()).value_or(Id{}));
  }
  return label;
}

}  // namespace

void put_label(ChangeSet& changes, const Label& label) {
  json::Writer out;
  out.begin_object().member("assertion", label.assertion).member("user", to_text(label.user));
  out.member("verdict", label.verdict).member("note", label.note).key("entries").begin_array();
  for (const Id& entry : label.entries) out.string(to_text(entry));
  out.end_array().end_object();
  std::string key = label_key(label.result, label.id);
  std::string value = frame(key, label_revision, out.peek());
  changes.writes.push_back({TableId::labels, std::move(key), 0, std::move(value)});
}

void erase_label(ChangeSet& changes, const Label& label) {
  changes.writes.push_back({TableId::labels, label_key(label.result, label.id), label_revision, {}});
}

Expected<std::optional<Label>> find_label(const Snapshot& snapshot, const Id& result, const Id& label) {
  const std::string key = label_key(result, label);
  TRY(found, snapshot.value(TableId::labels, key));
  if (!found) return std::optional<Label>{};
  return read(key, found->payload);
}

std::vector<Label> labels_of(const Snapshot& snapshot, const std::optional<Id>& result) {
  std::vector<Label> labels;
  const std::string prefix(result ? result->key() : std::string_view());
  Cursor cursor(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[TableId::labels]);
  bool there = prefix.empty() ? cursor.first() : cursor.seek(prefix);
  for (; there && cursor.key().starts_with(prefix) && labels.size() < labels_max; there = cursor.next()) {
    const auto value = unframe(TableId::labels, cursor.key(), cursor.value());
    const auto* good = std::get_if<ValueView>(&value);
    auto label = good == nullptr ? std::nullopt : read(cursor.key(), good->payload);
    if (label) labels.push_back(std::move(*label));
  }
  return labels;
}

}  // namespace parley::store
