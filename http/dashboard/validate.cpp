// POST /validate: reports what a POST of the record would answer, without storing it; for a test also what its script
// does.

#include <algorithm>

#include "actors/run/case_generation.hpp"
#include "http/dashboard/dashboard_handlers.hpp"
#include "http/handlers/handlers.hpp"
#include "model/records/named_records.hpp"
#include "model/records/scenario_configuration.hpp"
#include "model/records/scheduled_run.hpp"
#include "model/records/tag.hpp"
#include "model/records/test.hpp"
#include "tester/script.hpp"
#include "tester/warnings.hpp"

namespace parley::http {
namespace {

/// The request, and the body to check.
struct Checked {
  const Context& context;
  const store::Snapshot& snapshot;
  const RequestContext& call;
  const json::Value& body;
};

/// The faults of the body. A problem of another kind is returned as a problem.
template <class T>
Expected<std::vector<Fault>> faults_of_draft(const Checked& checked) {
  auto drafted = RecordOperations<T>::draft(checked.context, checked.snapshot, checked.call, checked.body);
  if (drafted.ok()) return std::vector<Fault>{};
  const Problem& why = drafted.problem();
  if (why.kind != ProblemKind::invalid_body) return why;
  return why.faults;
}

struct KindRow {
  std::string_view word;
  Expected<std::vector<Fault>> (*check)(const Checked& checked);
};
constexpr std::array kinds{
    KindRow{"test", &faults_of_draft<Test>},
    KindRow{"scenario", &faults_of_draft<Scenario>},
    KindRow{"agent", &faults_of_draft<Agent>},
    KindRow{"personality", &faults_of_draft<Personality>},
    KindRow{"tag", &faults_of_draft<Tag>},
    KindRow{"scenario-configuration", &faults_of_draft<ScenarioConfiguration>},
    KindRow{"scheduled-run", &faults_of_draft<ScheduledRun>},
    KindRow{"folder", &faults_of_draft<Folder>},
    KindRow{"run-group", &faults_of_draft<RunGroup>},
};

std::string does(const tester::Turn& turn) {
  if (const auto* say = std::get_if<tester::Say>(&turn)) return "says \"" + say->text + "\"";
  if (const auto* invoke = std::get_if<tester::Invoke>(&turn))
    return "invokes " + invoke->name + " with " + invoke->arguments.text;
  if (std::holds_alternative<tester::End>(turn)) return "ends the conversation";
  return "cannot be run";
}

void write_step(json::Writer& out, std::uint32_t line, const std::string& what) {
  out.begin_object().key("line").integer(line).member("does", what).end_object();
}

/// Writes the meaning of each script line; the list is empty for prose that a model plays.
void write_script(json::Writer& out, std::string_view instruction) {
  out.key("script").begin_array();
  const auto script = tester::Script::parse(instruction);
  if (script.ok() && tester::is_script(instruction)) {
    std::vector<std::pair<std::uint32_t, std::string>> steps;
    for (const auto& rule : script->rules())
      steps.emplace_back(rule.line,
                         "if the chatbot's text matches /" + rule.pattern + "/: " + does(rule.turn));
    for (const auto& line : script->lines()) steps.emplace_back(line.line, does(line.turn));
    std::sort(steps.begin(), steps.end());
    for (const auto& [line, what] : steps) write_step(out, line, what);
  }
  out.end_array();
}

/// Writes the warnings that a result of the test would have, as an answer with the test shows them.
void write_warnings(json::Writer& out, const Checked& checked, const TestCase& made) {
  const bool by_script = !checked.context.options.has_tester_model || tester::is_script(made.instruction);
  const auto player = by_script ? tester::Player::script : tester::Player::model;
  out.key("warnings").begin_array();
  for (const Warning& warning : tester::warnings_of_case(made, player))
    out.begin_object().member("code", word_of(warning.code)).member("detail", warning.detail).end_object();
  out.end_array();
}

/// The case as a run would play it, with the parts of its parent and its placeholders filled in.
Expected<std::optional<TestCase>> composed(const Checked& checked, const std::optional<json::Text>& fields) {
  TRY(test, RecordOperations<Test>::draft(checked.context, checked.snapshot, checked.call, checked.body));
  if (fields) test.fields = *fields;
  return actors::generate_case(checked.snapshot, test);
}

void write_case(json::Writer& out, const std::optional<TestCase>& made) {
  out.key("composed");
  if (!made) {
    out.null();
    return;
  }
  std::vector<AssertionResult> rows;
  for (const Assertion& assertion : made->assertions) rows.push_back({assertion, {}, {}, {}, {}});
  out.begin_object().member("instruction", made->instruction);
  out.key("assertions").raw(shown_results(rows).text).end_object();
}

void write_faults(json::Writer& out, const std::vector<Fault>& faults) {
  out.key("errors").begin_array();
  for (const Fault& fault : faults)
    out.begin_object().member("pointer", fault.pointer).member("detail", fault.detail).end_object();
  out.end_array();
}

Expected<Reply> validated(const Checked& checked, const KindRow& kind, const ValidateBody& body) {
  TRY(faults, kind.check(checked));
  json::Writer out;
  out.begin_object();
  write_faults(out, faults);
  std::optional<TestCase> made;
  if (kind.word == "test" && faults.empty()) {
    TRY(found, composed(checked, body.fields));
    made = std::move(found);
  }
  if (made) {
    write_warnings(out, checked, *made);
  } else {
    out.key("warnings").begin_array().end_array();
  }
  write_case(out, made);
  const auto instruction = checked.body.find("instruction");
  const bool has_text = instruction && instruction->is(json::Kind::string);
  write_script(out, made ? std::string_view(made->instruction) : has_text ? instruction->string() : "");
  out.end_object();
  return json_reply(std::move(out).text());
}

}  // namespace

Expected<Reply> validate(const Context& context, const store::Snapshot& snapshot, const RequestContext& call,
                         const ValidateBody& body) {
  const auto* kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const KindRow& each) { return each.word == body.kind; });
  if (kind == kinds.end()) {
    std::vector<std::string_view> words;
    words.reserve(kinds.size());
    for (const KindRow& each : kinds) words.push_back(each.word);
    return body_fault("/kind", one_of(words));
  }
  const auto document = json::parse(body.body.text);
  if (!document || !document->root().is(json::Kind::object)) return body_fault("/body", "must be an object");
  const json::Value root = document->root();
  return validated({context, snapshot, call, root}, *kind, body);
}

}  // namespace parley::http
