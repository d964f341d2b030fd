#include "http/views/link.hpp"

#include "actors/run/run_loading.hpp"
#include "actors/run/run_machine.hpp"
#include "model/description/stored_text.hpp"

namespace parley::http {
namespace {

/// Links to records of this kind have no name.
bool is_nameless(RecordKind kind) {
  return kind == RecordKind::test_result;
}

/// The stored record; empty if it does not exist. A damaged record counts as missing: GET of that record reports the
/// damage (I13).
std::string_view record_of(const store::Snapshot& snapshot, RecordKind kind, const Id& id) {
  const auto value = snapshot.value(store::table_of(kind), id.key());
  return value.ok() && *value ? (*value)->payload : std::string_view();
}

/// The name of a run without a name of its own.
std::string name_of_scenario(const store::Snapshot& snapshot, std::string_view id_text) {
  const auto id = id_from_text(id_text);
  return id ? stored_member(record_of(snapshot, RecordKind::scenario, *id), "name") : std::string();
}

/// The status as GET of the run shows it (D44): a result that has just started or ended counts immediately, and a
/// shown status does not change when the run's record is updated later. Empty for a run that cannot be read.
/// `stored`: the status in the run's record.
std::string status_of_run(const store::Snapshot& snapshot, const Id& id, const std::string& stored) {
  const auto status = from_word<RunStatus>(stored);
  if (!status || is_terminal(*status)) return stored;
  // A running run usually has live results; then nothing more needs to be read.
  const auto counters = snapshot.run_counters(id);
  if (!counters || (*status == RunStatus::running && counters->live > 0)) return stored;
  const auto run = snapshot.find<Run>(id);
  if (!run || !*run) return stored;
  const auto facts = actors::load_facts(snapshot, **run);
  return facts ? std::string(word_of(actors::followed_status(**run, *facts))) : stored;
}

}  // namespace

void SnapshotLinker::append(json::Writer& out, RecordKind kind, const Id& id) const {
  const auto [at, is_new] = shown_.try_emplace({kind, id});
  if (is_new) at->second = shown(kind, id);
  out.raw(at->second);
}

std::string SnapshotLinker::shown(RecordKind kind, const Id& id) const {
  json::Writer out;
  out.begin_object();
  out.member("id", to_text(id));
  if (!is_nameless(kind)) {
    const std::string_view record = record_of(snapshot_, kind, id);
    if (kind == RecordKind::run) {
      const auto [run_name, scenario, status] = stored_members(record, {"name", "scenario", "status"});
      out.member("name", run_name.empty() ? name_of_scenario(snapshot_, scenario) : run_name);
      out.member("status", status_of_run(snapshot_, id, status));
    } else if (kind == RecordKind::external_log) {
      const auto [description, external_id] = stored_members(record, {"description", "externalId"});
      out.member("name", description);
      out.member("externalId", external_id);
    } else if (kind == RecordKind::agent) {
      const auto [name, type] = stored_members(record, {"name", "type"});
      out.member("name", name);
      out.member("type", type);
    } else {
      out.member("name", stored_member(record, "name"));
    }
  }
  out.end_object();
  return std::move(out).text();
}

}  // namespace parley::http
