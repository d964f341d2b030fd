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

/// A string member of the stored record; empty if the record does not exist. A damaged record counts as missing: GET
/// of that record reports the damage (I13).
std::string member_of(const store::Snapshot& snapshot, RecordKind kind, const Id& id, std::string_view name) {
  const auto value = snapshot.value(store::table_of(kind), id.key());
  if (!value.ok() || !*value) return {};
  return stored_member((*value)->payload, name);
}

/// The status as GET of the run shows it (D44): a result that has just started or ended counts immediately, and a
/// shown status does not change when the run's record is updated later. Empty for a run that cannot be read.
std::string status_of_run(const store::Snapshot& snapshot, const Id& id) {
  std::string stored = member_of(snapshot, RecordKind::run, id, "status");
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
    const auto at = [&](std::string_view key) { return member_of(snapshot_, kind, id, key); };
    if (kind == RecordKind::run) {
      std::string name = at("name");
      const auto scenario = name.empty() ? id_from_text(at("scenario")) : std::nullopt;
      if (scenario) name = member_of(snapshot_, RecordKind::scenario, *scenario, "name");
      out.member("name", name);
      out.member("status", status_of_run(snapshot_, id));
    } else if (kind == RecordKind::external_log) {
      out.member("name", at("description"));
      out.member("externalId", at("externalId"));
    } else {
      out.member("name", at("name"));
    }
    if (kind == RecordKind::agent) out.member("type", at("type"));
  }
  out.end_object();
  return std::move(out).text();
}

}  // namespace parley::http
