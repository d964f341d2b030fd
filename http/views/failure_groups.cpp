#include "http/views/failure_groups.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "http/lists/page.hpp"
#include "http/views/failure_of.hpp"
#include "http/views/link.hpp"
#include "http/views/run_cells.hpp"
#include "store/side/failure_notes.hpp"

namespace parley::http {
namespace {

constexpr std::size_t groups_max = 500;
constexpr std::size_t results_max = 50;
constexpr std::size_t reasons_max = 3;
/// The number of earlier runs of the same scenario and agent that are searched.
constexpr std::int64_t runs_searched_max = 5;

struct Group {
  scoring::Failure failure;  ///< failure of the first result
  std::int64_t count = 0;
  std::map<Id, std::int64_t> tests;
  std::vector<Id> results;
  std::vector<std::string> reasons;
  Id first_run;
  Time first_at;
  std::int64_t runs_before = 0;
};
using Groups = std::map<std::string, Group>;

void count(Group& group, const ResultHead& head, scoring::Failure failure) {
  if (group.count++ == 0) group.failure = failure;
  if (head.test) ++group.tests[head.test->id];
  if (group.results.size() < results_max) group.results.push_back(head.stamp.id);
  const bool is_new =
      std::find(group.reasons.begin(), group.reasons.end(), failure.reason) == group.reasons.end();
  if (is_new && group.reasons.size() < reasons_max) group.reasons.push_back(std::move(failure.reason));
}

Expected<Groups> groups_of(const store::Snapshot& snapshot, const RunCells& cells) {
  Groups groups;
  for (const Cell& cell : cells.cells) {
    TRY(failure, failure_of(snapshot, *cell.head, cell.state));
    if (!failure) continue;
    // The key is read first: arguments are evaluated in any order, and the failure is moved.
    Group& group = groups[failure->signature];
    count(group, *cell.head, std::move(*failure));
  }
  return groups;
}

Expected<std::set<std::string>> signatures_of(const store::Snapshot& snapshot, const RunCells& cells) {
  std::set<std::string> signatures;
  for (const Cell& cell : cells.cells) {
    TRY(signature, group_of(snapshot, *cell.head, cell.state));
    if (!signature.empty()) signatures.insert(std::move(signature));
  }
  return signatures;
}

/// The earlier runs, newest first.
Expected<std::vector<Run>> runs_before(const store::Snapshot& snapshot, const Run& run) {
  store::ListQuery query = list_of(RecordKind::run);
  add_filter(query, store::Facet::scenario, {store::value_of(run.scenario.id)});
  add_filter(query, store::Facet::agent, {store::value_of(run.agent.id)});
  query.predicate = [id = run.stamp.id](const Id& other) { return other < id; };
  query.limit = runs_searched_max;
  TRY(page, store::list(snapshot, query));
  std::vector<Run> runs;
  for (const Id& id : page.ids) {
    TRY(found, snapshot.find<Run>(id));
    if (found) runs.push_back(std::move(*found));
  }
  return runs;
}

/// Marks the groups that also occurred in earlier runs. Returns the number of runs that were read.
Expected<std::int64_t> look_back(const store::Snapshot& snapshot, const Run& run, Groups& groups) {
  TRY(runs, runs_before(snapshot, run));
  for (auto& [signature, group] : groups) {
    group.first_run = run.stamp.id;
    group.first_at = run.stamp.created_at();
  }
  for (const Run& before : runs) {
    TRY(cells, cells_of(snapshot, before));
    TRY(seen, signatures_of(snapshot, cells));
    for (const std::string& signature : seen) {
      const auto group = groups.find(signature);
      if (group == groups.end()) continue;
      ++group->second.runs_before;
      group->second.first_run = before.stamp.id;
      group->second.first_at = before.stamp.created_at();
    }
  }
  return static_cast<std::int64_t>(runs.size());
}

std::string_view word_of_kind(scoring::FailureKind kind) {
  switch (kind) {
    case scoring::FailureKind::verdict: return "verdict";
    case scoring::FailureKind::undecided: return "undecided";
    case scoring::FailureKind::fault: return "fault";
  }
  return "";
}

void write_assertion(json::Writer& out, const std::optional<Assertion>& assertion) {
  out.key("assertion");
  if (!assertion) {
    out.null();
    return;
  }
  out.begin_object().member("id", assertion->id).member_or_null("name", assertion->name);
  out.member("type", assertion->type).member("severity", word_of(assertion->severity)).end_object();
}

void write_text_or_null(json::Writer& out, std::string_view name, const std::string& text) {
  out.member_or_null(name, text.empty() ? std::nullopt : std::optional(text));
}

Expected<Done> write_tests(json::Writer& out, const store::Snapshot& snapshot, const Group& group) {
  out.key("tests").begin_array();
  for (const auto& [id, count] : group.tests) {
    TRY(test, snapshot.find<Test>(id));
    out.begin_object().member("id", to_text(id));
    out.member_or_null("name", test ? std::optional(test->name) : std::nullopt);
    out.key("count").integer(count).end_object();
  }
  out.end_array();
  return Done{};
}

Expected<Done> write_group(json::Writer& out, const store::Snapshot& snapshot, const Run& run,
                           const Group& group, std::int64_t runs_seen) {
  const scoring::Failure& failure = group.failure;
  out.begin_object().member("signature", failure.signature);
  out.member("kind", word_of_kind(failure.kind));
  write_assertion(out, failure.assertion);
  write_text_or_null(out, "source", failure.source);
  write_text_or_null(out, "code", failure.code);
  out.member("says", failure.says);
  out.key("count").integer(group.count);
  TRY_DONE(write_tests(out, snapshot, group));
  out.key("results").begin_array();
  for (const Id& id : group.results) out.string(to_text(id));
  out.end_array();
  out.key("reasons").begin_array();
  for (const std::string& reason : group.reasons) out.string(reason);
  out.end_array();
  out.key("firstSeen").begin_object().member("run", to_text(group.first_run));
  out.member("at", to_text(group.first_at)).end_object();
  out.key("runsBefore").begin_array().integer(group.runs_before).integer(runs_seen).end_array();
  TRY(note, store::find_failure_note(snapshot, {run.scenario.id, failure.signature}));
  out.member_or_null("note", note).end_object();
  return Done{};
}

}  // namespace

Expected<std::string> failure_groups_json(const store::Snapshot& snapshot, const Run& run,
                                          const RunCells& cells) {
  TRY(groups, groups_of(snapshot, cells));
  TRY(runs_seen, look_back(snapshot, run, groups));
  std::vector<const Group*> order;
  order.reserve(groups.size());
  for (const auto& [signature, group] : groups) order.push_back(&group);
  std::stable_sort(order.begin(), order.end(), [](const Group* a, const Group* b) {
    return std::pair(a->failure.kind, -a->count) < std::pair(b->failure.kind, -b->count);
  });
  if (order.size() > groups_max) order.resize(groups_max);
  json::Writer out;
  out.begin_object().key("groups").begin_array();
  for (const Group* group : order) TRY_DONE(write_group(out, snapshot, run, *group, runs_seen));
  out.end_array();
  out.key("total").integer(static_cast<std::int64_t>(groups.size())).end_object();
  return std::move(out).text();
}

}  // namespace parley::http
