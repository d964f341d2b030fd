#include "convert/agents/adk.hpp"

#include <algorithm>

#include "convert/agents/adk_case.hpp"
#include "convert/agents/adk_settings.hpp"
#include "convert/messages/rows.hpp"
#include "convert/records/checks.hpp"
#include "convert/records/escapes.hpp"

namespace parley::convert {
namespace {

/// The expected trajectory of the whole conversation as one check.
Check trajectory(const std::vector<AdkTurn>& turns, const std::string& mode) {
  json::Writer out;
  out.begin_object().member("mode", mode).key("calls").begin_array();
  for (const AdkTurn& turn : turns) {
    for (const AdkCall& call : turn.calls)
      out.begin_object().member("name", call.name).key("arguments").raw(call.arguments).end_object();
  }
  out.end_array().member("argumentMode", "exact").end_object();
  Check check;
  check.type = "tool-set";
  check.config = std::move(out).text();
  return check;
}

Check order_of(const std::vector<AdkTurn>& turns) {
  json::Writer out;
  out.begin_object().key("names").begin_array();
  for (const AdkTurn& turn : turns) {
    for (const AdkCall& call : turn.calls) out.string(call.name);
  }
  out.end_array().end_object();
  Check check;
  check.type = "tool-order";
  check.config = std::move(out).text();
  return check;
}

class CaseReader {
 public:
  CaseReader(Conversion& conversion, const Source& source, const AdkSettings& settings)
      : conversion_(conversion), source_(source), settings_(settings) {}

  void add_test(const AdkCase& each) {
    const At at{source_, each.place};
    TestDraft draft = conversion_.begin_test(each.id, at);
    if (each.scenario != nullptr) add_scenario(draft, *each.scenario);
    for (const AdkTurn& turn : each.turns) add_turn(draft, turn);
    add_calls(draft, each);
    for (std::size_t k = 0; k < each.turns.size(); ++k) add_reference(draft, each.turns[k], k);
    add_rubrics(draft, each);
    add_final_state(draft, each);
    add_state(draft, each);
    conversion_.finish(std::move(draft), at);
  }

  void add_log(const AdkCase& each) {
    LogDraft log;
    log.id = each.id;
    for (const AdkTurn& turn : each.turns) {
      if (!turn.text.empty()) log.say(true, turn.text);
      for (const AdkCall& call : turn.calls) {
        Members about{{"arguments", call.arguments}};
        if (!call.id.empty() && !call.id.starts_with(own_call_id))
          set_member(about, "id", json_text(call.id));
        if (!call.result.empty()) set_member(about, "result", call.result);
        log.call(call.name, std::move(about));
      }
      for (const std::string& text : turn.intermediate) log.say(false, text);
      if (!turn.reference.empty()) log.say(false, turn.reference);
    }
    if (each.state != nullptr) set_member(log.metadata, "state", to_json(*each.state));
    if (!log.entries.empty()) conversion_.finish_log(std::move(log), {source_, each.place});
  }

 private:
  void add_turn(TestDraft& draft, const AdkTurn& turn) {
    const At at{source_, turn.place};
    if (turn.text.empty()) {
      conversion_.note(draft, at,
                       {.kind = ItemKind::turn,
                        .outcome = Outcome::not_mapped,
                        .source = "user_content",
                        .why = "the turn has no text"});
      draft.cannot_play = true;
    } else {
      conversion_.say(draft, turn.text, at, {.source = "user_content"});
    }
    if (turn.has_files)
      conversion_.note(
          draft, at,
          {.outcome = Outcome::not_mapped, .source = "file part", .why = "a tester can only say text"});
    if (turn.intermediate.empty()) return;
    conversion_.note(draft, at,
                     {.outcome = Outcome::not_mapped,
                      .source = "intermediate_responses",
                      .why = "the source has several answering agents; parley has one",
                      .count = turn.intermediate.size()});
  }

  void add_calls(TestDraft& draft, const AdkCase& each) {
    std::size_t calls = 0;
    bool lists_calls = !each.turns.empty();
    for (const AdkTurn& turn : each.turns) {
      calls += turn.calls.size();
      lists_calls = lists_calls && turn.lists_calls;
    }
    if (calls == 0) {
      if (!lists_calls) return;
      Check none;
      none.type = "tools-allowed";
      none.config = R"({"names":[]})";
      const At at{source_, each.turns.front().place};
      return conversion_.check(draft, std::move(none), at,
                               {.source = "no tool call", .needs = "tool calls as tool entries"});
    }
    add_trajectory(draft, each, calls);
  }

  void add_trajectory(TestDraft& draft, const AdkCase& each, std::size_t calls) {
    const bool is_exact = settings_.match != "IN_ORDER" && settings_.match != "ANY_ORDER";
    std::vector<std::string> became{"tool-set"};
    if (settings_.match == "IN_ORDER") became.push_back("tool-order");
    bool is_first = true;
    for (const AdkTurn& turn : each.turns) {
      for (const AdkCall& call : turn.calls) {
        Item item{.source = "expected tool call",
                  .text = call.name + " " + call.arguments,
                  .became = became,
                  .needs = "tool calls as tool entries"};
        const At at{source_, call.place};
        if (is_first) {
          conversion_.check(draft, trajectory(each.turns, is_exact ? "strict" : "superset"), at,
                            std::move(item));
        } else {
          item.kind = ItemKind::check;
          conversion_.note(draft, at, std::move(item));
        }
        is_first = false;
        if (!call.is_mocked) continue;
        conversion_.note(draft, at,
                         {.kind = ItemKind::agent,
                          .outcome = Outcome::not_mapped,
                          .source = "mock_tool_output",
                          .text = call.result,
                          .why = "the agent runs its own tools"});
      }
    }
    if (settings_.match == "IN_ORDER") draft.test.checks.push_back(order_of(each.turns));
    if (each.turns.size() < 2 || calls == 0) return;
    conversion_.note(draft, {source_, each.place},
                     {.outcome = Outcome::approximated,
                      .source = "tool calls of all turns",
                      .became = became,
                      .why = "one list for the conversation; which turn a call is in is not checked"});
  }

  void add_reference(TestDraft& draft, const AdkTurn& turn, std::size_t k) {
    if (turn.reference.empty()) return;
    conversion_.check(draft, criterion_says(turn.reference, k), {source_, turn.reference_place},
                      {.outcome = Outcome::approximated,
                       .source = "reference",
                       .text = turn.reference,
                       .why = "ROUGE-1 in the source; parley uses a judge"});
  }

  void add_rubrics(TestDraft& draft, const AdkCase& each) {
    for (const auto& [text, place] : settings_.rubrics) {
      conversion_.check(draft, criterion_of(text), {*settings_.source, place},
                        {.source = "rubric", .text = text});
    }
    for (const Node* rubric : each.rubrics) add_rubric(draft, *rubric, "");
    for (std::size_t k = 0; k < each.turns.size(); ++k) {
      for (const Node* rubric : each.turns[k].rubrics)
        add_rubric(draft, *rubric, "About the answer to turn " + std::to_string(k + 1) + " of the user: ");
    }
  }

  void add_rubric(TestDraft& draft, const Node& rubric, const std::string& about) {
    const Node* text = text_of_rubric(rubric);
    if (text == nullptr) {
      return conversion_.lose(draft, {source_, rubric.place},
                              {.source = "rubric", .text = as_text(rubric), .why = "it has no text"});
    }
    conversion_.check(draft, criterion_of(about + text->text), {source_, text->place},
                      {.source = "rubric", .text = text->text});
  }

  /// The final state is inside the agent, where no check can read it.
  void add_final_state(TestDraft& draft, const AdkCase& each) {
    if (each.final_state == nullptr || each.final_state->items.empty()) return;
    conversion_.lose(draft, {source_, each.final_state->place},
                     {.source = "final_session_state",
                      .text = as_text(*each.final_state),
                      .why = "the state of the agent is not recorded"});
  }

  void add_state(TestDraft& draft, const AdkCase& each) {
    if (each.state == nullptr || each.state->items.empty()) return;
    draft.test.metadata = to_json(*each.state);
    conversion_.note(draft, {source_, each.state->place},
                     {.kind = ItemKind::agent,
                      .source = "session state",
                      .text = to_json(*each.state),
                      .became = {"metadata"}});
  }

  void add_scenario(TestDraft& draft, const Node& scenario) {
    std::string goal;
    for (const std::string_view key : {"conversation_plan", "conversationPlan"}) {
      if (goal.empty()) goal = scenario.text_of(key);
    }
    std::string first = scenario.text_of("starting_prompt");
    if (first.empty()) first = scenario.text_of("startingPrompt");
    const Node* persona = scenario.first_of({"user_persona", "userPersona"});
    if (persona != nullptr) goal += "\n\nYou are this person: " + as_text(*persona);
    conversion_.set_goal(draft, goal.empty() ? first : goal, {source_, scenario.place},
                         {.source = "conversation_scenario"});
    draft.test.first = first;
  }

  Conversion& conversion_;
  const Source& source_;
  const AdkSettings& settings_;
};

}  // namespace

void import_adk(Conversion& conversion) {
  for_each_source(conversion, [&](const Source& source) {
    const auto tree = parse_json(source, conversion.faults);
    if (!tree) return;
    const std::vector<AdkCase> cases = adk_cases(*tree, stem_of(source.path));
    if (cases.empty()) {
      const bool is_set = tree->first_of({"eval_cases", "evalCases"}) != nullptr;
      conversion.faults.add(
          source, tree->place,
          is_set ? "the eval set has no cases: \"eval_cases\" is empty"
                 : "not an ADK eval set: it has neither \"eval_cases\" nor turns with \"query\"");
      return;
    }
    if (std::string name = tree->text_of("name"); !name.empty()) conversion.suite().name = cut(name, 200);
    const AdkSettings settings = adk_settings_beside(conversion, source);
    CaseReader reader(conversion, source, settings);
    for (const AdkCase& each : cases) {
      if (conversion.options.as == "logs") {
        reader.add_log(each);
      } else {
        reader.add_test(each);
      }
    }
  });
}

int looks_like_adk(const std::string& /*path*/, std::string_view /*text*/, const Node* head) {
  if (head == nullptr) return 0;
  if (head->first_of({"eval_cases", "evalCases"}) != nullptr) return 90;
  const std::vector<Node>& scenarios = head->list_of("scenarios");
  if (!scenarios.empty() && scenarios.front().has("starting_prompt")) return 80;
  if (!head->is_list() || head->items.empty()) return 0;
  const Node& first = head->items.front();
  const std::vector<Node>& data = first.list_of("data");
  if (!data.empty() && data.front().find("query") != nullptr) return 80;
  return first.find("query") != nullptr && (first.has("expected_tool_use") || first.has("reference")) ? 80
                                                                                                      : 0;
}

}  // namespace parley::convert
