// POST /runs/: checks the body and the records that it names (D43, D55). The run's actor launches the run.

#include "actors/run/run_loading.hpp"
#include "http/bodies/case_builder.hpp"
#include "http/exchange/idempotency.hpp"
#include "http/exchange/record_lookup.hpp"
#include "http/handlers/handlers.hpp"
#include "http/lists/page.hpp"
#include "http/views/run_view.hpp"

namespace parley::http {
namespace {

/// The number of tests that a run without testConfigs plays: enabled and not archived (D44).
Expected<std::int64_t> enabled_tests(const store::Snapshot& snapshot, const Id& scenario) {
  store::ListQuery query = list_of(RecordKind::test);
  add_filter(query, store::Facet::scenario, {store::value_of(scenario)});
  TRY(ids, store::all_ids(snapshot, query));
  std::int64_t count = 0;
  for (const Id& id : ids) {
    TRY(test, snapshot.find_listed<Test>(id));
    if (test && test->is_enabled) ++count;
  }
  return count;
}

Expected<std::int64_t> cases_of(const store::Snapshot& snapshot, const Run& run) {
  if (run.test_configs.empty()) {
    TRY(tests, enabled_tests(snapshot, run.scenario.id));
    return tests * run.repetitions;
  }
  std::int64_t cases = 0;
  for (const TestConfig& config : run.test_configs) cases += config.repetitions.value_or(run.repetitions);
  return cases;
}

Expected<Done> check_configs(const store::Snapshot& snapshot, const Run& run, Findings& findings) {
  for (std::size_t i = 0; i < run.test_configs.size(); ++i) {
    const TestConfig& config = run.test_configs[i];
    const std::string pointer = "/testConfigs/" + std::to_string(i) + "/test";
    check_chooses_tests(config, pointer, findings);
    if (!config.test) continue;
    TRY(test, snapshot.find<Test>(config.test->id));
    if (!test) continue;
    if (test->scenario != run.scenario) findings.add(pointer, "must be a test of the run's scenario");
    if (test->is_archived) findings.add(pointer, "is archived");
  }
  return Done{};
}

/// Replaces tags with the tests that have them.
Expected<Done> resolve_tags(const store::Snapshot& snapshot, Run& run, Findings& findings) {
  std::vector<TestConfig> resolved;
  for (std::size_t i = 0; i < run.test_configs.size(); ++i) {
    if (run.test_configs[i].tags.empty()) {
      resolved.push_back(run.test_configs[i]);
      continue;
    }
    Run one;
    one.scenario = run.scenario;
    one.test_configs = {run.test_configs[i]};
    TRY(tests, actors::resolved_configs(snapshot, one));
    if (tests.empty()) {
      findings.add("/testConfigs/" + std::to_string(i) + "/tags",
                   "no enabled test of the scenario has one of these tags");
    }
    resolved.insert(resolved.end(), tests.begin(), tests.end());
  }
  run.test_configs = std::move(resolved);
  return Done{};
}

Expected<Run> checked_run(const store::Snapshot& snapshot, const RequestContext& call, In<Run> in) {
  Run& run = in.body;
  Findings& findings = in.findings;
  check_links(snapshot, findings);
  TRY(scenario, snapshot.find<Scenario>(run.scenario.id));
  TRY(agent, snapshot.find<Agent>(run.agent.id));
  if (scenario && agent) check_agent_allowed(*scenario, run.agent.id, findings);
  TRY_DONE(check_configs(snapshot, run, findings));
  check_tag_configs(run.test_configs, findings);
  if (scenario && findings.faults.empty()) {
    TRY_DONE(resolve_tags(snapshot, run, findings));
    TRY(cases, cases_of(snapshot, run));
    if (cases > static_cast<std::int64_t>(limits::cases_max)) {
      findings.add(run.test_configs.empty() ? "/repetitions" : "/testConfigs",
                   "must give at most 20000 cases");
    }
  }
  TRY_DONE(in.check());
  CHECK(agent.has_value());
  if (run.status == RunStatus::pending || run.status == RunStatus::running) {
    TRY_DONE(check_agent_usable(*agent));
  }
  run.created_by = Ref<RecordKind::user>{call.principal.user};
  return std::move(run);
}

}  // namespace

void create_run(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
                ReplyTo reply, In<Run> in) {
  auto run = checked_run(snapshot, *call, std::move(in));
  if (!run) return reply(std::move(run).problem());
  context.gateway.to_run(
      Id{}, actors::CreateRun{std::move(run).value(), call->trace_text()}, origin_of(*call),
      [&context, call, reply](Expected<actors::RunReply> done) {
        if (!done.ok()) return reply(std::move(done).problem());
        reply.later([&context, call, run = std::move(done).value().run]() -> Expected<Reply> {
          TRY(text, run_json(context.store.snapshot(), run));
          Reply shown = json_reply(std::move(text));
          shown.fields.emplace_back("Location", location_of(*call, run.stamp.id));
          return shown;
        });
      });
}

Expected<Reply> create_run_again(const Context&, const store::Snapshot& snapshot, const RequestContext& call,
                                 const AffectedIds& ids) {
  TRY(run, kept_record<Run>(snapshot, ids));
  TRY(text, run_json(snapshot, run));
  Reply shown = json_reply(std::move(text));
  shown.fields.emplace_back("Location", location_of(call, run.stamp.id));
  return shown;
}

}  // namespace parley::http
