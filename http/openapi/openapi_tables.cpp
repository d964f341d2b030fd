#include "http/openapi/openapi_tables.hpp"

#include <algorithm>
#include <array>

#include "http/bodies/result_bodies.hpp"
#include "http/exchange/inputs.hpp"
#include "http/openapi/schemas.hpp"
#include "model/outcome/state_letter.hpp"
#include "model/records/agent.hpp"
#include "model/records/entry.hpp"
#include "model/records/external_log.hpp"
#include "model/records/run.hpp"
#include "model/records/scheduled_run.hpp"
#include "model/records/test.hpp"
#include "model/records/test_result.hpp"
#include "store/side/deliveries.hpp"

namespace parley::http {
namespace {

bool is_paged(const Route& route) {
  return route.form == Gives::page;
}
bool is_list(const Route& route) {
  return route.method == "GET" && is_paged(route);
}
bool has_path_value(const Route& route) {
  return route.path.find('{') != std::string_view::npos;
}
bool is_record(const Route& route) {
  return route.method == "GET" && route.form == Gives::one && has_path_value(route);
}
bool is_change(const Route& route) {
  return route.method == "PATCH" || route.method == "DELETE";
}
bool is_post(const Route& route) {
  return route.method == "POST";
}
bool is_once(const Route& route) {
  return std::holds_alternative<AnswerOnce>(route.handle);
}
bool accepts_body(const Route& route) {
  return route.method == "POST" || route.method == "PATCH" || route.method == "PUT";
}
bool may_conflict(const Route& route) {
  return is_post(route) || is_change(route) || route.may_conflict;
}
/// All these operations honor handling=strict, under which their query parameters may be refused.
bool needs_a_key(const Route& route) {
  return route.right != Right::none;
}
/// Signing in needs no key in its header fields, but needs one in its body.
bool checks_a_key(const Route& route) {
  return needs_a_key(route) || route.takes;
}
bool needs_more_than_reading(const Route& route) {
  return route.right > Right::read;
}
bool has_content(const Route& route) {
  return route.form != Gives::nothing;
}
bool is_create(const Route& route) {
  return route.success == 201;
}
bool honors_more_than_handling(const Route& route) {
  return !route.preferences.empty();
}
bool has_tag(const Route& route) {
  return is_record(route) || route.is_tagged;
}

template <Worded E>
void write_words(json::Writer& out) {
  out.begin_object().member("type", "string").key("enum").begin_array();
  for (const std::string_view word : Words<E>::all) out.string(word);
  out.end_array().end_object();
}
void write_flag(json::Writer& out) {
  out.raw(R"({"type":"boolean"})");
}
void write_letters(json::Writer& out) {
  out.begin_object().member("type", "string").member("pattern", "^[" + std::string(state_letters) + ",]+$");
  out.member("example", "f,u").end_object();
}
void write_date_time(json::Writer& out) {
  out.raw(R"({"type":"string","format":"date-time"})");
}
void write_retired(json::Writer& out) {
  out.raw(R"({"type":"string","enum":["false","true","all"],"default":"false"})");
}
void write_score(json::Writer& out) {
  out.raw(R"({"type":"integer","minimum":0,"maximum":100})");
}
void write_free_text(json::Writer& out) {
  out.raw(R"({"type":"string","maxLength":1024})");
}

void write_count(json::Writer& out) {
  out.raw(R"({"type":"integer","minimum":0})");
}
void write_window(json::Writer& out) {
  out.raw(R"({"type":"integer","minimum":1,"maximum":1000,"default":200})");
}
void write_transcripts(json::Writer& out) {
  out.raw(R"({"type":"string","enum":["failed","all","none"],"default":"failed"})");
}
void write_run_ids(json::Writer& out) {
  out.raw(R"({"type":"string","maxLength":4096})");
}
void write_parts(json::Writer& out) {
  out.raw(R"({"type":"string","enum":["full","head"],"default":"full"})");
}

constexpr std::array filter_table{
    FilterRow{"status", SchemaId::of<Run>(), "Only runs with this status.", &write_words<RunStatus>},
    FilterRow{"status", SchemaId::of<answers::TestResult>(), "Only results with this status.",
              &write_words<ResultStatus>},
    FilterRow{"status", SchemaId::of<answers::Delivery>(), "Only deliveries with this status.",
              &write_words<store::DeliveryStatus>},
    FilterRow{"state", SchemaId::of<answers::TestResult>(),
              "Only results whose state is one of these letters, with or without commas.", &write_letters},
    FilterRow{"overallPassed", SchemaId::of<answers::TestResult>(), "Only results with this overallPassed.",
              &write_flag},
    FilterRow{"retired", SchemaId::of<answers::TestResult>(),
              "false: excludes results that a retry replaced; true: only those results; all: both.",
              &write_retired},
    FilterRow{"scheduled", SchemaId::of<Run>(),
              "true: only runs started by a schedule; false: only the others.", &write_flag},
    FilterRow{"createdAfter", SchemaId::of<Run>(), "Only runs created later than this.", &write_date_time},
    FilterRow{"createdBefore", SchemaId::of<Run>(), "Only runs created earlier than this.", &write_date_time},
    FilterRow{"tag", SchemaId::of<Test>(), "Only tests with this tag.", &write_free_text},
    FilterRow{"name", SchemaId(), "Only rows whose name contains this text.", &write_free_text},
    FilterRow{"project", SchemaId(), "Only records that the files of this project own.", &write_free_text},
    FilterRow{"type", SchemaId::of<Agent>(), "Only agents of this type; empty: those without a type.",
              &write_free_text},
    FilterRow{"externalSource", SchemaId::of<ExternalLog>(), "Only logs from this source.", &write_free_text},
    FilterRow{"externalId", SchemaId::of<ExternalLog>(), "Only the log with this externalId.",
              &write_free_text},
    FilterRow{"overallPassed", SchemaId::of<ExternalLog>(), "Only logs with this saved verdict.",
              &write_flag},
    FilterRow{"minScore", SchemaId::of<ExternalLog>(), "Only logs with at least this saved score.",
              &write_score},
    FilterRow{"maxScore", SchemaId::of<ExternalLog>(), "Only logs with at most this saved score.",
              &write_score},
    FilterRow{"older", SchemaId::of<answers::Label>(), "true: also labels that the same person replaced.",
              &write_flag},
    FilterRow{"judge", SchemaId::of<answers::AgreementReport>(), "Only this judge model.", &write_free_text},
    FilterRow{"limit", SchemaId::of<answers::Trends>(), "Runs, at most 200; default 20.", &write_count},
    FilterRow{"before", SchemaId::of<Run>(), "Only runs created before this run, or before this time.",
              &write_free_text},
    FilterRow{"after", SchemaId::of<Run>(), "Only runs created after this run, or after this time.",
              &write_free_text},
    FilterRow{"group", SchemaId::of<answers::TestResult>(),
              "Only results whose failure has this signature; see GET /runs/{id}/failures.",
              &write_free_text},
    FilterRow{
        "topics", SchemaId(),
        "Topics to watch, separated by commas: runs, run:ID, result:ID, agents, records, session; at most 8.",
        &write_free_text},
    FilterRow{"since", SchemaId::of<answers::Cells>(),
              "A `rev` of an earlier answer: only cells that changed since. A cell replaces the one with its "
              "row and n.",
              &write_count},
    FilterRow{"output", SchemaId::of<answers::TestResult>(), "head: all but the conversation.", &write_parts},
    FilterRow{"transcripts", SchemaId(),
              "The conversations to include: those of results that did not pass (failed), all, or none.",
              &write_transcripts},
    FilterRow{"with", SchemaId(), "Further runs in the same file: at most 99 ids, separated by commas.",
              &write_run_ids},
    FilterRow{"from", SchemaId::of<answers::Entries>(), "The number of the first entry, from 0.",
              &write_count},
    FilterRow{"limit", SchemaId::of<answers::Entries>(), "Entries in the window.", &write_window},
    FilterRow{"find", SchemaId::of<answers::Entries>(),
              "Also returns the numbers of the entries that contain this text, ignoring case.",
              &write_free_text},
};

constexpr std::array field_table{
    FieldRow{"Idempotency-Replayed", "true on the answer to a repeated request", &is_once},
    FieldRow{"Location", "The path of the new record", &is_create},
    FieldRow{"Preference-Applied", "The preferences that were honored", &honors_more_than_handling},
    FieldRow{"ETag", "For If-None-Match and If-Match", &has_tag},
    FieldRow{"Parley-Ignored", "Pointers to the fields of the body that the operation does not know",
             &accepts_body},
    FieldRow{"Link", "The first, previous, next and last page (RFC 8288)", &is_paged},
};

constexpr std::array tag_table{
    TagRow{"scenarios", "A group of tests, with the agents that may run them."},
    TagRow{"tests", "What a simulated user says, and which assertions must hold; variants of tests."},
    TagRow{"apply", "Makes the records of a project match its files."},
    TagRow{"agents", "The chatbots under test, and runners on other machines."},
    TagRow{"runs", "Plays the tests of a scenario against one agent."},
    TagRow{"test-results", "One conversation with its verdict, and the loop of a client that drives it."},
    TagRow{"external-conversation-logs", "Conversations recorded outside parley."},
    TagRow{"personalities", "How the simulated user speaks."},
    TagRow{"folders", "Folders of scenarios."},
    TagRow{"tags", "Labels of external conversation logs; smart tags are set by a rule."},
    TagRow{"run-groups", "Groups of runs."},
    TagRow{"scheduled-runs", "Runs started on a schedule."},
    TagRow{"scenario-configurations", "Definitions of custom fields of scenarios and tests."},
    TagRow{"users", "Users and their roles."},
    TagRow{"api-keys", "Keys of users."},
    TagRow{"events", "What changes, as a stream of server-sent events."},
    TagRow{"labels", "What people say of results."},
    TagRow{"trends", "Runs over time."},
    TagRow{"validate", "Checks without storing."},
    TagRow{"session", "Sign-ins of people who use the page."},
    TagRow{"service", "Health, version, metrics, this description, and operator controls."},
};

constexpr std::array parameter_table{
    ParameterRow{"Page", "page", "query", "The page number.", R"({"type":"integer","minimum":1,"default":1})",
                 &is_paged},
    ParameterRow{"Limit", "limit", "query", "Rows per page.",
                 R"({"type":"integer","minimum":1,"maximum":1000,"default":50})", &is_paged},
    ParameterRow{"", "sortBy", "query", "The field by which rows are sorted.", "", &is_paged},
    ParameterRow{"SortOrder", "sortOrder", "query",
                 "The sort direction; ties are broken by id in the same direction.",
                 R"({"type":"string","enum":["asc","desc"],"default":"desc"})", &is_paged},
    ParameterRow{"Archived", "archived", "query", "true: only archived rows; false: only the others.",
                 R"({"type":"boolean","default":false})", &is_list},
    ParameterRow{"Output", "output", "query", "minimal: rows without their large fields.",
                 R"({"type":"string","enum":["full","minimal"],"default":"full"})", &is_list},
    ParameterRow{"IfNoneMatch", "If-None-Match", "header",
                 "The ETag of the client's copy: 304 if the record is unchanged.", R"({"type":"string"})",
                 &is_record},
    ParameterRow{"IfMatch", "If-Match", "header",
                 "The ETag of the version to change: 412 if the record has changed.", R"({"type":"string"})",
                 &is_change},
    ParameterRow{"IdempotencyKey", "Idempotency-Key", "header",
                 "Within 24 hours, requests with the same key and body take effect once.",
                 R"({"type":"string","minLength":1,"maxLength":255,"pattern":"^[!-~]+$"})", &is_once},
    ParameterRow{
        "Prefer", "Prefer", "header",
        "handling=strict refuses unknown fields, handling=lenient ignores misspelt ones and unknown query "
        "parameters, return=minimal answers only "
        "what is new, wait=N waits up to N seconds; if the operation honors them (RFC 7240).",
        R"({"type":"string"})", &needs_a_key},
};

constexpr std::array answer_table{
    AnswerRow{304, "NotModified", "The client's copy is current.", &is_record, "ETag",
              "The tag of the client's copy"},
    AnswerRow{
        400, "BadRequest",
        "The body or a query value has faults, or the state of a named record does not allow the request.",
        &checks_a_key},
    AnswerRow{401, "Unauthorized", "A valid key is missing.", &checks_a_key, "WWW-Authenticate",
              "The scheme of the key: Bearer (RFC 6750)"},
    AnswerRow{403, "Forbidden", "The key lacks the required permission.", &needs_more_than_reading},
    AnswerRow{404, "NotFound", "There is no such record.", &has_path_value},
    AnswerRow{406, "NotAcceptable", "The Accept field does not allow the operation's media type.",
              &has_content},
    AnswerRow{
        409, "Conflict",
        "The state does not allow this, or the first request with this Idempotency-Key is still in progress "
        "(then with Retry-After).",
        &may_conflict, "Retry-After", "Seconds until the first request may be answered"},
    AnswerRow{412, "PreconditionFailed", "The record has changed since it was read.", &is_change},
    AnswerRow{413, "BodyTooLarge", "The body is over the limit.", &accepts_body},
    AnswerRow{415, "UnsupportedMediaType", "The body is not JSON.", &accepts_body},
    AnswerRow{422, "IdempotencyKeyReused", "The Idempotency-Key was used with another body.", &is_once},
};

constexpr std::array example_table{
    ExampleRow{SchemaId::of<New<Agent>>(), R"({"name":"My chatbot","type":"EXTERNAL"})"},
    ExampleRow{SchemaId::of<New<Test>>(),
               R"({"scenario":"id of a scenario","name":"Greeting","instruction":"say: Hello",)"
               R"("assertions":[{"type":"contains","config":{"value":"hello"}}]})"},
    ExampleRow{SchemaId::of<New<ScheduledRun>>(),
               R"({"scenario":"id of a scenario","agent":"id of an agent","cron":"0 3 * * *"})"},
    ExampleRow{SchemaId::of<New<Run>>(),
               R"({"scenario":"id of a scenario","agent":"id of an agent","status":"pending"})"},
    ExampleRow{SchemaId::of<ResultBody>(), R"({"agent":"id of an agent","testInstruction":"say: Hello"})"},
    ExampleRow{SchemaId::of<EntryBody>(), R"({"content":"Hello, how can I help you?"})"},
    ExampleRow{SchemaId::of<ScoreLogBody>(),
               R"({"assertions":[{"type":"contains","config":{"value":"hello"}}]})"},
    ExampleRow{SchemaId::of<RescoreBody>(),
               R"({"assertions":[{"type":"contains","config":{"value":"hello"}}],"preview":true})"},
};

}  // namespace

std::span<const ExampleRow> openapi_examples() {
  return example_table;
}

std::string parameters_of(const Route& route) {
  std::string names;
  const auto add = [&](std::string_view name) { names.append(names.empty() ? "" : ", ").append(name); };
  for (const std::string_view filter : words_of(route.filters)) add(filter);
  for (const ParameterRow& row : parameter_table) {
    if (row.in == "query" && row.belongs_to(route)) add(row.name);
  }
  return names;
}

bool accepts_parameter(const Route& route, std::string_view name) {
  const auto filters = words_of(route.filters);
  if (std::find(filters.begin(), filters.end(), name) != filters.end()) return true;
  return std::any_of(parameter_table.begin(), parameter_table.end(), [&](const ParameterRow& row) {
    return row.in == "query" && row.name == name && row.belongs_to(route);
  });
}

std::span<const TagRow> openapi_tags() {
  return tag_table;
}

std::string_view tag_of(const Route& route) {
  const std::string_view first = route.path.substr(1, route.path.find('/', 1) - 1);
  const bool is_group =
      std::any_of(tag_table.begin(), tag_table.end(), [&](const TagRow& row) { return row.name == first; });
  if (first == "sessions") return "session";
  return is_group ? first : "service";
}

std::span<const ParameterRow> openapi_parameters() {
  return parameter_table;
}

FilterRow filter_of(const Route& route, std::string_view name) {
  for (const FilterRow& row : filter_table) {
    if (row.name == name && (!row.gives || row.gives == route.gives)) return row;
  }
  return {name, route.gives, "", nullptr};
}

std::span<const FieldRow> openapi_fields() {
  return field_table;
}

std::span<const AnswerRow> openapi_answers() {
  return answer_table;
}

}  // namespace parley::http
