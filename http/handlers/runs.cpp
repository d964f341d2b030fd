// Runs: reading, listing, patching, canceling, and their results. run_create.cpp creates them.

#include "actors/run/run_loading.hpp"
#include "http/bodies/case_builder.hpp"
#include "http/bodies/run_bodies.hpp"
#include "http/exchange/idempotency.hpp"
#include "http/exchange/record_lookup.hpp"
#include "http/handlers/handlers.hpp"
#include "http/handlers/long_poll.hpp"
#include "http/handlers/result_replies.hpp"
#include "http/views/link.hpp"
#include "http/views/run_view.hpp"
#include "model/description/stored_text.hpp"

namespace parley::http {
namespace {

Rows run_rows(const store::Snapshot& snapshot, const Linker& linker, WriteMode mode) {
  Rows rows;
  rows.write = [&snapshot, &linker, mode](json::Writer& out, const Id& id) -> Expected<Done> {
    TRY(run, snapshot.find<Run>(id));
    if (!run) return snapshot.report(store::TableId::runs, id.key());
    return write_run(out, snapshot, *run, mode, linker);
  };
  rows.key = [&snapshot](const Id& id, std::string_view field) -> Expected<std::optional<SortKey>> {
    TRY(run, snapshot.find<Run>(id));
    return run ? sort_key(*run, field) : std::nullopt;
  };
  rows.sortable = &sortable<Run>;
  return rows;
}

/// The filters that must look at each run: the time is in its id, the name in its record.
std::function<bool(const Id&)> chosen_runs(QueryReader& reader, const store::Snapshot& snapshot) {
  const auto name = reader.text("name");
  const auto after = reader.time("createdAfter");
  const auto before = reader.time("createdBefore");
  if (!name && !after && !before) return {};
  return [&snapshot, name, after, before](const Id& id) {
    const Time created = time_of(id);
    if ((after && created <= *after) || (before && created >= *before)) return false;
    if (!name) return true;
    const auto stored = snapshot.raw<Run>(id);
    return stored.ok() && *stored &&
           stored_member((*stored)->payload, "name").find(*name) != std::string::npos;
  };
}

actors::Completion<actors::RunReply> answer_run(const Context& context, const ReplyTo& reply) {
  return [&context, reply](Expected<actors::RunReply> done) {
    if (!done.ok()) return reply(std::move(done).problem());
    reply.later([&context, run = std::move(done).value().run]() -> Expected<Reply> {
      TRY(shown, run_json(context.store.snapshot(), run));
      return json_reply(std::move(shown));
    });
  };
}

/// When a run is launched or its scenario changes, its agent and tests must still fit (D43); they may have changed
/// since the run was created.
Expected<Done> check_cases(const store::Snapshot& snapshot, const Run& run, const RunPatchBody& patch,
                           Findings& findings) {
  TRY(served, actors::is_served(snapshot, run));
  const bool is_launch = run.is_launched_by(patch.status, served);
  const bool is_move = patch.scenario && *patch.scenario != run.scenario;
  if (!is_launch && !is_move) return Done{};
  const Ref<RecordKind::scenario> wanted = patch.scenario.value_or(run.scenario);
  const std::string pointer = is_move ? "/scenario" : "/status";
  TRY(scenario, snapshot.find<Scenario>(wanted.id));
  if (scenario && !allows_agent(*scenario, run.agent.id)) {
    findings.add(pointer, "is not possible: the scenario does not allow the agent of the run");
  }
  for (const TestConfig& config : run.test_configs) {
    if (!config.test) continue;
    TRY(test, snapshot.find<Test>(config.test->id));
    if (!test) continue;
    if (test->scenario != wanted) {
      findings.add(pointer, "is not possible: testConfigs name a test of another scenario");
    } else if (is_launch && test->is_archived) {
      findings.add("/status", "is not possible: testConfigs name a test that is archived");
    }
  }
  return Done{};
}

/// A run that starts needs a usable agent (D43).
Expected<Done> check_launch(const store::Snapshot& snapshot, const Run& run, const RunPatchBody& patch) {
  const bool is_start = patch.status == RunStatus::pending || patch.status == RunStatus::running;
  if (run.status != RunStatus::fresh || !is_start) return Done{};
  TRY(agent, snapshot.find<Agent>(run.agent.id));
  return agent ? check_agent_usable(*agent) : Expected<Done>(Done{});
}

Expected<actors::PatchRun> patch_of(const store::Snapshot& snapshot, const RequestContext& call,
                                    const Run& run, In<RunPatchBody> in) {
  RunPatchBody& patch = in.body;
  check_links(snapshot, in.findings);
  TRY_DONE(check_cases(snapshot, run, patch, in.findings));
  TRY_DONE(in.check());
  std::optional<Time> if_updated_at;
  if (names_state(call)) {
    TRY(shown, run_json(snapshot, run));
    TRY_DONE(check_if_match(call, shown));
    if_updated_at = run.stamp.updated_at;  // a change in the meantime is detected when the command is decided
  }
  TRY_DONE(check_launch(snapshot, run, patch));
  return actors::PatchRun{patch.status,   std::move(patch.result), patch.is_archived,
                          patch.scenario, std::move(patch.name),   std::move(patch.metadata),
                          patch.seed,     if_updated_at,           call.trace_text()};
}

/// Reads `before` or `after`: the id of a run, or the first id at a point in time.
std::optional<Id> bound_of(QueryReader& reader, std::string_view name) {
  const auto text = reader.text(name);
  if (!text) return std::nullopt;
  if (const auto id = id_from_text(*text)) return id;
  if (const auto time = time_from_text(*text)) return make_id(*time, {});
  reader.fault(name, "must be the id of a run, or a time such as 2026-01-31T12:00:00Z");
  return std::nullopt;
}

/// Keeps only runs that were created before `before` and after `after`; ids are ordered by creation.
void filter_by_age(QueryReader& reader, store::ListQuery& query) {
  const auto before = bound_of(reader, "before");
  const auto after = bound_of(reader, "after");
  if (!before && !after) return;
  query.predicate = [before, after, chosen = std::move(query.predicate)](const Id& id) {
    return (!before || id < *before) && (!after || *after < id) && (!chosen || chosen(id));
  };
}

Expected<Reply> shown_run(const store::Snapshot& snapshot, const RequestContext& call, const Run& run) {
  TRY(shown, run_json(snapshot, run));
  return tagged_reply(std::move(shown), call.if_none_match);
}

}  // namespace

Expected<Reply> list_runs(const Context&, const store::Snapshot& snapshot, const RequestContext& call) {
  store::ListQuery query = list_of(RecordKind::run);
  QueryReader reader(call.query);
  filter_by_id(reader, query, "agent", RecordKind::agent, store::Facet::agent);
  filter_by_id(reader, query, "personality", RecordKind::personality, store::Facet::personality);
  filter_by_id(reader, query, "createdBy", RecordKind::user, store::Facet::created_by);
  filter_by_id(reader, query, "runGroup", RecordKind::run_group, store::Facet::run_group);
  filter_by_id(reader, query, "scenario", RecordKind::scenario, store::Facet::scenario);
  filter_by_word<RunStatus>(reader, query, "status", store::Facet::status);
  if (const auto scheduled = reader.flag("scheduled")) {
    add_filter(query, store::Facet::scheduled, {store::value_of(*scheduled)});
  }
  query.predicate = chosen_runs(reader, snapshot);
  filter_by_age(reader, query);
  const PageQuery page = read_page(reader);
  const SnapshotLinker linker(snapshot);
  const Rows rows = run_rows(snapshot, linker, page.is_minimal ? WriteMode::minimal : WriteMode::full);
  return page_reply(snapshot, call, reader, page, std::move(query), rows);
}

namespace {

/// On a follower: the leader brings the run up to date, and the row is then replicated.
actors::Wait until_run_follows(const Id& id, ReplyTo reply, std::function<Expected<Reply>()> show) {
  constexpr std::chrono::milliseconds at_most{1'000};
  const auto is_over = [id](const store::Snapshot& now) {
    const auto run = now.find<Run>(id);
    if (!run.ok() || !run->has_value()) return true;
    const auto facts = actors::load_facts(now, **run);
    return !facts || !actors::is_behind(**run, *facts);
  };
  return {id, is_over, at_most, [reply] { return reply.has_left(); },
          [reply, show = std::move(show)](actors::Wait::End) { reply.later(show); }};
}

}  // namespace

/// A change of a result reaches its run one commit later. A client that has seen the result change must not see the
/// run lag, so the run is brought up to date first.
void get_run(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
             ReplyTo reply, const Run& run) {
  const auto facts = actors::load_facts(snapshot, run);
  if (!facts || call->prefer.wait || !actors::is_behind(run, *facts)) {
    return show_settled<Run>(context, snapshot, call, reply, run, &shown_run);
  }
  const auto show = shown_later<Run>(context, call, &shown_run);
  const actors::ClusterGateway* cluster = context.options.cluster;
  if (cluster != nullptr && !cluster->writes_here())
    return context.gateway.wait(until_run_follows(run.stamp.id, reply, show));
  context.gateway.to_run(run.stamp.id, actors::FollowResults{}, {},
                         [reply, show](const Expected<actors::RunReply>&) { reply.later(show); });
}

void patch_run(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
               ReplyTo reply, const Run& run, In<RunPatchBody> in) {
  auto patch = patch_of(snapshot, *call, run, std::move(in));
  if (!patch) return reply(std::move(patch).problem());
  context.gateway.to_run(run.stamp.id, std::move(patch).value(), origin_of(*call),
                         answer_run(context, reply));
}

void cancel_run(const Context& context, const store::Snapshot&, const RequestContextPtr& call, ReplyTo reply,
                const Run& run, NoBody) {
  context.gateway.to_run(run.stamp.id, actors::CancelRun{}, origin_of(*call), answer_run(context, reply));
}

void detect_hallucinations(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                           ReplyTo reply, const Run& run, NoBody) {
  context.gateway.to_run(run.stamp.id, actors::DetectHallucinations{}, origin_of(*call),
                         answer_run(context, reply));
}

Expected<Reply> cancel_run_again(const Context&, const store::Snapshot& snapshot, const RequestContext&,
                                 const AffectedIds& ids) {
  TRY(run, kept_record<Run>(snapshot, ids));
  TRY(text, run_json(snapshot, run));
  return json_reply(std::move(text));
}

Expected<Reply> list_run_results(const Context&, const store::Snapshot& snapshot, const RequestContext& call,
                                 const Run& run) {
  store::ListQuery query = list_of(RecordKind::test_result);
  add_filter(query, store::Facet::run, {store::value_of(run.stamp.id)});
  QueryReader reader(call.query);
  filter_by_word<ResultStatus>(reader, query, "status", store::Facet::status);
  return result_page(snapshot, call, reader, std::move(query));
}

Expected<Reply> list_run_repetitions(const Context&, const store::Snapshot& snapshot,
                                     const RequestContext& call, const Run& run) {
  QueryReader reader(call.query);
  const PageQuery page = read_page(reader);
  check_sort(reader, page, words_of(call.route->sorts));
  TRY_DONE(reader.result());
  TRY(rows, repetitions_of(snapshot, run.stamp.id));
  sort_repetitions(rows, page.sort_by, page.is_ascending);
  const SnapshotLinker linker(snapshot);
  return page_of(call, page, rows,
                 [&](json::Writer& out, const auto& row) { write_repetition(out, row, linker); });
}

}  // namespace parley::http
