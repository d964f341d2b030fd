#include "store/side/runner_leases.hpp"

#include "store/engine/raw_snapshot.hpp"
#include "store/engine/row_keys.hpp"

namespace parley::store {
namespace {

Slice waiting_slice(const Id& agent) {
  return {RecordKind::test_result, Facet::waiting, value_of(agent)};
}

std::vector<Id> ids_of(const Snapshot& snapshot, const Slice& slice,
                       const std::function<bool(const Id&)>& takes, std::size_t most) {
  std::vector<Id> ids;
  const std::string prefix = slice_key(slice);
  Cursor cursor(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[TableId::index]);
  for (bool there = cursor.seek(prefix); there && ids.size() < most; there = cursor.next()) {
    if (!cursor.key().starts_with(prefix)) break;
    const Id id = id_at(cursor.key().substr(prefix.size()));
    if (takes(id)) ids.push_back(id);
  }
  return ids;
}

}  // namespace

Expected<Leases> leases_of(const Snapshot& snapshot, const Id& agent) {
  Leases leases;
  TRY(found, snapshot.value(TableId::leases, agent.key()));
  if (!found) return leases;
  if (found->payload.size() < 8) return problem_of(Corrupt{TableId::leases, std::string(agent.key())});
  leases.revision = found->revision;
  leases.until.ms = static_cast<std::int64_t>(u64_at(found->payload));
  for (auto rest = found->payload.substr(8); rest.size() >= id_bytes; rest.remove_prefix(id_bytes)) {
    leases.results.push_back(id_at(rest));
  }
  return leases;
}

void put_leases(ChangeSet& changes, const Id& agent, const Leases& leases) {
  std::string key(agent.key());
  if (leases.results.empty()) {
    if (leases.revision != 0)
      changes.writes.push_back({TableId::leases, std::move(key), leases.revision, {}});
    return;
  }
  std::string payload;
  append_u64(payload, static_cast<std::uint64_t>(leases.until.ms));
  for (const Id& id : leases.results) payload += id.key();
  std::string value = frame(key, leases.revision + 1, payload);
  changes.writes.push_back({TableId::leases, std::move(key), leases.revision, std::move(value)});
}

void guard_leases(ChangeSet& changes, const Id& agent, const Leases& leases) {
  changes.guards.push_back({TableId::leases, std::string(agent.key()), leases.revision});
}

bool is_waiting(const Snapshot& snapshot, const Id& agent, const Id& result) {
  const std::string key = index_key(waiting_slice(agent), result);
  return get(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[TableId::index], key).has_value();
}

std::vector<Id> waiting_of(const Snapshot& snapshot, const Id& agent,
                           const std::function<bool(const Id&)>& takes, std::size_t most) {
  return ids_of(snapshot, waiting_slice(agent), takes, most);
}

std::vector<Id> waiting_of_run(const Snapshot& snapshot, const Id& agent, const Id& run,
                               const std::function<bool(const Id&)>& takes, std::size_t most) {
  return ids_of(
      snapshot, {RecordKind::test_result, Facet::live_of_run, value_of(run)},
      [&](const Id& id) { return is_waiting(snapshot, agent, id) && takes(id); }, most);
}

}  // namespace parley::store
