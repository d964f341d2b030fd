#include "http/openapi/schemas.hpp"

#include <algorithm>
#include <array>

#include "http/bodies/apply_body.hpp"
#include "http/bodies/cluster_bodies.hpp"
#include "http/bodies/dashboard_bodies.hpp"
#include "http/bodies/json_lines.hpp"
#include "http/bodies/local_bodies.hpp"
#include "http/bodies/otlp_body.hpp"
#include "http/bodies/result_bodies.hpp"
#include "http/bodies/run_bodies.hpp"
#include "http/bodies/session_bodies.hpp"
#include "http/exchange/inputs.hpp"
#include "http/lists/sort.hpp"
#include "http/openapi/type_schemas.hpp"
#include "http/views/result_view.hpp"
#include "model/check.hpp"
#include "model/description/record_schema.hpp"
#include "model/records/agent.hpp"
#include "model/records/entry.hpp"
#include "model/records/external_log.hpp"
#include "model/records/named_records.hpp"
#include "model/records/scenario.hpp"
#include "model/records/scenario_configuration.hpp"
#include "model/records/scheduled_run.hpp"
#include "model/records/tag.hpp"
#include "model/records/test.hpp"
#include "model/records/user.hpp"
#include "model/records/webhook.hpp"
#include "openapi/schemas_json.hpp"

namespace parley::http {
namespace {

template <class T, SchemaMode Mode>
void of(json::Writer& out) {
  SchemaWriter::write(out, T{}, Mode);
}

template <class T>
constexpr auto answer = &of<T, SchemaMode::answer>;
template <class T>
constexpr auto body = &of<T, SchemaMode::create>;
template <class T>
constexpr auto change = &of<T, SchemaMode::patch>;

/// The schema with this name is in schemas.json.
constexpr void (*in_file)(json::Writer&) = nullptr;

/// The row for a type of the route table.
template <class T>
constexpr SchemaRow row(std::string_view name, void (*write)(json::Writer&),
                        std::vector<std::string_view> (*sort_names)() = nullptr) {
  return {name, write, sort_names, SchemaId::of<T>()};
}

constexpr std::array schema_table{
    SchemaRow{"Link", in_file},
    SchemaRow{"Problem", in_file},
    SchemaRow{"LogState", in_file},
    row<answers::Status>("Status", in_file),
    row<answers::Version>("Version", in_file),
    row<answers::Switchover>("Switchover", in_file),
    row<SwitchoverBody>("SwitchoverBody", body<SwitchoverBody>),
    row<answers::OpenApi>("OpenApi", in_file),
    row<SignInBody>("SignInBody", body<SignInBody>),
    row<answers::Session>("Session", in_file),
    row<answers::SignInCode>("SignInCode", in_file),
    row<Scenario>("Scenario", answer<Scenario>, &sortable<Scenario>),
    row<New<Scenario>>("ScenarioBody", body<Scenario>),
    row<Patch<Scenario>>("ScenarioPatch", change<Scenario>),
    row<Test>("Test", answer<Test>, &sortable<Test>),
    row<New<Test>>("TestBody", body<Test>),
    row<Patch<Test>>("TestPatch", change<Test>),
    row<Agent>("Agent", answer<Agent>, &sortable<Agent>),
    row<New<Agent>>("AgentBody", &write_agent_body),
    row<Patch<Agent>>("AgentPatch", &write_agent_patch),
    SchemaRow{"AgentType", &write_agent_type},
    SchemaRow{"Secrets", &write_secrets},
    row<answers::AgentCheck>("AgentCheck", in_file),
    row<ApplyBody>("ApplyBody", body<ApplyBody>),
    SchemaRow{"RenamedKeys", in_file},
    SchemaRow{"AppliedAgents", in_file},
    SchemaRow{"AppliedPersonalities", in_file},
    SchemaRow{"AppliedScenarios", in_file},
    SchemaRow{"AppliedTest", in_file},
    SchemaRow{"AppliedChange", in_file},
    row<answers::Applied>("Applied", in_file),
    row<LocalAgentBody>("LocalAgentBody", body<LocalAgentBody>),
    row<answers::LocalWork>("LocalWork", in_file),
    row<Personality>("Personality", answer<Personality>, &sortable<Personality>),
    row<New<Personality>>("PersonalityBody", body<Personality>),
    row<Patch<Personality>>("PersonalityPatch", change<Personality>),
    row<Folder>("Folder", answer<Folder>, &sortable<Folder>),
    row<New<Folder>>("FolderBody", body<Folder>),
    row<Patch<Folder>>("FolderPatch", change<Folder>),
    row<RunGroup>("RunGroup", answer<RunGroup>, &sortable<RunGroup>),
    row<New<RunGroup>>("RunGroupBody", body<RunGroup>),
    row<Patch<RunGroup>>("RunGroupPatch", change<RunGroup>),
    row<Tag>("Tag", answer<Tag>, &sortable<Tag>),
    row<New<Tag>>("TagBody", body<Tag>),
    row<Patch<Tag>>("TagPatch", change<Tag>),
    row<ScenarioConfiguration>("ScenarioConfiguration", answer<ScenarioConfiguration>,
                               &sortable<ScenarioConfiguration>),
    row<New<ScenarioConfiguration>>("ScenarioConfigurationBody", body<ScenarioConfiguration>),
    row<Patch<ScenarioConfiguration>>("ScenarioConfigurationPatch", change<ScenarioConfiguration>),
    row<ExternalLog>("ExternalConversationLog", answer<ExternalLog>, &sortable<ExternalLog>),
    row<New<ExternalLog>>("ExternalConversationLogBody", body<ExternalLog>),
    row<Patch<ExternalLog>>("ExternalConversationLogPatch", change<ExternalLog>),
    SchemaRow{"ExternalConversationLogLines", in_file, nullptr, SchemaId::of<JsonLines<ExternalLog>>(),
              "application/jsonl"},
    row<answers::LogBatch>("LogBatch", in_file),
    SchemaRow{"TracesBody", in_file, nullptr, SchemaId::of<OtlpBody>(), "application/x-protobuf"},
    row<answers::TracesTaken>("TracesTaken", in_file),
    row<answers::TagApplied>("TagApplied", in_file),
    row<ScheduledRun>("ScheduledRun", answer<ScheduledRun>, &sortable<ScheduledRun>),
    row<New<ScheduledRun>>("ScheduledRunBody", body<ScheduledRun>),
    row<Patch<ScheduledRun>>("ScheduledRunPatch", change<ScheduledRun>),
    row<Webhook>("Webhook", answer<Webhook>, &sortable<Webhook>),
    row<New<Webhook>>("WebhookBody", body<Webhook>),
    row<Patch<Webhook>>("WebhookPatch", change<Webhook>),
    row<answers::Delivery>("WebhookDelivery", in_file),
    row<User>("User", answer<User>, &sortable<User>),
    row<New<User>>("UserBody", body<User>),
    row<Patch<User>>("UserPatch", change<User>),
    row<ApiKey>("ApiKey", answer<ApiKey>, &sortable<ApiKey>),
    row<New<ApiKey>>("ApiKeyBody", body<ApiKey>),
    row<answers::NewApiKey>("NewApiKey", in_file),
    row<Run>("Run", answer<Run>, &sortable<Run>),
    row<New<Run>>("RunBody", body<Run>),
    row<RunPatchBody>("RunPatch", body<RunPatchBody>),
    row<answers::Repetition>("Repetition", in_file),
    SchemaRow{"Range", in_file},
    SchemaRow{"ComparedTrials", in_file},
    SchemaRow{"ChangedAssertion", in_file},
    SchemaRow{"ComparedTest", in_file},
    row<answers::RunComparison>("RunComparison", in_file),
    row<answers::Cells>("Cells", in_file),
    row<answers::Failures>("Failures", in_file),
    row<FailureNoteBody>("FailureNote", body<FailureNoteBody>),
    SchemaRow{"TrialCell", in_file},
    row<answers::ComparedCells>("ComparedCells", in_file),
    row<answers::ConversationDiff>("ConversationDiff", in_file),
    row<LabelBody>("LabelBody", body<LabelBody>),
    row<answers::Label>("Label", in_file),
    row<answers::AgreementReport>("Agreement", in_file),
    row<GrepBody>("GrepBody", body<GrepBody>),
    row<answers::Grep>("Grep", in_file),
    row<answers::Trends>("Trends", in_file),
    row<ValidateBody>("ValidateBody", body<ValidateBody>),
    row<answers::Validation>("Validation", in_file),
    row<answers::Entries>("Entries", in_file),
    row<answers::TestResult>("TestResult", in_file, &sortable_of_results),
    SchemaRow{"ResultReview", in_file},
    SchemaRow{"ExtractedClaim", in_file},
    row<ResultBody>("TestResultBody", body<ResultBody>),
    row<ResultPatchBody>("TestResultPatch", body<ResultPatchBody>),
    SchemaRow{"Averages", in_file},
    SchemaRow{"ModelUse", in_file},
    SchemaRow{"RoleUsage", in_file},
    SchemaRow{"RunUsage", in_file},
    SchemaRow{"Warning", in_file},
    SchemaRow{"RunSummary", in_file},
    SchemaRow{"RunResult", in_file},
    SchemaRow{"EntryReceipt", in_file},
    row<answers::EntryAnswer>("EntryAnswer", in_file),
    row<ScoreLogBody>("ScoreLogBody", body<ScoreLogBody>),
    row<answers::LogScore>("LogScore", in_file),
    row<ReviewBody>("ReviewBody", body<ReviewBody>),
    row<RescoreBody>("RescoreBody", body<RescoreBody>),
    row<answers::Rescoring>("Rescoring", in_file),
    SchemaRow{"Outcome", in_file},
    row<answers::Verdict>("Verdict", in_file),
    SchemaRow{"AssertionResult", answer<AssertionResult>},
    SchemaRow{"Assertion", &write_assertion},
    SchemaRow{"AssertionType", &write_assertion_type},
    SchemaRow{"Entry", in_file},
    row<EntryBody>("EntryBody", &write_entry_body),
    SchemaRow{"LogMessage", &write_log_message},
    row<EntryPatchBody>("EntryPatchBody", body<EntryPatchBody>),
    row<answers::TesterReply>("TesterReply", in_file),
    row<ScoringBody>("ScoringBody", body<ScoringBody>),
};

}  // namespace

void write_schema(json::Writer& out, const SchemaRow& row) {
  static const json::Document file = json::parse(schemas_json).value();
  if (row.write_members == in_file) {
    out.raw(file.root().find(row.name)->compact().text);
  } else {
    out.begin_object();
    row.write_members(out);
    out.end_object();
  }
}

std::span<const SchemaRow> schemas() {
  return schema_table;
}

const SchemaRow& schema_row(SchemaId type) {
  const auto* row = std::find_if(schema_table.begin(), schema_table.end(),
                                 [&](const SchemaRow& each) { return each.type == type; });
  CHECK(type && row != schema_table.end());
  return *row;
}

}  // namespace parley::http
