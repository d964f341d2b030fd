// POST /test-results/: checks the body, looks up the records that it names, and generates the case (D42). The run's
// actor decides whether it accepts another result.

#include "http/bodies/case_builder.hpp"
#include "http/exchange/idempotency.hpp"
#include "http/handlers/handlers.hpp"
#include "http/handlers/result_replies.hpp"
#include "model/values/metadata.hpp"
#include "scoring/kinds.hpp"
#include "tester/script.hpp"
#include "tester/warnings.hpp"

namespace parley::http {
namespace {

actors::CreateResult command_of(ResultBody body, const NamedRecords& named, TestCase test_case) {
  actors::CreateResult command;
  command.test = body.test;
  command.run = body.run;
  if (named.run) command.seed = named.run->seed;
  command.agent = body.agent;
  command.personality = body.personality;
  if (named.run && !body.personality) {
    command.personality = body.test ? personality_of_case(*named.run, body.test->id) : named.run->personality;
    command.uses_next_case = body.test && is_planned_in_parts(*named.run, body.test->id);
  }
  if (!named.parts.logs.empty())
    command.source_conversation_log = Ref<RecordKind::external_log>{named.parts.logs.front().stamp.id};
  command.is_manual = body.is_manual;
  command.driving = driving_of(named.agent->type, body.is_manual);
  command.completion_mode = body.completion_mode;
  if (named.parts.test) command.test_created_at = named.parts.test->stamp.created_at();
  command.test_case = std::move(test_case);
  command.extras = {std::move(body.metadata), std::move(body.external_links)};
  if (command.test_case.metadata)
    command.extras.metadata = merged(*command.test_case.metadata, command.extras.metadata);
  return command;
}

/// Whether a person, a script or a model will play the tester.
tester::Player player_of(const Context& context, const actors::CreateResult& command) {
  if (command.is_manual) return tester::Player::person;
  const bool by_script =
      !context.options.has_tester_model || tester::is_script(command.test_case.instruction);
  return by_script ? tester::Player::script : tester::Player::model;
}

Expected<actors::CreateResult> checked_command(const Context& context, const store::Snapshot& snapshot,
                                               const RequestContext& call, In<ResultBody> in) {
  ResultBody& body = in.body;
  Findings& findings = in.findings;
  check_links(snapshot, findings);
  TRY(named, named_records(snapshot, body));
  check_fit(snapshot, named, findings);
  if (body.test_instruction) tester::check_script(*body.test_instruction, "/testInstruction", findings);
  scoring::check_assertions(body.assertion_results, "/assertionResults", findings);
  TestCase test_case = build_case(body, named, context.clock.now(), findings);
  const json::Text none;
  if (json::is_beyond(merged(test_case.metadata.value_or(none), body.metadata), limits::metadata_bytes_max))
    findings.add("/metadata", "must have at most 102400 bytes of compact JSON with the test's metadata");
  TRY_DONE(in.check());
  CHECK(named.agent.has_value());
  TRY_DONE(check_agent_usable(*named.agent));
  actors::CreateResult command = command_of(std::move(body), named, std::move(test_case));
  command.warned.add(tester::warnings_of_case(command.test_case, player_of(context, command)));
  command.trace = call.trace_text();
  if (command.run && command.test) {
    TRY(before, snapshot.case_counters(command.run->id, command.test->id));
    command.repetition = before.total;
  }
  return command;
}

/// A run that was deleted after the body was checked counts as an unknown id (D4, D42).
Problem refused_by_run(Problem problem) {
  if (problem.kind != ProblemKind::not_found) return problem;
  Findings findings;
  findings.add("/run", "must be the id of a run");
  return faults_of(std::move(findings)).problem();
}

}  // namespace

void create_result(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
                   ReplyTo reply, In<ResultBody> in) {
  auto command = checked_command(context, snapshot, *call, std::move(in));
  if (!command) return reply(std::move(command).problem());
  if (!command->run) {
    return context.gateway.create_preview(std::move(command).value(), origin_of(*call),
                                          [&context, reply](Expected<actors::ResultReply> done) {
                                            answer_new_result(context, reply, std::move(done));
                                          });
  }
  const Id run = command->run->id;
  context.gateway.to_run(run, std::move(command).value(), origin_of(*call),
                         [&context, reply](Expected<actors::RunReply> done) {
                           if (!done.ok()) return reply(refused_by_run(std::move(done).problem()));
                           CHECK(done.value().result.has_value());
                           answer_new_result(context, reply, std::move(*done.value().result));
                         });
}

}  // namespace parley::http
