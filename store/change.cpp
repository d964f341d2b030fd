#include "store/change.hpp"

#include "store/engine/row_keys.hpp"
#include "store/side/pending_erasures.hpp"

namespace parley::store {
namespace {

constexpr std::uint64_t first_revision = 1;

}  // namespace

void ChangeSet::append_entry(const Stamp& head, std::uint32_t ordinal, const StoredEntry& entry) {
  guard_head(head);
  std::string key = entry_key(head.id, ordinal);
  std::string value = frame(key, first_revision, encode(entry));
  writes.push_back({TableId::entries, std::move(key), 0, std::move(value)});
}

void ChangeSet::put_entry(const Stamp& head, std::uint32_t ordinal, const StoredEntry& entry) {
  guard_head(head);
  std::string key = entry_key(head.id, ordinal);
  std::string value = frame(key, first_revision, encode(entry));
  writes.push_back({TableId::entries, std::move(key), first_revision, std::move(value)});
}

void ChangeSet::put_order(const Id& result, std::span<const std::uint32_t> ordinals) {
  std::string payload;
  payload.reserve(ordinals.size() * 4);
  for (const std::uint32_t ordinal : ordinals) append_u32(payload, ordinal);
  put_unguarded(TableId::entry_orders, result, payload);
}

void ChangeSet::put_run_cases(const Id& run, const std::vector<ExpectedCase>& cases) {
  json::Writer out;
  out.begin_array();
  for (const ExpectedCase& expected : cases) {
    out.begin_array().string(to_text(expected.test)).integer(expected.count).end_array();
  }
  out.end_array();
  put_unguarded(TableId::run_cases, run, out.peek());
}

void ChangeSet::put_verdict(const Id& result, std::int64_t version, const ResultVerdict& verdict) {
  if (version == 1) return put_part(result, verdict);
  std::string key = verdict_key(result, version);
  std::string value = frame(key, first_revision, write_stored(verdict));
  writes.push_back({TableId::later_verdicts, std::move(key), any_revision, std::move(value)});
}

void ChangeSet::erase_verdict(const Id& result, std::int64_t version) {
  if (version > 1)
    writes.push_back({TableId::later_verdicts, verdict_key(result, version), any_revision, {}});
}

void ChangeSet::erase_result(const ResultHead& head, std::uint32_t entries) {
  erase(head);
  erase_texts(head.stamp.id, head.rescored, entries, 0);
}

void ChangeSet::erase_result_head(const ResultHead& head, std::uint32_t entries) {
  erase(head);
  put_erasure(head.stamp.id, head.rescored, entries);
}

void ChangeSet::erase_texts(const Id& result, std::int64_t rescored, std::uint32_t entries,
                            std::uint32_t kept) {
  for (std::uint32_t ordinal = kept; ordinal < entries; ++ordinal)
    writes.push_back({TableId::entries, entry_key(result, ordinal), any_revision, {}});
  if (kept > 0) return;
  const std::string key(result.key());
  for (const TableId part : {TableId::result_cases, TableId::result_extras, TableId::result_verdicts,
                             TableId::result_reviews, TableId::result_claims, TableId::entry_orders}) {
    writes.push_back({part, key, any_revision, {}});
  }
  const std::int64_t newest = rescored + 1;
  const auto most = static_cast<std::int64_t>(limits::verdicts_kept_max);
  for (std::int64_t version = std::max<std::int64_t>(2, newest - most); version <= newest; ++version)
    erase_verdict(result, version);
}

void ChangeSet::put_erasure(const Id& result, std::int64_t rescored, std::uint32_t entries) {
  put_unguarded(TableId::erasures, result, encode_erasure({rescored, entries}));
}

void ChangeSet::forget_erasure(const Id& result) {
  writes.push_back({TableId::erasures, std::string(result.key()), any_revision, {}});
}

void ChangeSet::erase_run(const Run& run) {
  erase(run);
  writes.push_back({TableId::run_cases, std::string(run.stamp.id.key()), any_revision, {}});
}

void ChangeSet::claim_unique(Namespace space, std::string_view name, const Id& owner) {
  std::string key = unique_key(space, name);
  std::string value = frame(key, first_revision, owner.key());
  writes.push_back({TableId::unique, std::move(key), 0, std::move(value)});
}

void ChangeSet::release_unique(Namespace space, std::string_view name) {
  writes.push_back({TableId::unique, unique_key(space, name), first_revision, {}});
}

void ChangeSet::put_lineage(const Id& root, const Id& newest, std::uint64_t expected) {
  std::string value = frame(root.key(), expected + 1, newest.key());
  writes.push_back({TableId::lineages, std::string(root.key()), expected, std::move(value)});
}

void ChangeSet::erase_lineage(const Id& root, std::uint64_t expected) {
  writes.push_back({TableId::lineages, std::string(root.key()), expected, {}});
}

void ChangeSet::remember(std::string_view idempotency_key, std::string_view json) {
  CHECK(may_be_name(idempotency_key));
  std::string value = frame(idempotency_key, first_revision, json);
  writes.push_back({TableId::idempotency, std::string(idempotency_key), 0, std::move(value)});
}

void ChangeSet::forget(std::string_view idempotency_key) {
  writes.push_back({TableId::idempotency, std::string(idempotency_key), first_revision, {}});
}

std::size_t ChangeSet::bytes() const {
  std::size_t sum = 0;
  for (const Write& write : writes) sum += write.key.size() + write.value.size();
  return sum;
}

void ChangeSet::put_stamped(TableId table, const Id& id, std::uint64_t expected, std::uint64_t revision,
                            std::string_view json) {
  CHECK(!id.is_nil());
  std::string key(id.key());
  std::string value = json.empty() ? std::string() : frame(key, revision, json);
  writes.push_back({table, std::move(key), expected, std::move(value)});
}

void ChangeSet::put_unguarded(TableId table, const Id& id, std::string_view payload) {
  std::string key(id.key());
  std::string value = frame(key, first_revision, payload);
  writes.push_back({table, std::move(key), any_revision, std::move(value)});
}

void ChangeSet::guard_head(const Stamp& head) {
  guards.push_back({TableId::result_heads, std::string(head.id.key()), head.revision});
}

}  // namespace parley::store
