#include "http/openapi/schemas.hpp"

#include <algorithm>
#include <array>

#include "http/bodies/local_bodies.hpp"
#include "http/bodies/result_bodies.hpp"
#include "http/bodies/run_bodies.hpp"
#include "http/exchange/inputs.hpp"
#include "http/exchange/sort.hpp"
#include "http/openapi/answer_schemas.hpp"
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

/// A schema given as the members of its JSON object.
template <const std::string_view& Members>
void literal(json::Writer& out) {
  // The raw text starts with the value of the first member, whose key is written here.
  out.key("type").raw(Members);
}

constexpr std::string_view link =
    R"("object","properties":{"id":{"type":"string"},"name":{"type":"string"},)"
    R"("type":{"type":"string"},"status":{"type":"string"},"externalId":{"type":"string"}},"required":["id"])";
constexpr std::string_view status =
    R"("object","properties":{"status":{"type":"string"}},"required":["status"])";
constexpr std::string_view version =
    R"("object","properties":{"version":{"type":"string"},"models":{"type":"object","description":"Whether a model is configured: )"
    R"(for the tester of instructions that are not scripts, and for the judge of criteria.",)"
    R"("properties":{"tester":{"type":"boolean"},"judge":{"type":"boolean"}},"required":["tester","judge"]}},)"
    R"("required":["version","models"])";
constexpr std::string_view any_object = R"("object","additionalProperties":true)";
constexpr std::string_view problem =
    R"("object","properties":{"type":{"type":"string"},"title":{"type":"string"},"status":{"type":"integer"},)"
    R"("detail":{"type":"string"},"instance":{"type":"string"},"errors":{"type":"array","items":{"type":"object",)"
    R"("properties":{"pointer":{"type":"string"},"parameter":{"type":"string"},"detail":{"type":"string"}},)"
    R"("required":["detail"]}}},"required":["type","title","status","detail"])";
constexpr std::string_view entry =
    R"("object","properties":{"id":{"type":"string"},"type":{"type":"string","enum":["message","tool",)"
    R"("internal-event","public-event","action"]},"role":{"type":"string","enum":["tester","chatbot"]},)"
    R"("content":{"type":["string","null"]},"name":{"type":["string","null"]},"metadata":{"type":"object",)"
    R"("additionalProperties":true},)"
    R"("createdAt":{"type":"string","format":"date-time"},"turn":{"type":"integer"}},)"
    R"("required":["id","type","role","content","name","metadata","createdAt","turn"])";
constexpr std::string_view tester_reply =
    R"("object","properties":{"message":{"type":["string","null"]},"action":{"anyOf":[{"type":"object","properties":)"
    R"({"name":{"type":"string"},"arguments":{"type":"object","additionalProperties":true}},)"
    R"("required":["name"]},{"type":"null"}]},)"
    R"("end_chat":{"type":"boolean"},"ready":{"type":"boolean"},"message_id":{"type":["string","null"]}},)"
    R"("required":["end_chat","ready"])";
constexpr std::string_view agent_check =
    R"("object","properties":{"ok":{"type":"boolean"},"status":{"type":["integer","null"]},)"
    R"("durationMs":{"type":"integer"},"reply":{"anyOf":[{"type":"object","properties":{)"
    R"("message":{"type":["string","null"]},"tools":{"type":"array","items":{"type":"string"}},)"
    R"("events":{"type":"array","items":{"type":"string"}},"metadata":{"type":"object",)"
    R"("additionalProperties":true},"end":{"type":"boolean"}}},{"type":"null"}]},)"
    R"("error":{"anyOf":[{"type":"object","properties":{)"
    R"("code":{"type":"string"},"detail":{"type":"string"}},"required":["code","detail"]},{"type":"null"}]}},)"
    R"("required":["ok","status","durationMs","reply","error"])";
constexpr std::string_view new_key =
    R"("object","allOf":[{"$ref":"#/components/schemas/ApiKey"}],"properties":{"key":{"type":"string",)"
    R"("description":"The key itself; shown only once, and not in the answer to a repeated request."}})";
constexpr std::string_view local_work =
    R"("object","properties":{"agent_id":{"type":"string"},"run_id":{"type":"string"},)"
    R"("test_result_ids":{"type":"array","items":{"type":"string"},"maxItems":100}},"required":["agent_id"])";
constexpr std::string_view repetition =
    R"("object","properties":{"test":{"$ref":"#/components/schemas/Link"},"runs":{"type":"integer"},)"
    R"("passed":{"type":"integer"},"flaky":{"type":"boolean"},)"
    R"("passAtK":{"type":"object","additionalProperties":{"type":"number"}},)"
    R"("passHatK":{"type":"object","additionalProperties":{"type":"number"}}},)"
    R"("required":["test","runs","passed","flaky","passAtK","passHatK"])";
constexpr std::string_view averages =
    R"("object","description":"Means over the chatbot messages that have the number; null if none has.",)"
    R"("properties":{"responseTime":{"type":["number","null"]},"inputTokens":{"type":["number","null"]},)"
    R"("outputTokens":{"type":["number","null"]},"cost":{"type":["number","null"]}},)"
    R"("required":["responseTime","inputTokens","outputTokens","cost"])";
constexpr std::string_view model_use =
    R"("object","description":"Answered calls of one role, and the sums of the usage that the endpoint reported.",)"
    R"("properties":{"model":{"type":"string"},"calls":{"type":"integer"},)"
    R"("repeated":{"type":"integer","description":"Cached answers (--keep-answers); they cost nothing."},)"
    R"("inputTokens":{"type":["integer","null"]},"outputTokens":{"type":["integer","null"]},)"
    R"("cost":{"type":["number","null"]}},)"
    R"("required":["model","calls","repeated","inputTokens","outputTokens","cost"])";
constexpr std::string_view range =
    R"("object","properties":{"low":{"type":"number"},"high":{"type":"number"}},"required":["low","high"])";
constexpr std::string_view run_summary =
    R"("object","description":"The client's keys, overlaid with the computed ones.",)"
    R"("properties":{"score":{"type":["integer","null"]},"passRate":{"type":["number","null"]},)"
    R"("total":{"type":"integer"},"pending":{"type":"integer"},"running":{"type":"integer"},)"
    R"("completed":{"type":"integer"},"failed":{"type":"integer"},"canceled":{"type":"integer"},)"
    R"("passed":{"type":"integer"},"notPassed":{"type":"integer"},"undecided":{"type":"integer"},)"
    R"("coverage":{"type":"number"},"interval":{"$ref":"#/components/schemas/Range"},)"
    R"("bounds":{"$ref":"#/components/schemas/Range"},)"
    R"("averages":{"$ref":"#/components/schemas/Averages"},)"
    R"("firstAttempts":{"type":"object","properties":{"score":{"type":["integer","null"]},)"
    R"("passRate":{"type":["number","null"]},"total":{"type":"integer"},"passed":{"type":"integer"},)"
    R"("notPassed":{"type":"integer"}},"required":["score","passRate","total","passed","notPassed"]},)"
    R"("retries":{"type":"object","properties":{"total":{"type":"integer"}},)"
    R"("additionalProperties":{"type":"integer"},"required":["total"]},)"
    R"("passK":{"type":"array","items":{"type":"object","properties":{"k":{"type":"integer"},)"
    R"("tests":{"type":"integer"},"passAtK":{"type":"number"},"passHatK":{"type":"number"}},)"
    R"("required":["k","tests","passAtK","passHatK"]}},)"
    R"("flaky":{"type":"array","items":{"$ref":"#/components/schemas/Link"}},)"
    R"("repetitions":{"type":"array","items":{"$ref":"#/components/schemas/Repetition"}}},)"
    R"("additionalProperties":true,"required":["score","passRate","total"])";
constexpr std::string_view result_of_run =
    R"("object","description":"The client's object, until the run is launched or has a result.",)"
    R"("anyOf":[{"$ref":"#/components/schemas/RunSummary"},{"type":"object","additionalProperties":true}])";
constexpr std::string_view entry_receipt =
    R"("object","description":"The answer with Prefer: return=minimal.",)"
    R"("properties":{"entry":{"$ref":"#/components/schemas/Entry"},)"
    R"("status":{"type":"string","enum":["pending","running","completed","failed","canceled"]},)"
    R"("isEnded":{"type":"boolean"}},"required":["entry","status","isEnded"])";
constexpr std::string_view entry_answer =
    R"("object","anyOf":[{"$ref":"#/components/schemas/TestResult"},{"$ref":"#/components/schemas/EntryReceipt"}])";
constexpr std::string_view compared_trials =
    R"("object","description":"The paired trials of two runs, and the conclusion.",)"
    R"("properties":{"change":{"type":"string","enum":["unchanged","fixed","regressed","undecided"]},)"
    R"("pairs":{"type":"integer"},"open":{"type":"integer","description":"Pairs with a trial that has no outcome."},)"
    R"("passedBefore":{"type":"integer"},"passedAfter":{"type":"integer"},"better":{"type":"integer"},)"
    R"("worse":{"type":"integer"},"p":{"type":"number"},"furtherRepetitions":{"type":["integer","null"]}},)"
    R"("required":["change","pairs","open","passedBefore","passedAfter","better","worse","p","furtherRepetitions"])";
constexpr std::string_view compared_test =
    R"("object","allOf":[{"$ref":"#/components/schemas/ComparedTrials"}],"properties":{)"
    R"("test":{"$ref":"#/components/schemas/Link"},)"
    R"("personality":{"anyOf":[{"$ref":"#/components/schemas/Link"},{"type":"null"}]},)"
    R"("adjustedP":{"type":"number"}},"required":["test","personality","adjustedP"])";
constexpr std::string_view run_comparison =
    R"("object","properties":{"before":{"$ref":"#/components/schemas/Link"},)"
    R"("after":{"$ref":"#/components/schemas/Link"},"level":{"type":"number"},"power":{"type":"number"},)"
    R"("overall":{"$ref":"#/components/schemas/ComparedTrials"},)"
    R"("counts":{"type":"object","additionalProperties":{"type":"integer"}},)"
    R"("averages":{"type":"object","properties":{"before":{"$ref":"#/components/schemas/Averages"},)"
    R"("after":{"$ref":"#/components/schemas/Averages"}},"required":["before","after"]},)"
    R"("tests":{"type":"array","items":{"$ref":"#/components/schemas/ComparedTest"}}},)"
    R"("required":["before","after","level","power","overall","counts","averages","tests"])";
constexpr std::string_view rescoring =
    R"("object","properties":{"id":{"type":"string"},)"
    R"("test":{"anyOf":[{"$ref":"#/components/schemas/Link"},{"type":"null"}]},)"
    R"("before":{"$ref":"#/components/schemas/Outcome"},"after":{"$ref":"#/components/schemas/Outcome"},)"
    R"("flips":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},)"
    R"("name":{"type":["string","null"]},"type":{"type":"string"},"before":{"type":["string","null"]},)"
    R"("after":{"type":["string","null"]},"reason":{"type":["string","null"]}}}},"saved":{"type":"boolean"},)"
    R"("problem":{"type":["string","null"]}},"required":["id","test","before","after","flips","saved","problem"])";
constexpr std::string_view outcome =
    R"("object","properties":{"score":{"type":"integer"},"overallPassed":{"type":"boolean"},)"
    R"("decided":{"type":"boolean"}},"required":["score","overallPassed","decided"])";
constexpr std::string_view verdict =
    R"("object","properties":{"version":{"type":"integer"},"replacedAt":{"type":["string","null"],)"
    R"("format":"date-time"},"score":{"type":"integer"},"overallPassed":{"type":"boolean"},)"
    R"("assertionResults":{"type":"array","items":{"$ref":"#/components/schemas/AssertionResult"}}},)"
    R"("required":["version","replacedAt","score","overallPassed","assertionResults"])";
constexpr std::string_view result_review =
    R"("object","description":"Whether the result was a valid trial, and whose fault a failure was.",)"
    R"("properties":{"valid":{"type":"boolean"},"faultSource":{"type":["string","null"],)"
    R"("enum":["agent","tester","judge","infrastructure","client","test",null]},"reason":{"type":"string"},)"
    R"("evidence":{"type":"array","items":{"type":"string"}},"by":{"type":"string","enum":["rules","model"]},)"
    R"("judge":{"type":["object","null"],"additionalProperties":true}},)"
    R"("required":["valid","faultSource","reason","evidence","by","judge"])";
constexpr std::string_view extracted_claim =
    R"("object","description":"A value that the chatbot stated; source is the entry that stated it before.",)"
    R"("properties":{"text":{"type":"string"},"entry":{"type":"string"},"kind":{"type":"string",)"
    R"("enum":["number","money","date","time","id","email","url","prose"]},"source":{"type":["string","null"]},)"
    R"("supported":{"type":["boolean","null"]}},"required":["text","entry","kind","source","supported"])";
constexpr std::string_view log_score =
    R"("object","properties":{"score":{"type":"integer","minimum":0,"maximum":100},)"
    R"("overallPassed":{"type":"boolean"},"decided":{"type":"boolean"},)"
    R"("assertionResults":{"type":"array","items":{"$ref":"#/components/schemas/AssertionResult"}},)"
    R"("claims":{"type":"array","items":{"$ref":"#/components/schemas/ExtractedClaim"}}},)"
    R"("required":["score","overallPassed","decided","assertionResults","claims"])";
constexpr std::string_view test_result =
    R"("object","properties":{"id":{"type":"string"},"createdAt":{"type":"string","format":"date-time"},)"
    R"("updatedAt":{"type":"string","format":"date-time"},)"
    R"("test":{"anyOf":[{"$ref":"#/components/schemas/Link"},{"type":"null"}]},)"
    R"("run":{"anyOf":[{"$ref":"#/components/schemas/Link"},{"type":"null"}]},)"
    R"("agent":{"$ref":"#/components/schemas/Link"},)"
    R"("personality":{"anyOf":[{"$ref":"#/components/schemas/Link"},{"type":"null"}]},)"
    R"("sourceConversationLog":{"anyOf":[{"$ref":"#/components/schemas/Link"},{"type":"null"}]},)"
    R"("status":{"type":"string","enum":["pending","running","completed","failed","canceled"]},)"
    R"("isEnded":{"type":"boolean"},"endReason":{"type":["string","null"],"enum":["tester_ended","goal_reached",)"
    R"("max_turns","agent_ended","action_error","agent_error","tester_error","infrastructure_error","client_error",)"
    R"("conversation_full","canceled","timeout",null]},)"
    R"("completionMode":{"type":"string","enum":["auto","manual"]},)"
    R"("scoringEnqueuedAt":{"type":["string","null"],"format":"date-time"},)"
    R"("conversation":{"type":"array","items":{"$ref":"#/components/schemas/Entry"}},)"
    R"("assertionResults":{"type":"array","items":{"$ref":"#/components/schemas/AssertionResult"}},)"
    R"("overallPassed":{"type":"boolean"},"score":{"type":"integer","minimum":0,"maximum":100},)"
    R"("metadata":{"type":"object","additionalProperties":true},"isManual":{"type":"boolean"},)"
    R"("claims":{"type":"array","items":{"$ref":"#/components/schemas/ExtractedClaim"}},)"
    R"("review":{"anyOf":[{"$ref":"#/components/schemas/ResultReview"},{"type":"null"}]},"externalLinks":{"type":"array",)"
    R"("items":{"type":"object","additionalProperties":true}},)"
    R"("testCreatedAt":{"type":["string","null"],"format":"date-time"},"testInstruction":{"type":"string"},)"
    R"("isArchived":{"type":"boolean"},"retiredBy":{"type":["string","null"]},)"
    R"("averages":{"$ref":"#/components/schemas/Averages"},)"
    R"("usage":{"type":"object","description":"The usage of the tester and judge models; absent if no model was used.",)"
    R"("properties":{"tester":{"$ref":"#/components/schemas/ModelUse"},)"
    R"("judge":{"$ref":"#/components/schemas/ModelUse"}}}},)"
    R"("required":["id","createdAt","updatedAt","test","run","agent","personality","sourceConversationLog","status",)"
    R"("isEnded","endReason","completionMode","scoringEnqueuedAt","overallPassed","score","isManual","testCreatedAt",)"
    R"("testInstruction","isArchived","retiredBy","averages"])";

/// The row of a type in the route table.
template <class T>
constexpr SchemaRow row(std::string_view name, void (*write)(json::Writer&),
                        std::vector<std::string_view> (*sort_names)() = nullptr) {
  return {name, write, sort_names, SchemaId::of<T>()};
}

constexpr std::array schema_table{
    SchemaRow{"Link", &literal<link>},
    SchemaRow{"Problem", &literal<problem>},
    row<answers::Status>("Status", &literal<status>),
    row<answers::Version>("Version", &literal<version>),
    row<answers::OpenApi>("OpenApi", &literal<any_object>),
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
    row<answers::AgentCheck>("AgentCheck", &literal<agent_check>),
    row<LocalAgentBody>("LocalAgentBody", body<LocalAgentBody>),
    row<answers::LocalWork>("LocalWork", &literal<local_work>),
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
    row<ScheduledRun>("ScheduledRun", answer<ScheduledRun>, &sortable<ScheduledRun>),
    row<New<ScheduledRun>>("ScheduledRunBody", body<ScheduledRun>),
    row<Patch<ScheduledRun>>("ScheduledRunPatch", change<ScheduledRun>),
    row<User>("User", answer<User>, &sortable<User>),
    row<New<User>>("UserBody", body<User>),
    row<Patch<User>>("UserPatch", change<User>),
    row<ApiKey>("ApiKey", answer<ApiKey>, &sortable<ApiKey>),
    row<New<ApiKey>>("ApiKeyBody", body<ApiKey>),
    row<answers::NewApiKey>("NewApiKey", &literal<new_key>),
    row<Run>("Run", answer<Run>, &sortable<Run>),
    row<New<Run>>("RunBody", body<Run>),
    row<RunPatchBody>("RunPatch", body<RunPatchBody>),
    row<answers::Repetition>("Repetition", &literal<repetition>),
    SchemaRow{"Range", &literal<range>},
    SchemaRow{"ComparedTrials", &literal<compared_trials>},
    SchemaRow{"ComparedTest", &literal<compared_test>},
    row<answers::RunComparison>("RunComparison", &literal<run_comparison>),
    row<answers::TestResult>("TestResult", &literal<test_result>, &sortable_of_results),
    SchemaRow{"ResultReview", &literal<result_review>},
    SchemaRow{"ExtractedClaim", &literal<extracted_claim>},
    row<ResultBody>("TestResultBody", body<ResultBody>),
    row<ResultPatchBody>("TestResultPatch", body<ResultPatchBody>),
    SchemaRow{"Averages", &literal<averages>},
    SchemaRow{"ModelUse", &literal<model_use>},
    SchemaRow{"RunSummary", &literal<run_summary>},
    SchemaRow{"RunResult", &literal<result_of_run>},
    SchemaRow{"EntryReceipt", &literal<entry_receipt>},
    row<answers::EntryAnswer>("EntryAnswer", &literal<entry_answer>),
    row<ScoreLogBody>("ScoreLogBody", body<ScoreLogBody>),
    row<answers::LogScore>("LogScore", &literal<log_score>),
    row<ReviewBody>("ReviewBody", body<ReviewBody>),
    row<RescoreBody>("RescoreBody", body<RescoreBody>),
    row<answers::Rescoring>("Rescoring", &literal<rescoring>),
    SchemaRow{"Outcome", &literal<outcome>},
    row<answers::Verdict>("Verdict", &literal<verdict>),
    SchemaRow{"AssertionResult", answer<AssertionResult>},
    SchemaRow{"Assertion", &write_assertion},
    SchemaRow{"AssertionType", &write_assertion_type},
    SchemaRow{"Entry", &literal<entry>},
    row<EntryBody>("EntryBody", &write_entry_body),
    SchemaRow{"LogMessage", &write_log_message},
    row<EntryPatchBody>("EntryPatchBody", body<EntryPatchBody>),
    row<answers::TesterReply>("TesterReply", &literal<tester_reply>),
    row<ScoringBody>("ScoringBody", body<ScoringBody>),
};

}  // namespace

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
