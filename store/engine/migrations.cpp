#include "store/engine/migrations.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "model/description/record_parse.hpp"
#include "model/description/stored_reader.hpp"
#include "model/expected.hpp"
#include "store/engine/row_keys.hpp"
#include "store/views/views.hpp"

namespace parley::store {
namespace {

struct Step {
  std::uint32_t version;  ///< schema after the step
  void (*apply)(MDB_txn* transaction);
};

MDB_dbi make_table(MDB_txn* transaction, std::string_view name) {
  MDB_dbi table = 0;
  require(mdb_dbi_open(transaction, std::string(name).c_str(), MDB_CREATE, &table), "create a table");
  return table;
}

/// Creates the tables from meta to idempotency, all empty.
void make_schema_1(MDB_txn* transaction) {
  constexpr std::size_t tables_of_schema_1 = 28;
  for (std::size_t i = 0; i < tables_of_schema_1; ++i) make_table(transaction, all_tables.at(i).name);
}

/// Calls `take` with the head and the id of each readable result.
template <class Take>
void each_head(MDB_txn* transaction, const Take& take) {
  Cursor cursor(transaction, make_table(transaction, name_of(TableId::result_heads)));
  for (bool there = cursor.first(); there; there = cursor.next()) {
    const auto value = unframe(TableId::result_heads, cursor.key(), cursor.value());
    const auto* good = std::get_if<ValueView>(&value);
    ResultHead head;
    if (good != nullptr && parse_stored(good->payload, head)) take(head, id_at(cursor.key()));
  }
}

/// Adds a facet row for each result that needs one. Needs: no result has one yet.
void fill(MDB_txn* transaction, Facet facet) {
  const MDB_dbi index = make_table(transaction, name_of(TableId::index));
  const MDB_dbi counts = make_table(transaction, name_of(TableId::counts));
  std::map<std::string, std::uint64_t> rows;  // by slice
  std::vector<std::string> keys;
  each_head(transaction, [&](const ResultHead& head, const Id& id) {
    for (const FacetRow& row : facets_of(head)) {
      if (row.facet != facet) continue;
      const Slice slice = slice_of(RecordKind::test_result, row, Shelf::current);
      keys.push_back(index_key(slice, id));
      ++rows[slice_key(slice)];
    }
  });
  for (const std::string& key : keys) put(transaction, index, key, {});
  for (const auto& [key, count] : rows) {
    std::string payload;
    append_u64(payload, count);
    put(transaction, counts, key, frame(key, 0, payload));
  }
}

/// Adds to the row count of a slice.
void add_count(MDB_txn* transaction, const std::string& key, std::int64_t change) {
  const MDB_dbi counts = make_table(transaction, name_of(TableId::counts));
  std::int64_t sum = change;
  if (const auto stored = get(transaction, counts, key)) {
    const auto value = unframe(TableId::counts, key, *stored);
    const auto* good = std::get_if<ValueView>(&value);
    if (good != nullptr && good->payload.size() == 8) sum += static_cast<std::int64_t>(u64_at(good->payload));
  }
  if (sum <= 0) return erase(transaction, counts, key);
  std::string payload;
  append_u64(payload, static_cast<std::uint64_t>(sum));
  put(transaction, counts, key, frame(key, 0, payload));
}

/// Removes the rows of one slice.
void clear(MDB_txn* transaction, const Slice& slice) {
  const MDB_dbi index = make_table(transaction, name_of(TableId::index));
  const std::string prefix = slice_key(slice);
  std::vector<std::string> keys;
  Cursor cursor(transaction, index);
  for (bool there = cursor.seek(prefix); there && cursor.key().starts_with(prefix); there = cursor.next())
    keys.emplace_back(cursor.key());
  for (const std::string& key : keys) erase(transaction, index, key);
  erase(transaction, make_table(transaction, name_of(TableId::counts)), prefix);
}

/// Adds runner leases (D73) and an index of the results that wait for runners.
void make_schema_2(MDB_txn* transaction) {
  make_table(transaction, name_of(TableId::leases));
  fill(transaction, Facet::waiting);
}

/// The run counters got more numbers, so all are recomputed from the heads.
void count_runs(MDB_txn* transaction) {
  const MDB_dbi counters = make_table(transaction, name_of(TableId::run_counters));
  ViewChanges views;
  each_head(transaction, [&](const ResultHead& head, const Id&) { add_shares(views, head, 1); });
  settle(views);
  require(mdb_drop(transaction, counters, 0), "empty a table");
  for (const auto& [run, share] : views.runs) {
    put(transaction, counters, run.key(), frame(run.key(), 0, encode_counters(share)));
  }
}

/// Adds reviews and claims to results, and first attempts and retries to runs.
void make_schema_3(MDB_txn* transaction) {
  make_table(transaction, name_of(TableId::result_reviews));
  make_table(transaction, name_of(TableId::result_claims));
  count_runs(transaction);
}

/// Adds cached model answers.
void make_schema_4(MDB_txn* transaction) {
  make_table(transaction, name_of(TableId::answers));
}

/// Adds the audit log.
void make_schema_5(MDB_txn* transaction) {
  make_table(transaction, name_of(TableId::audit));
}

/// Adds verdicts of results that were scored again. Schema 5 stored them in the first verdict, where they are
/// still read.
void make_schema_6(MDB_txn* transaction) {
  make_table(transaction, name_of(TableId::later_verdicts));
}

/// Adds deleted results whose texts are not yet erased.
void make_schema_7(MDB_txn* transaction) {
  make_table(transaction, name_of(TableId::erasures));
}

/// Indexes only what a start must check, instead of everything that is not finished.
void make_schema_8(MDB_txn* transaction) {
  clear(transaction, {RecordKind::test_result, Facet::live});
  fill(transaction, Facet::owed);
}

/// Moves results that a retry replaced to a separate shelf, which lists omit.
void make_schema_9(MDB_txn* transaction) {
  const MDB_dbi index = make_table(transaction, name_of(TableId::index));
  std::map<std::string, std::int64_t> counts;
  each_head(transaction, [&](const ResultHead& head, const Id& id) {
    if (shelf_of(head) != Shelf::retired) return;
    for (const FacetRow& row : facets_of(head)) {
      const Slice from = slice_of(RecordKind::test_result, row, Shelf::current);
      const Slice to = slice_of(RecordKind::test_result, row, Shelf::retired);
      const std::string key = index_key(from, id);
      if (from.shelf == to.shelf || !get(transaction, index, key)) continue;
      erase(transaction, index, key);
      put(transaction, index, index_key(to, id), {});
      --counts[slice_key(from)];
      ++counts[slice_key(to)];
    }
  });
  for (const auto& [key, change] : counts) add_count(transaction, key, change);
}

/// Adds warnings and model usage to the run counters.
void make_schema_10(MDB_txn* transaction) {
  count_runs(transaction);
}

/// Adds a histogram of response times to the run counters; it is empty for results that were scored before.
void pad_run_counters(MDB_txn* transaction) {
  const MDB_dbi counters = make_table(transaction, name_of(TableId::run_counters));
  const std::size_t bytes = encode_counters(RunCounters{}).size();
  std::map<std::string, std::string> padded;
  Cursor cursor(transaction, counters);
  for (bool there = cursor.first(); there; there = cursor.next()) {
    const auto value = unframe(TableId::run_counters, cursor.key(), cursor.value());
    const auto* good = std::get_if<ValueView>(&value);
    if (good == nullptr || good->payload.size() >= bytes) continue;
    std::string payload(good->payload);
    payload.resize(bytes, '\0');
    padded.emplace(cursor.key(), frame(cursor.key(), good->revision, payload));
  }
  for (const auto& [key, value] : padded) put(transaction, counters, key, value);
}

/// Adds sign-ins to the web page, and labels that people give to results.
void make_schema_11(MDB_txn* transaction) {
  make_table(transaction, name_of(TableId::sessions));
  make_table(transaction, name_of(TableId::labels));
  pad_run_counters(transaction);
}

/// Adds webhooks and their pending deliveries.
void make_schema_12(MDB_txn* transaction) {
  for (const TableId table : {TableId::webhooks, TableId::notices, TableId::deliveries})
    make_table(transaction, name_of(table));
}

constexpr std::array steps{Step{1, make_schema_1},   Step{2, make_schema_2},   Step{3, make_schema_3},
                           Step{4, make_schema_4},   Step{5, make_schema_5},   Step{6, make_schema_6},
                           Step{7, make_schema_7},   Step{8, make_schema_8},   Step{9, make_schema_9},
                           Step{10, make_schema_10}, Step{11, make_schema_11}, Step{12, make_schema_12}};

constexpr std::uint32_t current_version = steps.back().version;

/// The problem of a data file that parley did not write.
Problem damaged(std::string detail) {
  return problem(ProblemKind::internal, std::move(detail));
}

bool is_empty(MDB_txn* transaction) {
  MDB_dbi names = 0;
  MDB_stat status{};
  require(mdb_dbi_open(transaction, nullptr, 0, &names), "open the list of tables");
  require(mdb_stat(transaction, names, &status), "read the list of tables");
  return status.ms_entries == 0;
}

/// The schema version; 0 for a new file.
Expected<std::uint32_t> version_of(MDB_txn* transaction) {
  if (is_empty(transaction)) return std::uint32_t{0};
  MDB_dbi meta = 0;
  const int code = mdb_dbi_open(transaction, std::string(name_of(TableId::meta)).c_str(), 0, &meta);
  if (code == MDB_NOTFOUND || code == MDB_INCOMPATIBLE) return damaged("The data file is not parley's.");
  require(code, "open a table");
  const auto stored = get(transaction, meta, schema_key);
  if (!stored) return damaged("The data file is not parley's.");
  const auto value = unframe(TableId::meta, schema_key, *stored);
  const auto* good = std::get_if<ValueView>(&value);
  if (good == nullptr || good->payload.size() != 4) {
    return damaged("The data file's schema version is damaged; restore the directory from a backup.");
  }
  return u32_at(good->payload);
}

void put_version(MDB_txn* transaction, std::uint32_t schema) {
  std::string version;
  append_u32(version, schema);
  put(transaction, make_table(transaction, name_of(TableId::meta)), schema_key,
      frame(schema_key, 0, version));
}

constexpr MDB_dbi no_table = ~MDB_dbi{0};

/// `is_older`: the file has an older schema, so tables of later schemas may be missing.
Expected<Tables> open_tables(MDB_txn* transaction, bool is_older) {
  Tables tables{};
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::string name(all_tables.at(i).name);
    const int code = mdb_dbi_open(transaction, name.c_str(), 0, &tables.at(i));
    if (code == MDB_NOTFOUND && is_older) {
      tables.at(i) = no_table;
      continue;
    }
    if (code == MDB_NOTFOUND || code == MDB_INCOMPATIBLE) {
      return damaged("The data file lacks the table " + name + "; restore the directory from a backup.");
    }
    require(code, "open a table");
  }
  return tables;
}

}  // namespace

std::uint32_t current_schema() {
  return current_version;
}

Expected<Migrated> migrate(MDB_env* environment, std::uint32_t schema_max) {
  WriteTransaction transaction(environment);
  TRY(version, version_of(transaction.handle()));
  if (version > current_version) {
    return problem(ProblemKind::store_refuses,
                   "The data file has schema " + std::to_string(version) + ", this parley knows up to " +
                       std::to_string(current_version) + ". Start a newer parley.");
  }
  const std::uint32_t target = std::max(version, std::min(schema_max, current_version));
  for (const Step& step : steps) {
    if (step.version > version && step.version <= target) step.apply(transaction.handle());
  }
  if (version < target) put_version(transaction.handle(), target);
  TRY(tables, open_tables(transaction.handle(), target < current_version));
  require(transaction.commit(), "commit the schema");
  return Migrated{tables, version, target};
}

}  // namespace parley::store
