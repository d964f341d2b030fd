#include "actors/lifecycle/recovery.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <functional>
#include <map>

#include "actors/base/commit_outcome.hpp"
#include "actors/run/run_loading.hpp"
#include "store/side/answer_cache_table.hpp"

namespace parley::actors {
namespace {

/// Results checked in one snapshot and one change set.
constexpr std::size_t step = 1'000;
/// Fewer for runs, which may be large.
constexpr std::size_t runs_step = 50;

/// The delay between the starts of suspects, so that a suspect that ends the process again is identified.
constexpr std::chrono::milliseconds suspects_apart{1'000};

/// One damaged record must not keep the server down (I13).
void log_unreadable(std::string_view noun, const Id& id, const Problem& why) {
  spdlog::error("{} unreadable at the start id={} detail=\"{}\"", noun, to_text(id), why.detail);
}

/// The record, unless it is gone or damaged.
template <class T>
std::optional<T> readable(const store::Snapshot& snapshot, const Id& id) {
  auto found = guarded<std::optional<T>>([&] { return snapshot.find<T>(id); });
  if (found) return std::move(found).value();
  log_unreadable(noun_of(T::kind), id, found.problem());
  return std::nullopt;
}

/// Unfinished results, grouped by what they wait for.
struct Unfinished {
  std::vector<ScoreJob> jobs;
  /// Server-driven conversations: started ones come first, so that no newer one takes their slot.
  std::vector<ResultHead> started;
  std::vector<ResultHead> waiting;
  std::vector<ResultHead> workflows;  ///< results that wait for a workflow to start them
  std::vector<Id> sessions;           ///< conversations that a person tests, if the agent may owe an answer
  /// Driven, tested by a person or claimed: the process ended during work on them (I10).
  std::vector<ResultHead> suspects;
};

/// The claim as the scoring actor gets it: its attempt is raised before it is scored.
ScoreJob job_of(const ResultHead& head) {
  return {head.stamp.id, head.attempt, true};
}

void sort_in(ResultHead head, std::uint32_t entries, Unfinished& unfinished) {
  if (head.is_ended() && !head.is_claimed()) return;
  if (is_suspect(head, entries)) {
    unfinished.suspects.push_back(std::move(head));
  } else if (head.is_claimed()) {
    unfinished.jobs.push_back(job_of(head));
  } else if (head.awaits_workflow && head.status == ResultStatus::pending) {
    unfinished.workflows.push_back(std::move(head));
  } else if (head.has_human_tester) {
    unfinished.sessions.push_back(head.stamp.id);
  } else if (head.is_server_driven && head.status == ResultStatus::running) {
    unfinished.started.push_back(std::move(head));
  } else if (head.is_server_driven) {
    unfinished.waiting.push_back(std::move(head));
  }
}

/// Sends the results of each run in one message, in their order.
void drive(const std::vector<ResultHead>& heads, const Dispatcher& dispatcher, bool by_workflow) {
  std::map<Id, std::vector<Id>> by_run;  // nil: previews
  for (const ResultHead& head : heads) by_run[head.run ? head.run->id : Id{}].push_back(head.stamp.id);
  for (auto& [run, results] : by_run) {
    const auto of_run = run.is_nil() ? std::nullopt : std::optional<Id>(run);
    caf::anon_send(dispatcher, DriveThese{of_run, std::move(results), by_workflow});
  }
}

/// Suspects start after all others, and those with two crashes in a row last. Claims come last of all:
/// scoring may take long and could otherwise be blamed for a conversation that ends the process.
void go_on_apart(std::vector<ResultHead>& suspects, const RecoveryTargets& successors) {
  std::stable_partition(suspects.begin(), suspects.end(),
                        [](const auto& head) { return !head.is_claimed(); });
  auto apart = suspects_apart;
  for (const ResultHead& head : suspects) {
    const Id& id = head.stamp.id;
    const bool is_alone = head.crashes->count > 1;
    if (is_alone) apart += suspects_apart;
    const auto after = is_alone ? apart : suspects_apart;
    if (head.is_claimed()) {
      caf::delayed_anon_send(successors.scoring.of(id), after, job_of(head));
    } else if (head.has_human_tester) {
      caf::delayed_anon_send(successors.directory, after, DriveResult{id});
    } else {
      const auto run = head.run ? std::optional<Id>(head.run->id) : std::nullopt;
      caf::delayed_anon_send(successors.dispatcher, after, DriveThese{run, {id}, false});
    }
  }
}

/// Processes the next results after `after`; returns the id where it stopped, or nil at the end.
Id find_unfinished(const Services& services, const Id& after, Unfinished& unfinished) {
  const store::Snapshot snapshot = services.store.snapshot();
  const std::vector<Id> owed = snapshot.owed(after, step);
  for (const Id& id : owed) {
    auto head = readable<ResultHead>(snapshot, id);
    if (!head) continue;
    const std::uint32_t entries = head->crashes ? snapshot.entry_count(id) : 0;
    sort_in(std::move(*head), entries, unfinished);
  }
  return owed.size() == step ? owed.back() : Id{};
}

/// Cached model answers are kept only as long as the operator wants, because they contain conversations
/// (D25).
Expected<Done> forget_kept_answers(Services& services, caf::scoped_actor& self, const Writer& writer) {
  std::size_t count = services.settings.keeps_answers ? 0 : step;
  while (count == step) {
    store::ChangeSet changes;
    count = store::forget_answers(services.store.snapshot(), step, changes);
    TRY_DONE(commit_and_wait(self, writer, std::move(changes)));
  }
  return Done{};
}

/// Adds the changes that follow from the results of one run.
void recover_run(const Services& services, const store::Snapshot& snapshot, const Run& run,
                 store::ChangeSet& changes, Recovered& recovered) {
  const auto facts = guarded<RunFacts>([&] { return load_all_facts(snapshot, run); });
  if (!facts) return log_unreadable("run", run.stamp.id, facts.problem());
  Run next = run;
  const RunDecision decision =
      on(next, ResultsMoved{}, *facts, DecisionContext{services.clock.now(), services.ids});
  if (!decision.saves_run) return;
  changes.replace(run, next);
  ++recovered.runs_moved;
}

/// Recovers runs that are unfinished although their results are finished, or unstarted although a result has
/// started (I44).
Expected<Done> recover_runs(Services& services, caf::scoped_actor& self, const Writer& writer,
                            store::Slice slice, Recovered& recovered) {
  for (Id after; true;) {
    store::ChangeSet changes;
    {
      const store::Snapshot snapshot = services.store.snapshot();
      const auto ids = snapshot.ids_in(slice, after, runs_step);
      if (ids.empty()) return Done{};
      after = ids.back();
      for (const Id& id : ids) {
        if (const auto run = readable<Run>(snapshot, id)) {
          recover_run(services, snapshot, *run, changes, recovered);
        }
      }
    }
    TRY_DONE(commit_and_wait(self, writer, std::move(changes)));
  }
}

/// Restarts detections that were in progress; their saved findings are kept.
Expected<std::vector<CheckRunClaims>> recover_detections(Services& services, caf::scoped_actor& self,
                                                         const Writer& writer) {
  const bool was_stopped = services.marks != nullptr && services.marks->was_stopped();
  std::vector<CheckRunClaims> detections;
  for (Id after; true;) {
    store::ChangeSet changes;
    {
      const store::Snapshot snapshot = services.store.snapshot();
      const auto ids = snapshot.ids_in({RecordKind::run, store::Facet::detecting}, after, runs_step);
      if (ids.empty()) return detections;
      after = ids.back();
      for (const Id& id : ids) {
        const auto run = readable<Run>(snapshot, id);
        if (!run) continue;
        const Run next = was_stopped ? detection_after_stop(*run, services.clock.now())
                                     : detection_after_crash(*run, services.clock.now());
        if (next.hallucination_status != run->hallucination_status) changes.replace(*run, next);
        if (is_under_way(next.hallucination_status)) detections.push_back({id, next.detection});
      }
    }
    TRY_DONE(commit_and_wait(self, writer, std::move(changes)));
  }
}

}  // namespace

Expected<Done> commit_and_wait(caf::scoped_actor& self, const Writer& writer, store::ChangeSet changes) {
  if (is_empty(changes)) return Done{};
  Expected<Done> done = stopping();
  self->request(writer, caf::infinite, Commit{std::move(changes)})
      .receive([&](store::Outcome& outcome) { done = done_of(std::move(outcome)); },
               [](const caf::error&) {});
  return done;
}

Expected<Recovered> recover_all(Services& services, caf::actor_system& system, const Writer& writer,
                                const RecoveryTargets& successors) {
  caf::scoped_actor self{system};
  Recovered recovered;
  TRY_DONE(forget_kept_answers(services, self, writer));
  TRY(poisoned, count_crashes(services, self, writer));
  recovered.set_aside = poisoned;
  Unfinished unfinished;
  for (Id after = find_unfinished(services, {}, unfinished); !after.is_nil();)
    after = find_unfinished(services, after, unfinished);
  for (const RunStatus status : {RunStatus::fresh, RunStatus::pending, RunStatus::running}) {
    for (const store::Shelf shelf : {store::Shelf::current, store::Shelf::archived}) {
      const auto value = store::value_of(word_of(status));
      const store::Slice open{RecordKind::run, store::Facet::status, value, shelf};
      TRY_DONE(recover_runs(services, self, writer, open, recovered));
    }
  }
  TRY(detections, recover_detections(services, self, writer));
  if (services.marks != nullptr) services.marks->settle();  // its report is now durable
  const auto claims = static_cast<std::size_t>(std::count_if(
      unfinished.suspects.begin(), unfinished.suspects.end(), std::mem_fn(&ResultHead::is_claimed)));
  recovered.scored_again = unfinished.jobs.size() + claims;
  recovered.driven_on =
      unfinished.started.size() + unfinished.waiting.size() + unfinished.suspects.size() - claims;
  for (const ScoreJob& job : unfinished.jobs) caf::anon_send(successors.scoring.of(job.result), job);
  for (const CheckRunClaims& detection : detections) caf::anon_send(successors.tracing, detection);
  drive(unfinished.started, successors.dispatcher, false);
  drive(unfinished.waiting, successors.dispatcher, false);
  drive(unfinished.workflows, successors.dispatcher, true);
  for (const Id& session : unfinished.sessions) caf::anon_send(successors.directory, DriveResult{session});
  go_on_apart(unfinished.suspects, successors);
  return recovered;
}

}  // namespace parley::actors
