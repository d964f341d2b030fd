#include "store/verify.hpp"

#include "store/environment.hpp"

namespace parley::store {
namespace {

/// Bound of one report.
constexpr std::size_t corrupt_max = 1'000;

void verify_table(const Snapshot& snapshot, TableId table, Verdict& verdict) {
  Cursor cursor(snapshot.transaction(), snapshot.environment()[table]);
  for (bool there = cursor.first(); there; there = cursor.next()) {
    ++verdict.values;
    const auto read = unframe(table, cursor.key(), cursor.value());
    const auto* corrupt = std::get_if<Corrupt>(&read);
    if (corrupt != nullptr && verdict.corrupt.size() < corrupt_max) verdict.corrupt.push_back(*corrupt);
  }
}

}  // namespace

Result<Verdict> verify(const Snapshot& snapshot) {
  Verdict verdict;
  for (std::size_t i = 0; i < all_tables.size(); ++i) {
    const auto table = static_cast<TableId>(i);
    // Rows of the index are keys alone; the views are computed anew below.
    if (table != TableId::index) verify_table(snapshot, table, verdict);
  }
  if (!verdict.corrupt.empty()) return verdict;
  TRY(views, recount(snapshot));
  verdict.views = std::move(views);
  return verdict;
}

}  // namespace parley::store
