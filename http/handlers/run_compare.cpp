// GET /runs/{id}/compare/{other}: compares a run with a later run, on one snapshot.

#include <algorithm>
#include <array>
#include <numeric>

#include "http/exchange/record_lookup.hpp"
#include "http/handlers/handlers.hpp"
#include "http/views/link.hpp"
#include "http/views/run_trials.hpp"
#include "http/views/run_view.hpp"

namespace parley::http {
namespace {

using scoring::Change;

/// The most important changes first.
constexpr std::array change_order{Change::regressed, Change::fixed, Change::undecided, Change::unchanged};

void write_compared(json::Writer& out, const scoring::Compared& compared) {
  out.member("change", word_of(compared.change));
  out.key("trialsBefore").integer(compared.trials.before.runs);
  out.key("trialsAfter").integer(compared.trials.after.runs);
  out.key("passedBefore").integer(compared.trials.before.passed);
  out.key("passedAfter").integer(compared.trials.after.passed);
  out.key("pairs").integer(compared.pairs);
  out.key("open").integer(compared.open);
  out.key("better").integer(compared.better);
  out.key("worse").integer(compared.worse);
  out.key("p").number(compared.p);
  out.key("furtherRepetitions");
  if (compared.further_repetitions) {
    out.integer(*compared.further_repetitions);
  } else {
    out.null();
  }
}

void write_assertions(json::Writer& out, std::string_view key, const std::vector<ChangedAssertion>& list) {
  out.key(key).begin_array();
  for (const ChangedAssertion& each : list) {
    out.begin_object();
    out.member("id", each.id);
    out.member("type", each.type);
    out.member_or_null("name", each.name);
    out.end_object();
  }
  out.end_array();
}

/// The changed assertions of each test, indexed by the test's number.
Expected<std::vector<ChangedAssertions>> changed_of(const store::Snapshot& snapshot,
                                                    const PairedRuns& paired) {
  std::vector<ChangedAssertions> changed;
  for (std::size_t test = 0; test < paired.tests.size(); ++test) {
    TRY(of_test, changed_assertions(snapshot, paired.decided_before[test], paired.decided_after[test]));
    changed.push_back(std::move(of_test));
  }
  return changed;
}

void write_how_many(json::Writer& out, const std::vector<ChangedAssertions>& changed) {
  std::size_t failing = 0;
  std::size_t passing = 0;
  for (const ChangedAssertions& test : changed) {
    failing += test.newly_failing.size();
    passing += test.newly_passing.size();
  }
  out.key("newlyFailing").integer(static_cast<std::int64_t>(failing));
  out.key("newlyPassing").integer(static_cast<std::int64_t>(passing));
}

void write_counts(json::Writer& out, const std::vector<scoring::Compared>& tests) {
  out.key("counts").begin_object();
  for (const Change change : change_order) {
    const auto count = std::count_if(tests.begin(), tests.end(),
                                     [&](const scoring::Compared& test) { return test.change == change; });
    out.key(word_of(change)).integer(count);
  }
  out.end_object();
}

Expected<Done> write_sides(json::Writer& out, const store::Snapshot& snapshot, const Id& before,
                           const Id& after) {
  TRY(earlier, snapshot.run_counters(before));
  TRY(later, snapshot.run_counters(after));
  out.key("averages").begin_object();
  out.key("before");
  write_averages(out, earlier);
  out.key("after");
  write_averages(out, later);
  out.end_object();
  return Done{};
}

/// The numbers of the tests in display order.
std::vector<std::size_t> shown_order(const std::vector<scoring::Compared>& tests) {
  const auto rank = [&](std::size_t test) {
    return std::find(change_order.begin(), change_order.end(), tests[test].change) - change_order.begin();
  };
  std::vector<std::size_t> order(tests.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return order;
}

void write_test(json::Writer& out, const ComparedTest& test, const scoring::Compared& compared,
                const ChangedAssertions& changed, const Linker& linker) {
  out.begin_object();
  out.key("test");
  linker.append(out, RecordKind::test, test.test);
  out.key("personality");
  if (test.personality.is_nil()) {
    out.null();
  } else {
    linker.append(out, RecordKind::personality, test.personality);
  }
  write_compared(out, compared);
  out.key("adjustedP").number(compared.adjusted_p);
  write_assertions(out, "newlyFailing", changed.newly_failing);
  write_assertions(out, "newlyPassing", changed.newly_passing);
  out.end_object();
}

struct Sides {
  Id before;
  Id after;
};

Expected<Reply> comparison_reply(const store::Snapshot& snapshot, const RequestContext& call,
                                 const Sides& runs) {
  TRY(paired, paired_runs(snapshot, runs.before, runs.after));
  const scoring::Demand demand;
  const scoring::Comparison comparison = scoring::compare(paired.trials, demand);
  TRY(changed, changed_of(snapshot, paired));
  const SnapshotLinker linker(snapshot);
  json::Writer out;
  out.begin_object();
  out.key("before");
  linker.append(out, RecordKind::run, runs.before);
  out.key("after");
  linker.append(out, RecordKind::run, runs.after);
  out.key("level").number(demand.level);
  out.key("power").number(demand.power);
  out.key("overall").begin_object();
  write_compared(out, comparison.overall);
  out.end_object();
  write_counts(out, comparison.tests);
  write_how_many(out, changed);
  TRY_DONE(write_sides(out, snapshot, runs.before, runs.after));
  out.key("tests").begin_array();
  for (const std::size_t test : shown_order(comparison.tests))
    write_test(out, paired.tests[test], comparison.tests[test], changed[test], linker);
  out.end_array();
  out.end_object();
  return tagged_reply(std::move(out).text(), call.if_none_match);
}

}  // namespace

/// Runs in the background: two runs may have 80,000 results, and the other clients of this thread must not wait for
/// them.
void compare_runs(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                  ReplyTo reply, const Run& before, const Run& after) {
  context.gateway.in_background(
      [&context, call, reply, runs = Sides{before.stamp.id, after.stamp.id}](Expected<Done> turn) {
        if (!turn.ok()) return reply(std::move(turn).problem());
        reply(comparison_reply(context.store.snapshot(), *call, runs));
      });
}

}  // namespace parley::http
