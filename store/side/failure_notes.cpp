#include "store/side/failure_notes.hpp"

#include <charconv>

#include "model/json/json_writer.hpp"
#include "store/engine/row_keys.hpp"

namespace parley::store {
namespace {

constexpr std::size_t signature_chars = 16;

std::optional<std::string> note_key(const FailureGroup& group) {
  std::uint64_t signature = 0;
  const char* end = group.signature.data() + group.signature.size();
  const auto read = std::from_chars(group.signature.data(), end, signature, 16);
  if (group.signature.size() != signature_chars || read.ec != std::errc{} || read.ptr != end)
    return std::nullopt;
  std::string key(group.scenario.key());
  append_u64(key, signature);
  return key;
}

struct StoredNote {
  std::string text;
  std::uint64_t revision = 0;  ///< 0: the group has no note
};

Expected<StoredNote> stored_note(const Snapshot& snapshot, const std::string& key) {
  TRY(found, snapshot.value(TableId::labels, key));
  if (!found) return StoredNote{};
  const auto document = json::parse(found->payload);
  const auto note = document.ok() ? document->root().find("note") : std::nullopt;
  if (!note || !note->is(json::Kind::string)) return snapshot.report(TableId::labels, key);
  return StoredNote{std::string(note->string()), found->revision};
}

}  // namespace

Expected<std::optional<std::string>> find_failure_note(const Snapshot& snapshot, const FailureGroup& group) {
  const auto key = note_key(group);
  if (!key) return std::optional<std::string>{};
  TRY(stored, stored_note(snapshot, *key));
  return stored.revision == 0 ? std::nullopt : std::optional(std::move(stored.text));
}

Expected<Done> put_failure_note(ChangeSet& changes, const Snapshot& snapshot, const FailureGroup& group,
                                const std::string& note) {
  const auto key = note_key(group);
  CHECK(key);
  TRY(stored, stored_note(snapshot, *key));
  if (note == stored.text) return Done{};
  std::string value;
  if (!note.empty()) {
    json::Writer out;
    out.begin_object().member("note", note).end_object();
    value = frame(*key, stored.revision + 1, out.peek());
  }
  changes.writes.push_back({TableId::labels, *key, stored.revision, std::move(value)});
  return Done{};
}

}  // namespace parley::store
