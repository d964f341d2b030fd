#include "http/routes.hpp"

#include <array>

#include "http/handlers/handlers.hpp"
#include "model/records/agent.hpp"
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

using enum Right;
using enum Gives;

template <class T>
constexpr AnswerOnce creates{&RecordOperations<T>::create, &RecordOperations<T>::create_again};

// clang-format off
constexpr std::array route_table{
    Route{"GET", "/healthz", "getHealth", "Whether the process lives", 200, none, &healthz, "", "Status"},
    Route{"GET", "/readyz", "getReadiness", "Whether requests are served", 200, none, &readyz, "", "Status"},
    Route{"GET", "/version", "getVersion", "The version of the service, and which models it has", 200, none, &version, "", "Version"},
    Route{"GET", "/openapi.json", "getOpenApi", "This description", 200, none, &openapi, "", "OpenApi"},
    Route{"GET", "/docs", "getDocs", "A page that shows this description", 200, none, &docs, "", "", html},
    Route{"GET", "/metrics", "getMetrics", "Metrics for Prometheus", 200, read, &metrics, "", "", text},
    Route{"PUT", "/admin/scoring", "putScoring", "Pause or resume scoring", 200, admin, &put_scoring, "ScoringBody", "ScoringBody"},

    Route{"POST", "/scenarios", "createScenario", "Create a scenario", 201, write, creates<Scenario>, "ScenarioBody", "Scenario"},
    Route{"GET", "/scenarios", "listScenarios", "List scenarios", 200, read, &RecordOperations<Scenario>::list, "", "Scenario", page, "folder createdBy name"},
    Route{"GET", "/scenarios/{id}", "getScenario", "Get a scenario", 200, read, &RecordOperations<Scenario>::get, "", "Scenario"},
    Route{"PATCH", "/scenarios/{id}", "updateScenario", "Change a scenario", 200, write, &RecordOperations<Scenario>::patch, "ScenarioPatch", "Scenario"},
    Route{"GET", "/scenarios/{id}/tests", "listScenarioTests", "List the tests of a scenario", 200, read, &list_scenario_tests, "", "Test", page, "parentTest name"},

    Route{"POST", "/tests", "createTest", "Create a test or a variant", 201, write, creates<Test>, "TestBody", "Test", one, "", "", true},
    Route{"GET", "/tests", "listTests", "List tests", 200, read, &RecordOperations<Test>::list, "", "Test", page, "scenario parentTest name"},
    Route{"GET", "/tests/{id}", "getTest", "Get a test", 200, read, &RecordOperations<Test>::get, "", "Test"},
    Route{"PATCH", "/tests/{id}", "updateTest", "Change a test", 200, write, &RecordOperations<Test>::patch, "TestPatch", "Test", one, "", "", true},

    Route{"POST", "/agents", "createAgent", "Create an agent", 201, write, creates<Agent>, "AgentBody", "Agent"},
    Route{"GET", "/agents", "listAgents", "List agents", 200, read, &RecordOperations<Agent>::list, "", "Agent", page, "type owner name"},
    Route{"GET", "/agents/{id}", "getAgent", "Get an agent", 200, read, &RecordOperations<Agent>::get, "", "Agent"},
    Route{"PATCH", "/agents/{id}", "updateAgent", "Change an agent", 200, write, &RecordOperations<Agent>::patch, "AgentPatch", "Agent"},
    Route{"POST", "/agents/{id}/check", "checkAgent", "Call an agent once and tell what came back; each check is a new probe, an Idempotency-Key is not kept", 200, write, &check_agent, "", "AgentCheck"},
    Route{"POST", "/agents/local", "registerLocalAgent", "Register a local runner, or say that it lives, and take work", 200, write, AnswerOnce{&register_local_agent, &register_local_agent_again}, "LocalAgentBody", "LocalWork"},

    Route{"POST", "/personalities", "createPersonality", "Create a personality", 201, write, creates<Personality>, "PersonalityBody", "Personality"},
    Route{"GET", "/personalities", "listPersonalities", "List personalities", 200, read, &RecordOperations<Personality>::list, "", "Personality", page, "name"},
    Route{"GET", "/personalities/{id}", "getPersonality", "Get a personality", 200, read, &RecordOperations<Personality>::get, "", "Personality"},
    Route{"PATCH", "/personalities/{id}", "updatePersonality", "Change a personality", 200, write, &RecordOperations<Personality>::patch, "PersonalityPatch", "Personality"},

    Route{"POST", "/folders", "createFolder", "Create a folder", 201, write, creates<Folder>, "FolderBody", "Folder"},
    Route{"GET", "/folders", "listFolders", "List folders", 200, read, &RecordOperations<Folder>::list, "", "Folder", page, "name"},
    Route{"GET", "/folders/{id}", "getFolder", "Get a folder", 200, read, &RecordOperations<Folder>::get, "", "Folder"},
    Route{"PATCH", "/folders/{id}", "updateFolder", "Change a folder", 200, write, &RecordOperations<Folder>::patch, "FolderPatch", "Folder"},

    Route{"POST", "/run-groups", "createRunGroup", "Create a run group", 201, write, creates<RunGroup>, "RunGroupBody", "RunGroup"},
    Route{"GET", "/run-groups", "listRunGroups", "List run groups", 200, read, &RecordOperations<RunGroup>::list, "", "RunGroup", page, "name"},
    Route{"GET", "/run-groups/{id}", "getRunGroup", "Get a run group", 200, read, &RecordOperations<RunGroup>::get, "", "RunGroup"},
    Route{"PATCH", "/run-groups/{id}", "updateRunGroup", "Change a run group", 200, write, &RecordOperations<RunGroup>::patch, "RunGroupPatch", "RunGroup"},

    Route{"POST", "/tags", "createTag", "Create a tag", 201, write, creates<Tag>, "TagBody", "Tag", one, "", "", true},
    Route{"GET", "/tags", "listTags", "List tags", 200, read, &RecordOperations<Tag>::list, "", "Tag", page, "name"},
    Route{"GET", "/tags/{id}", "getTag", "Get a tag", 200, read, &RecordOperations<Tag>::get, "", "Tag"},
    Route{"PATCH", "/tags/{id}", "updateTag", "Change a tag", 200, write, &RecordOperations<Tag>::patch, "TagPatch", "Tag", one, "", "", true},

    Route{"POST", "/scenario-configurations", "createScenarioConfiguration", "Create a scenario configuration", 201, write, creates<ScenarioConfiguration>, "ScenarioConfigurationBody", "ScenarioConfiguration"},
    Route{"GET", "/scenario-configurations", "listScenarioConfigurations", "List scenario configurations", 200, read, &RecordOperations<ScenarioConfiguration>::list, "", "ScenarioConfiguration", page, "name"},
    Route{"GET", "/scenario-configurations/{id}", "getScenarioConfiguration", "Get a scenario configuration", 200, read, &RecordOperations<ScenarioConfiguration>::get, "", "ScenarioConfiguration"},
    Route{"PATCH", "/scenario-configurations/{id}", "updateScenarioConfiguration", "Change a scenario configuration", 200, write, &RecordOperations<ScenarioConfiguration>::patch, "ScenarioConfigurationPatch", "ScenarioConfiguration"},

    Route{"POST", "/external-conversation-logs", "createExternalConversationLog", "Create an external conversation log", 201, write, AnswerOnce{&create_external_log, &RecordOperations<ExternalLog>::create_again}, "ExternalConversationLogBody", "ExternalConversationLog"},
    Route{"GET", "/external-conversation-logs", "listExternalConversationLogs", "List external conversation logs", 200, read, &RecordOperations<ExternalLog>::list, "", "ExternalConversationLog", page, "tag agent externalSource externalId"},
    Route{"GET", "/external-conversation-logs/{id}", "getExternalConversationLog", "Get an external conversation log", 200, read, &RecordOperations<ExternalLog>::get, "", "ExternalConversationLog"},
    Route{"PATCH", "/external-conversation-logs/{id}", "updateExternalConversationLog", "Change an external conversation log", 200, write, &RecordOperations<ExternalLog>::patch, "ExternalConversationLogPatch", "ExternalConversationLog"},
    Route{"POST", "/external-conversation-logs/{id}/score", "scoreExternalConversationLog", "Decide assertions on an external conversation log; nothing is stored, an Idempotency-Key neither", 200, write, &score_log, "ScoreLogBody", "LogScore", one, "", "", true},
    Route{"DELETE", "/external-conversation-logs/{id}", "deleteExternalConversationLog", "Delete an external conversation log for good", 204, admin, &delete_external_log, "", "", nothing},

    Route{"POST", "/scheduled-runs", "createScheduledRun", "Create a schedule of runs", 201, write, creates<ScheduledRun>, "ScheduledRunBody", "ScheduledRun"},
    Route{"GET", "/scheduled-runs", "listScheduledRuns", "List schedules of runs", 200, read, &RecordOperations<ScheduledRun>::list, "", "ScheduledRun", page, "name"},
    Route{"GET", "/scheduled-runs/{id}", "getScheduledRun", "Get a schedule of runs", 200, read, &RecordOperations<ScheduledRun>::get, "", "ScheduledRun"},
    Route{"PATCH", "/scheduled-runs/{id}", "updateScheduledRun", "Change a schedule of runs", 200, write, &RecordOperations<ScheduledRun>::patch, "ScheduledRunPatch", "ScheduledRun"},

    Route{"POST", "/users", "createUser", "Create a user", 201, admin, creates<User>, "UserBody", "User"},
    Route{"GET", "/users", "listUsers", "List users", 200, admin, &RecordOperations<User>::list, "", "User", page, "name"},
    Route{"GET", "/users/{id}", "getUser", "Get a user", 200, admin, &RecordOperations<User>::get, "", "User"},
    Route{"PATCH", "/users/{id}", "updateUser", "Change a user", 200, admin, &RecordOperations<User>::patch, "UserPatch", "User"},

    Route{"POST", "/api-keys", "createApiKey", "Create an API key; its text is shown this once", 201, write, AnswerOnce{&create_api_key, &create_api_key_again}, "ApiKeyBody", "NewApiKey"},
    Route{"GET", "/api-keys", "listApiKeys", "List API keys", 200, read, &list_api_keys, "", "ApiKey", page, "user name"},
    Route{"GET", "/api-keys/{id}", "getApiKey", "Get an API key", 200, read, &get_api_key, "", "ApiKey"},
    Route{"DELETE", "/api-keys/{id}", "revokeApiKey", "Revoke an API key", 204, write, &revoke_api_key, "", "", nothing},

    Route{"POST", "/runs", "createRun", "Create a run", 201, write, AnswerOnce{&create_run, &create_run_again}, "RunBody", "Run"},
    Route{"GET", "/runs", "listRuns", "List runs", 200, read, &list_runs, "", "Run", page, "agent personality createdBy runGroup scenario status scheduled"},
    Route{"GET", "/runs/{id}", "getRun", "Get a run", 200, read, &get_run, "", "Run", one, "", "wait"},
    Route{"PATCH", "/runs/{id}", "updateRun", "Change a run", 200, write, &patch_run, "RunPatch", "Run"},
    Route{"DELETE", "/runs/{id}", "deleteRun", "Delete a run and its results for good", 204, admin, &delete_run, "", "", nothing},
    Route{"POST", "/runs/{run_id}/cancel", "cancelRun", "Cancel a run and its results", 200, write, AnswerOnce{&cancel_run, &cancel_run_again}, "", "Run"},
    Route{"GET", "/runs/{id}/test-results", "listRunTestResults", "List the test results of a run", 200, read, &list_run_results, "", "TestResult", page, "status"},
    Route{"GET", "/runs/{id}/repetitions", "listRunRepetitions", "List the tests with more than one case", 200, read, &list_run_repetitions, "", "Repetition", page, "", "", false, "createdAt runs passed flaky"},
    Route{"GET", "/runs/{id}/compare/{other}", "compareRuns", "Compare a run with a later one, trial by trial", 200, read, &compare_runs, "", "RunComparison"},
    Route{"POST", "/runs/{id}/detect-hallucinations", "detectHallucinations", "Trace what the chatbot claimed in the finished results of a run", 200, write, AnswerOnce{&detect_hallucinations, &cancel_run_again}, "", "Run"},
    Route{"POST", "/runs/{id}/rescore", "rescoreRun", "Score the completed results of a run again; a preview keeps no Idempotency-Key", 200, write, AnswerOnce{&rescore_run, &rescore_run_again}, "RescoreBody", "Rescoring", page, "", "", true, "createdAt"},

    Route{"POST", "/test-results", "createTestResult", "Create a test result", 201, write, AnswerOnce{&create_result, &create_result_again}, "TestResultBody", "TestResult", one, "", "", true},
    Route{"GET", "/test-results", "listTestResults", "List test results", 200, read, &list_results, "", "TestResult", page, "run test agent status"},
    Route{"GET", "/test-results/{id}", "getTestResult", "Get a test result", 200, read, &get_result, "", "TestResult", one, "", "wait"},
    Route{"PATCH", "/test-results/{id}", "updateTestResult", "Change a test result", 200, write, &patch_result, "TestResultPatch", "TestResult"},
    Route{"DELETE", "/test-results/{id}", "deleteTestResult", "Delete a test result for good", 204, admin, &delete_result, "", "", nothing},
    Route{"POST", "/test-results/{id}/retry", "retryTestResult", "Retry a test result in place", 201, write, AnswerOnce{&retry_result, &create_result_again}, "", "TestResult"},
    Route{"POST", "/test-results/{id}/conversation", "addConversationEntry", "Record an entry of the conversation", 201, write, AnswerOnce{&post_entry, &post_entry_again}, "EntryBody", "EntryAnswer", one, "", "return"},
    Route{"PATCH", "/test-results/{id}/conversation/{message_id}", "updateConversationEntry", "Merge metadata into an entry", 200, write, &patch_entry, "EntryPatchBody", "EntryAnswer", one, "", "return"},
    Route{"POST", "/test-results/{id}/next-message", "nextMessage", "Generate the tester's next turn", 200, write, AnswerOnce{&next_message, &next_message_again}, "", "TesterReply", one, "", "wait"},
    Route{"POST", "/test-results/{id}/finish", "finishTestResult", "Start scoring in the background", 202, write, AnswerOnce{&finish_result, &finish_result_again}, "", "TestResult"},
    Route{"POST", "/test-results/{id}/rescore", "rescoreTestResult", "Score a completed result again; a preview keeps no Idempotency-Key", 200, write, AnswerOnce{&rescore_result, &rescore_result_again}, "RescoreBody", "Rescoring", one, "", "", true},
    Route{"POST", "/test-results/{id}/review", "reviewTestResult", "Tell whether a finished result was a valid trial, and whose fault it was if not", 200, write, AnswerOnce{&review_result, &finish_result_again}, "ReviewBody", "TestResult"},
    Route{"GET", "/test-results/{id}/verdicts", "listVerdicts", "List the verdicts of a result, the one that counts first", 200, read, &list_verdicts, "", "Verdict", page, "", "", false, "createdAt version"},
};
// clang-format on

}  // namespace

std::span<const Route> routes() {
  return route_table;
}

}  // namespace parley::http
