#include "http/views/run_cells.hpp"

#include <algorithm>
#include <map>

#include "http/lists/page.hpp"
#include "http/views/failure_of.hpp"
#include "model/limits.hpp"
#include "model/outcome/state_letter.hpp"

namespace parley::http {
namespace {

/// The most results that an HTTP thread may read.
constexpr std::int64_t results_at_once_max = 300;
/// The most attempts of one retry chain that are looked up; a longer chain counts as this many.
constexpr std::int64_t attempts_max = 100;

using RowKey = std::pair<std::optional<Id>, std::optional<Id>>;

std::optional<Id> id_of(const std::optional<Ref<RecordKind::personality>>& link) {
  return link ? std::optional(link->id) : std::nullopt;
}

/// Finds rows by test and personality.
class RowTable {
 public:
  std::size_t of(const RowKey& key) {
    const auto [found, is_new] = numbers_.try_emplace(key, rows.size());
    if (is_new) rows.push_back({key.first, key.second, 0, 0});
    return found->second;
  }
  std::vector<CellRow> rows;

 private:
  std::map<RowKey, std::size_t> numbers_;
};

/// Adds the rows of the run's plan, in plan order.
Expected<Done> add_planned(const store::Snapshot& snapshot, const Run& run, RowTable& table) {
  TRY(cases, snapshot.run_cases(run.stamp.id));
  std::map<Id, std::int64_t> left;
  for (const ExpectedCase& one : cases) left[one.test] += one.count;
  for (const TestConfig& config : run.test_configs) {
    if (!config.test) continue;
    const auto found = left.find(config.test->id);
    if (found == left.end()) continue;
    const std::int64_t count = std::min(found->second, config.repetitions.value_or(run.repetitions));
    found->second -= count;
    table.rows[table.of({config.test->id, id_of(personality_of(run, &config))})].expected += count;
  }
  for (const ExpectedCase& one : cases) {
    const std::int64_t count = std::exchange(left[one.test], 0);
    if (count == 0) continue;
    table.rows[table.of({one.test, id_of(personality_of(run, nullptr))})].expected += count;
  }
  return Done{};
}

Cell cell_of(ResultHead&& head, RowTable& table) {
  Cell made;
  made.row = table.of({head.test ? std::optional(head.test->id) : std::nullopt, id_of(head.personality)});
  made.state = state_letter(head);
  made.head = std::make_unique<const ResultHead>(std::move(head));
  return made;
}

/// The sum of the costs of agent, tester and judge.
std::optional<double> usd_of(const ResultHead& head) {
  std::optional<double> sum;
  const auto add = [&](const std::optional<double>& more) {
    if (more) sum = sum.value_or(0) + *more;
  };
  if (head.sums && head.sums->cost.count > 0) add(head.sums->cost.sum);
  if (head.tester_use) add(head.tester_use->cost);
  if (head.judge_use) add(head.judge_use->cost);
  return sum;
}

Expected<std::int64_t> attempt_number(const store::Snapshot& snapshot, const ResultHead& head) {
  std::int64_t number = 1;
  std::optional<std::string> previous = head.previous;
  while (previous && head.lineage && number < attempts_max) {
    ++number;
    const auto id = id_from_text(*previous);
    if (!id) break;
    TRY(before, snapshot.find<ResultHead>(*id));
    previous = before ? before->previous : std::nullopt;
  }
  return number;
}

/// The number of turns as stored with the verdict, or counted in the conversation before that.
Expected<std::int64_t> turns_of(const store::Snapshot& snapshot, const ResultHead& head) {
  if (head.sums && head.sums->turns) return *head.sums->turns;
  std::int64_t turns = 0;
  const auto visit = [&](std::uint32_t, const store::StoredEntry& entry) {
    const bool opens = entry.type == EntryType::message || entry.type == EntryType::action;
    if (opens && entry.role == Role::tester) ++turns;
    return true;
  };
  TRY_DONE(snapshot.for_each_entry(head, visit));
  return turns;
}

/// Sorts the cells by row and first attempt, and numbers the columns.
void sort_and_number(RunCells& cells) {
  std::vector<std::pair<Id, Cell>> order;
  order.reserve(cells.cells.size());
  for (Cell& cell : cells.cells) {
    const Id first = first_attempt(*cell.head);
    order.emplace_back(first, std::move(cell));
  }
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second.row, a.first) < std::pair(b.second.row, b.first);
  });
  for (std::size_t at = 0; at < order.size(); ++at) {
    cells.cells[at] = std::move(order[at].second);
    cells.cells[at].n = ++cells.rows[cells.cells[at].row].present;
  }
}

}  // namespace

Id first_attempt(const ResultHead& head) {
  const Id id = head.stamp.id;
  return head.lineage ? id_from_text(*head.lineage).value_or(id) : id;
}

Expected<bool> is_large(const store::Snapshot& snapshot, const Run& run) {
  TRY(counters, snapshot.run_counters(run.stamp.id));
  return counters.total() > results_at_once_max;
}

Expected<RunCells> cells_of(const store::Snapshot& snapshot, const Run& run) {
  store::ListQuery query = list_of(RecordKind::test_result);
  add_filter(query, store::Facet::run, {store::value_of(run.stamp.id)});
  TRY(ids, store::all_ids(snapshot, query));
  RowTable table;
  TRY_DONE(add_planned(snapshot, run, table));
  RunCells made;
  made.cells.reserve(std::min<std::size_t>(ids.size(), limits::cases_max));
  for (const Id& id : ids) {
    TRY(head, snapshot.find<ResultHead>(id));
    if (!head) return snapshot.report(store::TableId::result_heads, id.key());
    if (head->retired_by) continue;
    if (made.cells.size() == limits::cases_max)
      ++made.omitted;
    else
      made.cells.push_back(cell_of(std::move(*head), table));
  }
  made.rows = std::move(table.rows);
  sort_and_number(made);
  return made;
}

Expected<CellFigures> figures_of(const store::Snapshot& snapshot, const Cell& cell) {
  const ResultHead& head = *cell.head;
  CellFigures figures;
  if (head.sums) figures.time = head.sums->response_time.mean();
  figures.usd = usd_of(head);
  TRY(turns, turns_of(snapshot, head));
  figures.turns = turns;
  TRY(attempt, attempt_number(snapshot, head));
  figures.attempt = attempt;
  TRY(group, group_of(snapshot, head, cell.state));
  figures.group = std::move(group);
  figures.changed = head.stamp.updated_at;
  if (!is_terminal(head.status)) {
    TRY(newest, snapshot.newest_change(head));
    figures.changed = newest;
  }
  return figures;
}

}  // namespace parley::http
