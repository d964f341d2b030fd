#include "http/routes.hpp"

#include <array>

#include "http/dashboard/dashboard_handlers.hpp"
#include "http/exchange/route_builder.hpp"
#include "http/handlers/handlers.hpp"
#include "http/openapi/schemas.hpp"
#include "http/traces/trace_handlers.hpp"
#include "model/records/named_records.hpp"
#include "model/records/run.hpp"
#include "model/records/scenario_configuration.hpp"
#include "model/records/scheduled_run.hpp"
#include "model/records/tag.hpp"
#include "model/records/test.hpp"
#include "model/records/webhook.hpp"

namespace parley::http {
namespace {

using enum Right;
using enum Gives;

template <class T>
constexpr Route create_record(std::string_view path, std::string_view operation, std::string_view summary) {
  return create<T, &RecordOperations<T>::create, &RecordOperations<T>::create_again>(path, operation, summary)
      .tagged();
}
template <class T>
constexpr Route page_of_records(std::string_view path, std::string_view operation, std::string_view summary) {
  return list<T, &RecordOperations<T>::list>(path, operation, summary);
}
template <class T>
constexpr Route get_record(std::string_view path, std::string_view operation, std::string_view summary) {
  return get<T, &RecordOperations<T>::get>(path, operation, summary);
}
template <class T>
constexpr Route patch_record(std::string_view path, std::string_view operation, std::string_view summary) {
  return patch<T, &RecordOperations<T>::patch>(path, operation, summary).tagged();
}

constexpr std::array route_table{
    get<answers::Status, &healthz>("/healthz", "getHealth", "Whether the process is alive").needs(none),
    get<answers::Status, &readyz>("/readyz", "getReadiness", "Whether the server accepts requests")
        .needs(none),
    get<answers::Version, &version>("/version", "getVersion",
                                    "The server's version, and which models are configured")
        .needs(none),
    get<answers::OpenApi, &openapi>("/openapi.json", "getOpenApi", "This description").needs(none),
    get<void, &docs>("/docs", "getDocs", "A page that shows this description").as(html).needs(none),
    get<void, &metrics>("/metrics", "getMetrics", "Metrics for Prometheus").as(text),
    put<ScoringBody, &put_scoring>("/admin/scoring", "putScoring", "Pause or resume scoring").needs(admin),
    post<answers::Switchover, &switch_over>("/admin/switchover", "switchOver",
                                            "Let another node of the cluster lead")
        .needs(admin),

    post<answers::Session, &sign_in>("/session", "signIn", "Sign in to the page with an API key or a code")
        .needs(none),
    get<answers::Session, &get_session>("/session", "getSession", "Who the caller is, and what it may do"),
    remove<&sign_out>("/session", "signOut", "End the session of the caller").needs(read),
    post<answers::SignInCode, &create_sign_in_code>(
        "/session/codes", "createSignInCode",
        "Create a code by which a browser can sign in once within a minute")
        .needs(read),
    remove<&end_user_sessions>("/sessions", "endSessions", "End all sessions of a user")
        .needs(read)
        .filter_by("user"),

    get<void, &get_events>("/events", "getEvents", "A stream of events about what the topics name")
        .as(events)
        .filter_by("topics"),

    create_record<Scenario>("/scenarios", "createScenario", "Create a scenario"),
    page_of_records<Scenario>("/scenarios", "listScenarios", "List scenarios")
        .filter_by("folder createdBy name project"),
    get_record<Scenario>("/scenarios/{id}", "getScenario", "Get a scenario"),
    patch_record<Scenario>("/scenarios/{id}", "updateScenario", "Change a scenario"),
    list<Test, &list_scenario_tests>("/scenarios/{id}/tests", "listScenarioTests",
                                     "List the tests of a scenario")
        .filter_by("parentTest tag name project"),

    create_record<Test>("/tests", "createTest", "Create a test or a variant").with_patterns(),
    page_of_records<Test>("/tests", "listTests", "List tests")
        .filter_by("scenario parentTest tag name project"),
    get_record<Test>("/tests/{id}", "getTest", "Get a test"),
    patch_record<Test>("/tests/{id}", "updateTest", "Change a test").with_patterns(),

    post<answers::Applied, &apply_suite, &apply_suite_again>(
        "/apply", "applySuite", "Make the records of a project match its files, in one change")
        .with_patterns(),

    create_record<Agent>("/agents", "createAgent", "Create an agent"),
    page_of_records<Agent>("/agents", "listAgents", "List agents").filter_by("type owner name project"),
    get_record<Agent>("/agents/{id}", "getAgent", "Get an agent"),
    patch_record<Agent>("/agents/{id}", "updateAgent", "Change an agent"),
    post<answers::AgentCheck, &check_agent>(
        "/agents/{id}/check", "checkAgent",
        "Call an agent once and report its answer; every request is a new "
        "call, and no Idempotency-Key is stored"),
    post<answers::AgentCheck, &check_new_agent>("/agents/check", "checkNewAgent",
                                                "Call an unsaved agent once; nothing is stored"),
    post<answers::LocalWork, &register_local_agent, &register_local_agent_again>(
        "/agents/local", "registerLocalAgent",
        "Register a local runner, or send its heartbeat, and take work"),

    create_record<Personality>("/personalities", "createPersonality", "Create a personality"),
    page_of_records<Personality>("/personalities", "listPersonalities", "List personalities")
        .filter_by("name project"),
    get_record<Personality>("/personalities/{id}", "getPersonality", "Get a personality"),
    patch_record<Personality>("/personalities/{id}", "updatePersonality", "Change a personality"),

    create_record<Folder>("/folders", "createFolder", "Create a folder"),
    page_of_records<Folder>("/folders", "listFolders", "List folders").filter_by("name"),
    get_record<Folder>("/folders/{id}", "getFolder", "Get a folder"),
    patch_record<Folder>("/folders/{id}", "updateFolder", "Change a folder"),

    create_record<RunGroup>("/run-groups", "createRunGroup", "Create a run group"),
    page_of_records<RunGroup>("/run-groups", "listRunGroups", "List run groups").filter_by("name"),
    get_record<RunGroup>("/run-groups/{id}", "getRunGroup", "Get a run group"),
    patch_record<RunGroup>("/run-groups/{id}", "updateRunGroup", "Change a run group"),

    create_record<Tag>("/tags", "createTag", "Create a tag").with_patterns(),
    page_of_records<Tag>("/tags", "listTags", "List tags").filter_by("name"),
    get_record<Tag>("/tags/{id}", "getTag", "Get a tag"),
    patch_record<Tag>("/tags/{id}", "updateTag", "Change a tag").with_patterns(),
    post<answers::TagApplied, &apply_tag>(
        "/tags/{id}/apply", "applyTag",
        "Add a smart tag to the stored logs that match its rule; a repeat finds nothing more to do, so no "
        "Idempotency-Key is stored"),

    create_record<ScenarioConfiguration>("/scenario-configurations", "createScenarioConfiguration",
                                         "Create a scenario configuration"),
    page_of_records<ScenarioConfiguration>("/scenario-configurations", "listScenarioConfigurations",
                                           "List scenario configurations")
        .filter_by("name"),
    get_record<ScenarioConfiguration>("/scenario-configurations/{id}", "getScenarioConfiguration",
                                      "Get a scenario configuration"),
    patch_record<ScenarioConfiguration>("/scenario-configurations/{id}", "updateScenarioConfiguration",
                                        "Change a scenario configuration"),

    create<ExternalLog, &create_external_log, &RecordOperations<ExternalLog>::create_again>(
        "/external-conversation-logs", "createExternalConversationLog", "Create an external conversation log")
        .tagged(),
    post<answers::LogBatch, &create_external_logs>(
        "/external-conversation-logs/batch", "createExternalConversationLogs",
        "Create external conversation logs from JSON Lines; a repeat finds those that exist, so no "
        "Idempotency-Key is stored"),
    list<ExternalLog, &list_external_logs>("/external-conversation-logs", "listExternalConversationLogs",
                                           "List external conversation logs")
        .filter_by("tag agent externalSource externalId overallPassed minScore maxScore"),
    get_record<ExternalLog>("/external-conversation-logs/{id}", "getExternalConversationLog",
                            "Get an external conversation log"),
    patch_record<ExternalLog>("/external-conversation-logs/{id}", "updateExternalConversationLog",
                              "Change an external conversation log"),
    post<answers::LogScore, &score_log>(
        "/external-conversation-logs/{id}/score", "scoreExternalConversationLog",
        "Evaluate assertions on an external conversation log; the verdict is stored on request, an "
        "Idempotency-Key never")
        .with_patterns(),
    remove<&delete_external_log>("/external-conversation-logs/{id}", "deleteExternalConversationLog",
                                 "Delete an external conversation log permanently"),

    post<answers::TracesTaken, &export_traces>("/v1/traces", "exportTraces",
                                               "Receive OpenTelemetry spans (OTLP, JSON or protobuf): "
                                               "conversations become external logs; a repeat adds "
                                               "nothing, so no Idempotency-Key is stored"),

    create_record<ScheduledRun>("/scheduled-runs", "createScheduledRun", "Create a schedule of runs"),
    page_of_records<ScheduledRun>("/scheduled-runs", "listScheduledRuns", "List schedules of runs")
        .filter_by("name"),
    get_record<ScheduledRun>("/scheduled-runs/{id}", "getScheduledRun", "Get a schedule of runs"),
    patch_record<ScheduledRun>("/scheduled-runs/{id}", "updateScheduledRun", "Change a schedule of runs"),

    create_record<Webhook>("/webhooks", "createWebhook", "Create a webhook"),
    page_of_records<Webhook>("/webhooks", "listWebhooks", "List webhooks").needs(write).filter_by("name"),
    get_record<Webhook>("/webhooks/{id}", "getWebhook", "Get a webhook").needs(write),
    patch_record<Webhook>("/webhooks/{id}", "updateWebhook", "Change a webhook"),
    remove<&delete_webhook>("/webhooks/{id}", "deleteWebhook", "Delete a webhook").needs(write),
    list<answers::Delivery, &list_deliveries>("/webhooks/{id}/deliveries", "listWebhookDeliveries",
                                              "List the events for a webhook and their outcomes")
        .needs(write)
        .sort_by("createdAt")
        .filter_by("status"),
    post<answers::Delivery, &test_webhook>(
        "/webhooks/{id}/test", "testWebhook",
        "Send a test event; every request is a new event, and no Idempotency-Key is stored")
        .answer(202),

    create_record<User>("/users", "createUser", "Create a user").needs(admin),
    page_of_records<User>("/users", "listUsers", "List users").needs(admin).filter_by("name"),
    get_record<User>("/users/{id}", "getUser", "Get a user").needs(admin),
    patch_record<User>("/users/{id}", "updateUser", "Change a user").needs(admin),

    create<answers::NewApiKey, &create_api_key, &create_api_key_again>(
        "/api-keys", "createApiKey", "Create an API key; its text is shown only once"),
    list<ApiKey, &list_api_keys>("/api-keys", "listApiKeys", "List API keys").filter_by("user name"),
    get<ApiKey, &get_api_key>("/api-keys/{id}", "getApiKey", "Get an API key"),
    remove<&revoke_api_key>("/api-keys/{id}", "revokeApiKey", "Revoke an API key").needs(write),

    create<Run, &create_run, &create_run_again>("/runs", "createRun", "Create a run"),
    list<Run, &list_runs>("/runs", "listRuns", "List runs")
        .filter_by(
            "agent personality createdBy runGroup scenario status scheduled name createdAfter createdBefore "
            "before after"),
    get<Run, &get_run>("/runs/{id}", "getRun", "Get a run").prefer("wait"),
    patch<Run, &patch_run>("/runs/{id}", "updateRun", "Change a run"),
    remove<&delete_run>("/runs/{id}", "deleteRun", "Delete a run and its results permanently"),
    post<Run, &cancel_run, &cancel_run_again>("/runs/{run_id}/cancel", "cancelRun",
                                              "Cancel a run and its results"),
    list<answers::TestResult, &list_run_results>("/runs/{id}/test-results", "listRunTestResults",
                                                 "List the test results of a run")
        .filter_by("status state overallPassed retired group"),
    list<answers::Repetition, &list_run_repetitions>("/runs/{id}/repetitions", "listRunRepetitions",
                                                     "List the tests with several cases")
        .sort_by("createdAt runs passed flaky"),
    get<answers::Cells, &get_cells>("/runs/{id}/cells", "getRunCells",
                                    "The results of a run as the cells of a matrix, in columns")
        .filter_by("since")
        .in_background(),
    get<answers::Failures, &get_failures>("/runs/{id}/failures", "getRunFailures",
                                          "The failures of a run in groups with the same cause")
        .in_background(),
    put<FailureNoteBody, &put_failure_note>("/runs/{id}/failures/{signature}/note", "putFailureNote",
                                            "Set or clear the note of a group of failures"),
    get<void, &get_report>("/runs/{id}/report", "getRunReport", "Get a run as one self-contained HTML file")
        .as(html)
        .filter_by("transcripts with")
        .in_background(),
    get<answers::RunComparison, &compare_runs>("/runs/{id}/compare/{other}", "compareRuns",
                                               "Compare a run with a later one, trial by trial")
        .conflicting(),
    get<answers::ComparedCells, &compare_trials>("/runs/{id}/compare/{other}/trials", "compareRunTrials",
                                                 "The results of two runs side by side")
        .filter_by("test")
        .in_background(),
    post<answers::Grep, &grep_run>(
        "/runs/{id}/grep", "grepRun",
        "Search the conversations of a run for a text or pattern; nothing is stored")
        .needs(read)
        .with_patterns(),
    get<answers::Trends, &get_trends>("/trends", "getTrends",
                                      "Get metrics of the latest runs of a scenario or agent")
        .filter_by("scenario agent limit")
        .in_background(),
    post<answers::Label, &create_label, &create_label_again>(
        "/labels", "createLabel", "Record a person's judgment of a result or an assertion")
        .answer(201),
    list<answers::Label, &list_labels>("/labels", "listLabels",
                                       "List labels, the newest of each person and assertion")
        .sort_by("createdAt")
        .filter_by("result user older"),
    remove<&delete_label>("/labels/{id}", "deleteLabel", "Delete a label").needs(write),
    get<answers::AgreementReport, &get_agreement>("/agreement", "getAgreement",
                                                  "How well judges agree with people, by criterion")
        .filter_by("test judge")
        .in_background(),
    post<answers::Validation, &validate>("/validate", "validate",
                                         "Check the body of a record as a POST would; nothing is stored")
        .needs(read)
        .with_patterns(),
    post<Run, &detect_hallucinations, &cancel_run_again>(
        "/runs/{id}/detect-hallucinations", "detectHallucinations",
        "Check the chatbot's claims in the finished results of a run"),
    post<answers::Rescoring, &rescore_run, &rescore_run_again>(
        "/runs/{id}/rescore", "rescoreRun",
        "Rescore the completed results of a run; a preview stores no Idempotency-Key")
        .as(page)
        .sort_by("createdAt")
        .with_patterns(),

    create<answers::TestResult, &create_result, &create_result_again>("/test-results", "createTestResult",
                                                                      "Create a test result")
        .with_patterns(),
    list<answers::TestResult, &list_results>("/test-results", "listTestResults", "List test results")
        .filter_by("run test agent status state overallPassed retired group"),
    get<answers::TestResult, &get_result>("/test-results/{id}", "getTestResult", "Get a test result")
        .filter_by("output")
        .prefer("wait"),
    get<answers::Entries, &list_entries>("/test-results/{id}/entries", "listEntries",
                                         "A window of a conversation, and which entries contain a text")
        .filter_by("from limit find")
        .in_background(),
    get<answers::ConversationDiff, &compare_results>(
        "/test-results/{id}/compare/{other}", "compareTestResults",
        "Two conversations turn by turn: of results, or of external logs")
        .in_background(),
    patch<answers::TestResult, &patch_result>("/test-results/{id}", "updateTestResult",
                                              "Change a test result"),
    remove<&delete_result>("/test-results/{id}", "deleteTestResult", "Delete a test result permanently"),
    create<answers::TestResult, &retry_result, &create_result_again>(
        "/test-results/{id}/retry", "retryTestResult", "Retry a test result in place"),
    create<answers::EntryAnswer, &post_entry, &post_entry_again>(
        "/test-results/{id}/conversation", "addConversationEntry", "Record an entry of the conversation")
        .prefer("return"),
    patch<answers::EntryAnswer, &patch_entry>("/test-results/{id}/conversation/{message_id}",
                                              "updateConversationEntry", "Merge metadata into an entry")
        .prefer("return"),
    post<answers::TesterReply, &next_message, &next_message_again>(
        "/test-results/{id}/next-message", "nextMessage", "Generate the tester's next turn")
        .prefer("wait"),
    post<answers::TestResult, &finish_result, &finish_result_again>(
        "/test-results/{id}/finish", "finishTestResult", "Start scoring in the background")
        .answer(202),
    post<answers::Rescoring, &rescore_result, &rescore_result_again>(
        "/test-results/{id}/rescore", "rescoreTestResult",
        "Rescore a completed result; a preview stores no Idempotency-Key")
        .with_patterns(),
    post<answers::TestResult, &review_result, &finish_result_again>(
        "/test-results/{id}/review", "reviewTestResult",
        "Review whether a finished result was a valid trial, and whose fault it was if not"),
    list<answers::Verdict, &list_verdicts>("/test-results/{id}/verdicts", "listVerdicts",
                                           "List the verdicts of a result, the current one first")
        .sort_by("createdAt version"),
};

}  // namespace

std::span<const Route> routes() {
  return route_table;
}

}  // namespace parley::http
