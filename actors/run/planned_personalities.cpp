#include "actors/run/planned_personalities.hpp"

#include <limits>

#include "store/list.hpp"

namespace parley::actors {
namespace {

/// The run's results of the test, including archived ones. The cost grows with the results of the run or of
/// the test, whichever are fewer.
Expected<PersonalityCounts> personalities_of(const store::Snapshot& snapshot, const Id& run, const Id& test) {
  PersonalityCounts counts;
  for (const bool archived : {false, true}) {
    store::ListQuery query{RecordKind::test_result, archived, {}};
    query.filters = {{store::Facet::run, {store::value_of(run)}},
                     {store::Facet::test, {store::value_of(test)}}};
    query.limit = std::numeric_limits<std::int64_t>::max();
    TRY(found, store::list(snapshot, query));
    for (const Id& id : found.ids) {
      TRY(head, snapshot.find<ResultHead>(id));
      if (!head) return snapshot.report(store::TableId::result_heads, id.key());
      if (!head->retired_by) ++counts[head->personality];
    }
  }
  return counts;
}

}  // namespace

Expected<std::optional<Ref<RecordKind::personality>>> PlannedPersonalities::next(
    const store::Snapshot& snapshot, const Run& run, const Id& test, std::int64_t total) {
  const auto known = known_.find(test);
  // Other actors only delete results, or replace a result by one with the same personality. So an equal
  // number shows that none was deleted.
  if (known != known_.end() && known->second.total == total)
    return personality_of_case(run, test, known->second.counts);
  PersonalityCounts counts;
  if (total > 0) {
    TRY(read, personalities_of(snapshot, run.stamp.id, test));
    counts = std::move(read);
  }
  const auto next = personality_of_case(run, test, counts);
  known_[test] = {total, std::move(counts)};
  return next;
}

void PlannedPersonalities::add(const ResultHead& head) {
  const auto known = head.test ? known_.find(head.test->id) : known_.end();
  if (known == known_.end()) return;
  ++known->second.total;
  ++known->second.counts[head.personality];
}

}  // namespace parley::actors
