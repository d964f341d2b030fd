// Tests: variants are one level deep (D41), assertions and scripts are valid (D31, D60), assertions have ids (D30).

#include <set>

#include "actors/run/case_generation.hpp"
#include "http/bodies/case_builder.hpp"
#include "http/handlers/record_operations.hpp"
#include "model/records/custom_fields.hpp"
#include "scoring/kinds.hpp"
#include "tester/actions.hpp"
#include "tester/script.hpp"
#include "tester/warnings.hpp"

namespace parley::http {
namespace {

void check_parent(const Test& test, const store::Snapshot& snapshot, Findings& findings) {
  const auto id = id_from_text(*test.parent_test);
  const auto parent = id ? snapshot.find<Test>(*id) : Expected<std::optional<Test>>(std::nullopt);
  if (!parent.ok() || !*parent) return findings.add("/parentTest", "there is no test with this id");
  if ((*parent)->parent_test) {
    findings.add("/parentTest", "must not be a variant itself: variants have one level");
  }
  if ((*parent)->scenario != test.scenario)
    findings.add("/parentTest", "must be a test of the same scenario");
}

/// Checks the values against the configuration of the test's scenario (D22); a variant inherits missing values
/// from its parent.
void check_values(const Test& test, const store::Snapshot& snapshot, Findings& findings) {
  const auto parts = actors::load_parts(snapshot, test, std::nullopt);
  if (!parts.ok() || !parts->configuration) return;
  const json::Text beneath = parts->parent ? parts->parent->fields : json::Text{};
  check_fields({test.fields, beneath}, parts->configuration->test_fields, "/fields", findings);
}

/// Reports why the user turns of the log cannot become the script.
void check_log(const Test& test, const store::Snapshot& snapshot, Findings& findings) {
  const auto log = snapshot.find<ExternalLog>(test.source_conversation_log->id);
  if (log.ok() && *log) static_cast<void>(script_of(**log, findings));
}

void check_tags(const Test& test, Findings& findings) {
  for (std::size_t i = 0; i < test.tags.size(); ++i) {
    if (test.tags[i].empty()) findings.add("/tags/" + std::to_string(i), "must not be empty");
  }
}

/// Events in the history may offer actions to the tester's first turn; each action name may occur only once.
void check_first_actions(const HistoryMessage& message, const std::string& pointer,
                         std::set<std::string>& names, Findings& findings) {
  const auto metadata = json::parse(message.metadata.text);
  const auto actions = metadata.ok() ? json::given(metadata->root(), "actions") : std::nullopt;
  if (!actions || !is_event(message.type)) return;
  const tester::ParsedActions parsed = tester::parse_actions(*actions, pointer, findings);
  bool is_duplicate = !parsed.duplicates.empty();
  for (const tester::ActionDefinition& action : parsed.actions) {
    is_duplicate = !names.insert(action.name).second || is_duplicate;
  }
  if (is_duplicate) findings.add(pointer, "must name each action once in the whole history");
}

void check_history(const Test& test, Findings& findings) {
  std::size_t bytes = 0;
  std::set<std::string> action_names;
  for (std::size_t i = 0; i < test.history.size(); ++i) {
    const HistoryMessage& message = test.history[i];
    const std::string pointer = "/history/" + std::to_string(i);
    if (!findings.has(pointer + "/type")) check_needed_field(message, pointer, findings);
    check_first_actions(message, pointer + "/metadata/actions", action_names, findings);
    bytes += message.metadata.text.size() + (message.content ? message.content->size() : 0);
  }
  if (bytes > limits::history_bytes_max) findings.add("/history", "must have at most 262144 bytes of text");
}

}  // namespace

template <>
struct Specials<Test> : NoSpecials<Test> {
  /// A test that is created from a log replays the log's user turns.
  static void complete(Test& test, const Draft& draft) {
    if (!test.source_conversation_log || gives(draft.body, "instruction")) return;
    const auto log = draft.snapshot.find<ExternalLog>(test.source_conversation_log->id);
    if (!log.ok() || !*log) return;
    Findings none;  // reported by check()
    test.instruction = script_of(**log, none);
    if (test.name.empty())
      test.name = (*log)->description.empty() ? (*log)->external_id : (*log)->description;
  }
  static void check(const Test& test, const Test* before, const Draft& draft, Findings& findings) {
    if (before == nullptr && test.parent_test) check_parent(test, draft.snapshot, findings);
    if (before == nullptr && test.source_conversation_log && !gives(draft.body, "instruction"))
      check_log(test, draft.snapshot, findings);
    if (before == nullptr || gives(draft.body, "fields")) check_values(test, draft.snapshot, findings);
    check_tags(test, findings);
    check_history(test, findings);
    if (draft.is_checked) return;
    if (before == nullptr || before->instruction != test.instruction) {
      tester::check_script(test.instruction, "/instruction", findings);
    }
    if (before == nullptr || before->assertions != test.assertions) {
      scoring::check_assertions(test.assertions, "/assertions", findings);
    }
  }
  static Expected<Done> settle(Test& test, const Test* /*before*/, const Draft& /*draft*/, Time now,
                               IdSource& ids) {
    scoring::complete(test.assertions, now, ids);
    return Done{};
  }
  /// Adds the warnings that a result of the test would have, as far as they are known before it is played.
  static void enrich(const Context& context, const store::Snapshot& snapshot, Test& test) {
    test.warnings.emplace();
    const auto parts = actors::load_parts(snapshot, test, std::nullopt);
    if (!parts.ok()) return;
    const auto test_case = actors::compose_case(*parts, {});
    if (!test_case) return;
    const bool by_script = !context.options.has_tester_model || tester::is_script(test_case->instruction);
    test.warnings =
        tester::warnings_of_case(*test_case, by_script ? tester::Player::script : tester::Player::model);
  }
  static void filter(QueryReader& reader, const RequestContext& /*call*/, store::ListQuery& query) {
    filter_by_id(reader, query, "scenario", RecordKind::scenario, store::Facet::scenario);
    filter_by_id(reader, query, "parentTest", RecordKind::test, store::Facet::parent_test);
    if (const auto tag = reader.text("tag"))
      add_filter(query, store::Facet::tag, {store::value_of(std::string_view(*tag))});
    filter_by_project(reader, query);
  }
};

template struct RecordOperations<Test>;

Expected<Reply> list_scenario_tests(const Context&, const store::Snapshot& snapshot,
                                    const RequestContext& call, const Scenario& scenario) {
  store::ListQuery query = list_of(RecordKind::test);
  add_filter(query, store::Facet::scenario, {store::value_of(scenario.stamp.id)});
  return list_records<Test>(snapshot, call, std::move(query));
}

}  // namespace parley::http
