#include "store/side/idempotency_records.hpp"

#include <algorithm>

#include "model/json/json_writer.hpp"
#include "store/engine/lmdb.hpp"
#include "store/engine/raw_snapshot.hpp"

namespace parley::store {
namespace {

constexpr std::int64_t hour_ms = 3'600'000;
constexpr std::int64_t kept_ms = 24 * hour_ms;
constexpr std::int64_t span_ms = 8 * hour_ms;
constexpr std::size_t span_bytes = 4;

std::int64_t span_of(Time time) {
  return std::max<std::int64_t>(time.ms, 0) / span_ms;
}

std::string key_in(std::int64_t span, std::string_view fingerprint) {
  std::string key;
  append_u32(key, static_cast<std::uint32_t>(span));
  key += fingerprint;
  return key;
}

std::optional<IdempotencyRecord> read(std::string_view text) {
  const auto document = json::parse(text);
  if (!document) return std::nullopt;
  const json::Value root = document->root();
  const auto body = root.find("body");
  const auto status = root.find("status");
  const auto since = root.find("since");
  const auto ids = root.find("ids");
  if (!body || !status || !since || !ids) return std::nullopt;
  IdempotencyRecord found;
  found.body = body->string();
  found.status = static_cast<int>(status->integer().value_or(0));
  found.since.ms = since->integer().value_or(0);
  for (const json::Value& id : ids->children()) found.ids.push_back(id_from_text(id.string()).value_or(Id{}));
  return found;
}

}  // namespace

std::string idempotency_key(Time now, std::string_view fingerprint) {
  return key_in(span_of(now), fingerprint);
}

void remember(ChangeSet& changes, const NewIdempotencyRecord& request, std::span<const Id> ids) {
  CHECK(!ids.empty() && ids.size() <= idempotency_ids_max);
  json::Writer out;
  out.begin_object().member("body", request.body);
  out.key("status").integer(request.status).key("since").integer(request.since.ms);
  out.key("ids").begin_array();
  for (const Id& id : ids) out.string(to_text(id));
  out.end_array().end_object();
  changes.remember(request.key, out.peek());
}

bool remembers(const ChangeSet& changes, std::string_view key) {
  return std::any_of(changes.writes.begin(), changes.writes.end(), [&](const Write& write) {
    return write.table == TableId::idempotency && write.key == key;
  });
}

Expected<std::optional<IdempotencyRecord>> find_idempotency_record(const Snapshot& snapshot,
                                                                   std::string_view fingerprint, Time now) {
  // Also looks one span ahead: after a clock was set back, an effect must not be repeated (I11).
  for (std::int64_t span = span_of(now) + 1; span >= span_of(Time{now.ms - kept_ms}); --span) {
    TRY(text, snapshot.remembered(key_in(span, fingerprint)));
    if (!text) continue;
    auto found = read(*text);
    // Treating a damaged record as a new key could repeat the effect.
    if (!found) return problem_of(Corrupt{TableId::idempotency, key_in(span, fingerprint)});
    if (now.ms - found->since.ms < kept_ms) return found;
  }
  return std::optional<IdempotencyRecord>{};
}

std::size_t forget_expired(const Snapshot& snapshot, Time now, std::size_t most, ChangeSet& changes) {
  std::size_t count = 0;
  Cursor cursor(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[TableId::idempotency]);
  for (bool there = cursor.first(); there && count < most; there = cursor.next()) {
    const std::string_view key = cursor.key();
    if (key.size() < span_bytes) continue;
    const std::int64_t end_ms = (std::int64_t{u32_at(key)} + 1) * span_ms;
    if (now.ms - end_ms < kept_ms) break;
    changes.forget(key);
    ++count;
  }
  return count;
}

Problem still_in_progress() {
  return problem(ProblemKind::idempotency_key_in_progress,
                 "the first request with this Idempotency-Key is still in progress; retry shortly");
}

}  // namespace parley::store
