#include "store/verify.hpp"

#include "store/environment.hpp"

namespace parley::store {
namespace {

/// Bound of one report.
constexpr std::size_t corrupt_max = 1'000;

void add(Verdict& verdict, Corrupt place) {
  if (verdict.corrupt.size() < corrupt_max) verdict.corrupt.push_back(std::move(place));
}

void verify_table(const Snapshot& snapshot, TableId table, Verdict& verdict) {
  Cursor cursor(snapshot.transaction(), snapshot.environment()[table]);
  std::size_t rows = 0;
  std::string last;
  for (bool there = cursor.first(); there; there = cursor.next()) {
    if (rows++ > 0 && cursor.key() <= last) add(verdict, {table, std::string(cursor.key())});
    last = cursor.key();
    if (table == TableId::index) continue;  // keys alone
    ++verdict.values;
    const auto read = unframe(table, cursor.key(), cursor.value());
    const auto* corrupt = std::get_if<Corrupt>(&read);
    if (corrupt != nullptr) add(verdict, *corrupt);
  }
  MDB_stat status{};
  require(mdb_stat(snapshot.transaction(), snapshot.environment()[table], &status), "count a table's rows");
  if (rows != status.ms_entries) add(verdict, {table, last});
}

/// What the head tells of and is not there.
void verify_result(const Snapshot& snapshot, const ResultHead& head, Verdict& verdict) {
  const auto look = [&](TableId table, const auto& read) {
    if (!read.ok()) add(verdict, {table, std::string(head.stamp.id.key())});
  };
  const auto visit = [](std::uint32_t, const StoredEntry&) { return true; };
  look(TableId::entries, snapshot.for_each_entry(head, visit));
  look(TableId::result_cases, snapshot.part<ResultCase>(head));
  look(TableId::result_extras, snapshot.part<ResultExtras>(head));
  look(TableId::result_verdicts, snapshot.verdict(head));
  look(TableId::result_reviews, snapshot.part<StoredReview>(head));
  look(TableId::result_claims, snapshot.part<StoredClaims>(head));
}

Result<Done> verify_results(const Snapshot& snapshot, Verdict& verdict) {
  Cursor cursor(snapshot.transaction(), snapshot.environment()[TableId::result_heads]);
  for (bool there = cursor.first(); there; there = cursor.next()) {
    TRY(head, snapshot.find<ResultHead>(id_at(cursor.key())));
    if (head) verify_result(snapshot, *head, verdict);
  }
  return Done{};
}

}  // namespace

Result<Verdict> verify(const Snapshot& snapshot) {
  Verdict verdict;
  for (std::size_t i = 0; i < all_tables.size(); ++i) {
    const auto table = static_cast<TableId>(i);
    verify_table(snapshot, table, verdict);
  }
  if (!verdict.corrupt.empty()) return verdict;
  TRY(read, verify_results(snapshot, verdict));
  if (!verdict.corrupt.empty()) return verdict;
  TRY(views, recount(snapshot));
  verdict.views = std::move(views);
  return verdict;
}

}  // namespace parley::store
