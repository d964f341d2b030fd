#include "store/views/verify.hpp"

#include "store/engine/raw_snapshot.hpp"

namespace parley::store {
namespace {

/// The limit of one report.
constexpr std::size_t corrupt_max = 1'000;

void add(Verdict& verdict, Corrupt place) {
  if (verdict.corrupt.size() < corrupt_max) verdict.corrupt.push_back(std::move(place));
}

void verify_table(const Snapshot& snapshot, TableId table, Verdict& verdict) {
  Cursor cursor(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[table]);
  std::size_t rows = 0;
  std::string last;
  for (bool there = cursor.first(); there; there = cursor.next()) {
    if (rows++ > 0 && cursor.key() <= last) add(verdict, {table, std::string(cursor.key())});
    last = cursor.key();
    if (table == TableId::index) continue;  // rows have keys only
    ++verdict.values;
    const auto read = unframe(table, cursor.key(), cursor.value());
    const auto* corrupt = std::get_if<Corrupt>(&read);
    if (corrupt != nullptr) add(verdict, *corrupt);
  }
  MDB_stat status{};
  require(mdb_stat(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[table], &status),
          "count a table's rows");
  if (rows != status.ms_entries) add(verdict, {table, last});
}

/// Finds missing parts that the head mentions.
void verify_result(const Snapshot& snapshot, const ResultHead& head, Verdict& verdict) {
  const auto check = [&](TableId table, const auto& read) {
    if (!read.ok()) add(verdict, {table, std::string(head.stamp.id.key())});
  };
  const auto visit = [](std::uint32_t, const StoredEntry&) { return true; };
  check(TableId::entries, snapshot.for_each_entry(head, visit));
  check(TableId::result_cases, snapshot.part<TestCase>(head));
  check(TableId::result_extras, snapshot.part<ResultExtras>(head));
  check(TableId::result_verdicts, snapshot.verdict(head));
  check(TableId::result_reviews, snapshot.part<StoredReview>(head));
  check(TableId::result_claims, snapshot.part<StoredClaims>(head));
}

Expected<Done> verify_results(const Snapshot& snapshot, Verdict& verdict) {
  Cursor cursor(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[TableId::result_heads]);
  for (bool there = cursor.first(); there; there = cursor.next()) {
    TRY(head, snapshot.find<ResultHead>(id_at(cursor.key())));
    if (head) verify_result(snapshot, *head, verdict);
  }
  return Done{};
}

/// Reads each table in a separate snapshot, because LMDB reads nothing more in a snapshot that met a damaged page.
template <class Read>
void guarded(const Snapshot& snapshot, TableId table, Verdict& verdict, const Read& read) {
  try {
    read(Snapshot(RawSnapshot(snapshot).environment));
  } catch (const LmdbError& error) {
    verdict.tables.push_back({table, error.what()});
  }
}

}  // namespace

Expected<Verdict> verify(const Snapshot& snapshot) {
  Verdict verdict;
  for (std::size_t i = 0; i < all_tables.size(); ++i) {
    const auto table = static_cast<TableId>(i);
    guarded(snapshot, table, verdict, [&](const Snapshot& own) { verify_table(own, table, verdict); });
  }
  // The remaining checks read across tables and would report the same damage again.
  if (!verdict.is_good()) return verdict;
  Expected<Done> read = Done{};
  guarded(snapshot, TableId::result_heads, verdict,
          [&](const Snapshot& own) { read = verify_results(own, verdict); });
  if (!read) return std::move(read).problem();
  if (!verdict.is_good()) return verdict;
  Expected<std::vector<Difference>> views = std::vector<Difference>();
  guarded(snapshot, TableId::index, verdict, [&](const Snapshot& own) { views = recount(own); });
  if (!views) return std::move(views).problem();
  verdict.views = std::move(views).value();
  return verdict;
}

}  // namespace parley::store
