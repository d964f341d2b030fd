#pragma once
/// THE list of tables. One row here, one line in the schema below and one migration step make a table;
/// nothing else names one. Constants; any thread.
///
/// Schema 7. Ids are 16 bytes; numbers in keys are big-endian, so that byte order is number order. Every
/// value but those of `index` (which are empty) stands in the frame of value.hpp.
///
///   table                key                                         value
///   -------------------  ------------------------------------------  --------------------------------------
///   meta                 "schema"                                    version u32
///                        "audit"                                     what was let go of `audit`; audit_format.hpp
///                        "secrets"                                   fingerprint of the master key; master_key.hpp
///   scenarios..api_keys  id                                          JSON of the record (write_stored)
///   external_logs, runs  id                                          the same
///   run_cases            run id                                      JSON [[test id, count], ...] (D44)
///   result_heads         result id                                   JSON of ResultHead
///   result_cases         result id                                   JSON of ResultCase, never changed (I42)
///   result_extras        result id                                   JSON of ResultExtras
///   result_verdicts      result id                                   JSON of ResultVerdict (I21), the first one
///   later_verdicts       result id, version u32 from 2               the same, of a result that was scored again
///   result_reviews       result id                                   JSON of StoredReview
///   result_claims        result id                                   JSON of StoredClaims
///   entries              result id, ordinal of creation u32          header and JSON, see entry_codec.hpp
///   entry_orders         result id                                   u32 ordinals in conversation order; only
///                                                                    where an entry was inserted
///   index                kind u8, facet u8, value 16, archived u8,   (empty)                          view
///                        id
///   counts               kind u8, facet u8, value 16, archived u8    i64, rows of index               view
///   run_counters         run id                                      RunCounters                      view
///   case_counters        run id, test id (nil: none)                 CaseCounters                     view
///   unique               namespace u8, up to 300 bytes               id of the owner of the name
///   erasures             result id, its head is gone                 what is left of it to erase; see erasures.hpp
///   lineages             id of the first result of a chain           id of the newest one (D50)
///   idempotency          span u32, fingerprint                       JSON, at most 1 KiB (D9), see remembered.hpp
///   leases               agent id                                    until i64 ms, ids of results (D73)
///   answers              first two bytes of a digest                 the digest, then a model's answer; see
///                                                                    kept_answers.hpp
///   audit                seq u64                                     who changed what, chained; audit_format.hpp

#include <array>
#include <cstdint>
#include <string_view>

#include "model/agent.hpp"
#include "model/directory_records.hpp"
#include "model/external_log.hpp"
#include "model/run.hpp"
#include "model/scenario.hpp"
#include "model/scenario_configuration.hpp"
#include "model/scheduled_run.hpp"
#include "model/tag.hpp"
#include "model/test.hpp"
#include "model/test_result.hpp"
#include "model/user.hpp"

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
};

/// Names in the data file, in the order of the enum.
inline constexpr std::array<std::string_view, 35> table_names{"meta",
                                                              "scenarios",
                                                              "tests",
                                                              "agents",
                                                              "personalities",
                                                              "folders",
                                                              "tags",
                                                              "run_groups",
                                                              "scheduled_runs",
                                                              "scenario_configurations",
                                                              "users",
                                                              "api_keys",
                                                              "external_logs",
                                                              "runs",
                                                              "run_cases",
                                                              "result_heads",
                                                              "result_cases",
                                                              "result_extras",
                                                              "result_verdicts",
                                                              "entries",
                                                              "entry_orders",
                                                              "index",
                                                              "counts",
                                                              "run_counters",
                                                              "case_counters",
                                                              "unique",
                                                              "lineages",
                                                              "idempotency",
                                                              "leases",
                                                              "result_reviews",
                                                              "result_claims",
                                                              "answers",
                                                              "audit",
                                                              "later_verdicts",
                                                              "erasures"};
static_assert(table_names.size() == static_cast<std::size_t>(TableId::erasures) + 1);

[[nodiscard]] constexpr std::string_view name_of(TableId table) {
  return table_names[static_cast<std::size_t>(table)];
}

/// A table whose values are JSON of one described record, under an id.
template <class Record>
struct Table {
  TableId id;
};

namespace table {
inline constexpr Table<Scenario> scenarios{TableId::scenarios};
inline constexpr Table<Test> tests{TableId::tests};
inline constexpr Table<Agent> agents{TableId::agents};
inline constexpr Table<Personality> personalities{TableId::personalities};
inline constexpr Table<Folder> folders{TableId::folders};
inline constexpr Table<Tag> tags{TableId::tags};
inline constexpr Table<RunGroup> run_groups{TableId::run_groups};
inline constexpr Table<ScheduledRun> scheduled_runs{TableId::scheduled_runs};
inline constexpr Table<ScenarioConfiguration> scenario_configurations{TableId::scenario_configurations};
inline constexpr Table<User> users{TableId::users};
inline constexpr Table<ApiKey> api_keys{TableId::api_keys};
inline constexpr Table<ExternalLog> external_logs{TableId::external_logs};
inline constexpr Table<Run> runs{TableId::runs};
inline constexpr Table<ResultHead> result_heads{TableId::result_heads};
inline constexpr Table<ResultCase> result_cases{TableId::result_cases};
inline constexpr Table<ResultExtras> result_extras{TableId::result_extras};
inline constexpr Table<ResultVerdict> result_verdicts{TableId::result_verdicts};
inline constexpr Table<StoredReview> result_reviews{TableId::result_reviews};
inline constexpr Table<StoredClaims> result_claims{TableId::result_claims};
}  // namespace table

template <class Record>
constexpr Table<Record> table_of() = delete;
template <>
constexpr Table<Scenario> table_of() {
  return table::scenarios;
}
template <>
constexpr Table<Test> table_of() {
  return table::tests;
}
template <>
constexpr Table<Agent> table_of() {
  return table::agents;
}
template <>
constexpr Table<Personality> table_of() {
  return table::personalities;
}
template <>
constexpr Table<Folder> table_of() {
  return table::folders;
}
template <>
constexpr Table<RunGroup> table_of() {
  return table::run_groups;
}
template <>
constexpr Table<Tag> table_of() {
  return table::tags;
}
template <>
constexpr Table<ScheduledRun> table_of() {
  return table::scheduled_runs;
}
template <>
constexpr Table<ScenarioConfiguration> table_of() {
  return table::scenario_configurations;
}
template <>
constexpr Table<User> table_of() {
  return table::users;
}
template <>
constexpr Table<ApiKey> table_of() {
  return table::api_keys;
}
template <>
constexpr Table<ExternalLog> table_of() {
  return table::external_logs;
}
template <>
constexpr Table<Run> table_of() {
  return table::runs;
}
template <>
constexpr Table<ResultHead> table_of() {
  return table::result_heads;
}
template <>
constexpr Table<ResultCase> table_of() {
  return table::result_cases;
}
template <>
constexpr Table<ResultExtras> table_of() {
  return table::result_extras;
}
template <>
constexpr Table<ResultVerdict> table_of() {
  return table::result_verdicts;
}
template <>
constexpr Table<StoredReview> table_of() {
  return table::result_reviews;
}
template <>
constexpr Table<StoredClaims> table_of() {
  return table::result_claims;
}

/// A record with a table of its own.
template <class T>
concept Stored = Described<T> && requires {
  table_of<T>();
};
/// A stored record that carries id, time and revision.
template <class T>
concept Stamped = Stored<T> && requires(T record) {
  T::kind;
  record.stamp;
  record.is_archived;
};
/// A piece of a test result, kept under the result's id and guarded by the revision of its head.
template <class T>
concept Part = Stored<T> && !Stamped<T>;

/// Where records of a kind stand; of a test result its head.
[[nodiscard]] TableId table_of(RecordKind kind);

/// First byte of a key in `unique`: what must not be given twice. The numbers are part of the format.
enum class Namespace : std::uint8_t { api_key_prefix = 1, external_id = 2, local_agent = 3 };

/// Longest name in `unique` and longest key in `idempotency`; LMDB's own limit is 511 bytes.
inline constexpr std::size_t name_bytes_max = 300;

}  // namespace parley::store
