#pragma once
/// The single list of tables. A new table is one row here, one line in the schema below, and one migration
/// step; no other file names tables. Constants; any thread.
///
/// Schema 12. Ids are 16 bytes; numbers in keys are big-endian, so that byte order is number order. Every value
/// has the frame of value.hpp, except those of `index`, which are empty.
///
///   table                key                                         value
///   -------------------  ------------------------------------------  --------------------------------------
///   meta                 "schema"                                    version u32
///                        "audit"                                     the audit log's anchor; audit_format.hpp
///                        "log"                                       place in the log of several nodes; log_place.hpp
///                        "secrets"                                   fingerprint of the master key; master_key.hpp
///                        "pepper"                                    fingerprint of the pepper; pepper.hpp
///   scenarios..api_keys  id                                          JSON of the record (write_stored)
///   external_logs, runs  id                                          the same
///   run_cases            run id                                      JSON [[test id, count], ...] (D44)
///   result_heads         result id                                   JSON of ResultHead
///   result_cases         result id                                   JSON of ResultCase, never changed (I42)
///   result_extras        result id                                   JSON of ResultExtras
///   result_verdicts      result id                                   JSON of ResultVerdict (I21), the first one
///   later_verdicts       result id, version u32 from 2               the same, for a result that was scored again
///   result_reviews       result id                                   JSON of StoredReview
///   result_claims        result id                                   JSON of StoredClaims
///   entries              result id, ordinal of creation u32          header and JSON, see entry_codec.hpp
///   entry_orders         result id                                   u32 ordinals in conversation order; only
///                                                                    if an entry was inserted
///   index                kind u8, facet u8, value 16, shelf u8,      (empty)                          view
///                        id
///   counts               kind u8, facet u8, value 16, shelf u8       i64, rows of index               view
///   run_counters         run id                                      RunCounters                      view
///   case_counters        run id, test id (nil: none)                 CaseCounters                     view
///   unique               namespace u8, up to 300 bytes               id of the owner of the name
///   erasures             result id, its head is gone                 what is left to erase; pending_erasures.hpp
///   lineages             id of the first result of a chain           id of the newest one (D50)
///   idempotency          span u32, fingerprint                       JSON, at most 1 KiB (D9), see
///                                                                    idempotency_records.hpp
///   leases               agent id                                    until i64 ms, ids of results (D73)
///   answers              first two bytes of a digest                 the digest, then a model's answer; see
///                                                                    answer_cache_table.hpp
///   audit                seq u64                                     who changed what, chained; audit_format.hpp
///   sessions             "s" session id, or "c" digest of a code     JSON of a sign-in or a one-use code; sessions.hpp
///   labels               result id, label id; scenario id, u64       JSON: labels.hpp, failure_notes.hpp
///   webhooks             id                                          JSON of the record (write_stored)
///   notices              id of a record, event u8, revision u64      what webhooks are to report; notices.hpp
///   deliveries           shelf u8, webhook id, delivery id           JSON of Delivery; deliveries.hpp

#include <array>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "model/records/agent.hpp"
#include "model/records/external_log.hpp"
#include "model/records/named_records.hpp"
#include "model/records/run.hpp"
#include "model/records/scenario.hpp"
#include "model/records/scenario_configuration.hpp"
#include "model/records/scheduled_run.hpp"
#include "model/records/tag.hpp"
#include "model/records/test.hpp"
#include "model/records/test_result.hpp"
#include "model/records/user.hpp"
#include "model/records/webhook.hpp"

namespace parley::store {

enum class TableId : std::uint8_t {
  meta,
  scenarios,
  tests,
  agents,
  personalities,
  folders,
  tags,
  run_groups,
  scheduled_runs,
  scenario_configurations,
  users,
  api_keys,
  external_logs,
  runs,
  run_cases,
  result_heads,
  result_cases,
  result_extras,
  result_verdicts,
  entries,
  entry_orders,
  index,
  counts,
  run_counters,
  case_counters,
  unique,
  lineages,
  idempotency,
  leases,
  result_reviews,
  result_claims,
  answers,
  audit,
  later_verdicts,
  erasures,
  sessions,
  labels,
  webhooks,
  notices,
  deliveries,
};

/// One table: its number, and its name in the data file.
struct TableRow {
  TableId id;
  std::string_view name;
};

inline constexpr std::array all_tables{
    TableRow{TableId::meta, "meta"},
    TableRow{TableId::scenarios, "scenarios"},
    TableRow{TableId::tests, "tests"},
    TableRow{TableId::agents, "agents"},
    TableRow{TableId::personalities, "personalities"},
    TableRow{TableId::folders, "folders"},
    TableRow{TableId::tags, "tags"},
    TableRow{TableId::run_groups, "run_groups"},
    TableRow{TableId::scheduled_runs, "scheduled_runs"},
    TableRow{TableId::scenario_configurations, "scenario_configurations"},
    TableRow{TableId::users, "users"},
    TableRow{TableId::api_keys, "api_keys"},
    TableRow{TableId::external_logs, "external_logs"},
    TableRow{TableId::runs, "runs"},
    TableRow{TableId::run_cases, "run_cases"},
    TableRow{TableId::result_heads, "result_heads"},
    TableRow{TableId::result_cases, "result_cases"},
    TableRow{TableId::result_extras, "result_extras"},
    TableRow{TableId::result_verdicts, "result_verdicts"},
    TableRow{TableId::entries, "entries"},
    TableRow{TableId::entry_orders, "entry_orders"},
    TableRow{TableId::index, "index"},
    TableRow{TableId::counts, "counts"},
    TableRow{TableId::run_counters, "run_counters"},
    TableRow{TableId::case_counters, "case_counters"},
    TableRow{TableId::unique, "unique"},
    TableRow{TableId::lineages, "lineages"},
    TableRow{TableId::idempotency, "idempotency"},
    TableRow{TableId::leases, "leases"},
    TableRow{TableId::result_reviews, "result_reviews"},
    TableRow{TableId::result_claims, "result_claims"},
    TableRow{TableId::answers, "answers"},
    TableRow{TableId::audit, "audit"},
    TableRow{TableId::later_verdicts, "later_verdicts"},
    TableRow{TableId::erasures, "erasures"},
    TableRow{TableId::sessions, "sessions"},
    TableRow{TableId::labels, "labels"},
    TableRow{TableId::webhooks, "webhooks"},
    TableRow{TableId::notices, "notices"},
    TableRow{TableId::deliveries, "deliveries"},
};

[[nodiscard]] constexpr std::string_view name_of(TableId table) {
  return all_tables[static_cast<std::size_t>(table)].name;
}
static_assert([] {
  std::size_t number = 0;
  for (const TableRow& row : all_tables)
    if (static_cast<std::size_t>(row.id) != number++) return false;
  return number == static_cast<std::size_t>(TableId::deliveries) + 1;
}());

/// A table whose values are JSON of one described record, under an id.
template <class Record>
struct Table {
  TableId id;
};

/// The table of each record type.
inline constexpr std::tuple record_tables{
    Table<Scenario>{TableId::scenarios},
    Table<Test>{TableId::tests},
    Table<Agent>{TableId::agents},
    Table<Personality>{TableId::personalities},
    Table<Folder>{TableId::folders},
    Table<Tag>{TableId::tags},
    Table<RunGroup>{TableId::run_groups},
    Table<ScheduledRun>{TableId::scheduled_runs},
    Table<ScenarioConfiguration>{TableId::scenario_configurations},
    Table<User>{TableId::users},
    Table<ApiKey>{TableId::api_keys},
    Table<ExternalLog>{TableId::external_logs},
    Table<Run>{TableId::runs},
    Table<ResultHead>{TableId::result_heads},
    Table<TestCase>{TableId::result_cases},
    Table<ResultExtras>{TableId::result_extras},
    Table<ResultVerdict>{TableId::result_verdicts},
    Table<StoredReview>{TableId::result_reviews},
    Table<StoredClaims>{TableId::result_claims},
    Table<Webhook>{TableId::webhooks},
};

template <class Record, class Tables>
inline constexpr bool has_table = false;
template <class Record, class... Records>
inline constexpr bool has_table<Record, const std::tuple<Table<Records>...>> =
    (std::same_as<Record, Records> || ...);

template <class Record>
requires has_table<Record, decltype(record_tables)>
constexpr Table<Record> table_of() {
  return std::get<Table<Record>>(record_tables);
}

/// A record type with its own table.
template <class T>
concept Stored = Described<T> && requires {
  table_of<T>();
};
/// A stored record that has id, time and revision.
template <class T>
concept Stamped = Stored<T> && requires(T record) {
  T::kind;
  record.stamp;
  record.is_archived;
};
/// A part of a test result, stored under the result's id and guarded by the revision of its head.
template <class T>
concept Part = Stored<T> && !Stamped<T>;

/// Whether a part of this type must exist along with the head. A missing part that the head mentions was lost,
/// and must never be treated as one that was never written (I13). Heads of older versions do not mention all parts.
template <Part T>
[[nodiscard]] bool must_have(const ResultHead& head) {
  if constexpr (std::same_as<T, ResultExtras>) return head.has_extras.value_or(false);
  if constexpr (std::same_as<T, ResultVerdict>) return head.has_verdict();
  if constexpr (std::same_as<T, StoredReview>) return head.has_review.value_or(false);
  if constexpr (std::same_as<T, StoredClaims>) return head.has_claims.value_or(false);
  return std::same_as<T, TestCase>;  // written with the head
}

/// The table of a record kind; for a test result, the table of its head.
[[nodiscard]] TableId table_of(RecordKind kind);

/// The first byte of a key in `unique`: the group of names that must be unique. The numbers are part of the format.
enum class Namespace : std::uint8_t { api_key_prefix = 1, external_id = 2, local_agent = 3, applied = 4 };

/// The maximum length of a name in `unique` and of a key in `idempotency`; LMDB's limit is 511 bytes.
inline constexpr std::size_t name_bytes_max = 300;

}  // namespace parley::store
