#include "convert/agents/cxas.hpp"

#include <algorithm>

#include "convert/agents/cxas_calls.hpp"
#include "convert/messages/rows.hpp"
#include "convert/records/checks.hpp"

namespace parley::convert {
namespace {

std::string name_of(const Node& node) {
  for (const std::string_view key : {"conversation", "name", "display_name", "test"}) {
    if (std::string name = node.text_of(key); !name.empty()) return name;
  }
  return "Conversation";
}

class EvalReader {
 public:
  EvalReader(Conversion& conversion, const Source& source, const Node& file)
      : conversion_(conversion), source_(source), file_(file) {}

  void add(const Node& node) {
    TestDraft draft = conversion_.begin_test(name_of(node), at(node));
    if (!node.list_of("steps").empty()) {
      add_steps(draft, node);
    } else {
      add_turns(draft, node);
    }
    add_expectations(draft, node);
    add_about(draft, node);
    conversion_.finish(std::move(draft), at(node));
  }

 private:
  [[nodiscard]] At at(const Node& node) const { return {source_, node.place}; }

  void add_turns(TestDraft& draft, const Node& node) {
    std::size_t turns = 0;
    for (const Node& turn : node.list_of("turns")) {
      const std::string text = turn.text_of("user");
      if (text.empty()) {
        add_event(draft, turn, turns > 0);
      } else {
        conversion_.say(draft, text, at(*turn.find("user")), {.source = "user"});
        ++turns;
      }
      add_answer(draft, turn, turns == 0 ? 0 : turns - 1);
    }
    if (node.list_of("turns").empty() && !node.text_of("user").empty()) {
      conversion_.say(draft, node.text_of("user"), at(*node.find("user")), {.source = "user"});
    }
    if (!draft.test.turns.empty()) return;
    conversion_.note(draft, at(node),
                     {.kind = ItemKind::turn,
                      .outcome = Outcome::not_mapped,
                      .source = "turns",
                      .why = "the user says nothing"});
  }

  /// A turn without words: the session begins, or an event comes in.
  void add_event(TestDraft& draft, const Node& turn, bool is_inside) {
    const Node* event = turn.find("event");
    conversion_.note(
        draft, at(turn),
        {.outcome = Outcome::not_mapped,
         .source = "session event",
         .text = event == nullptr ? "" : as_text(*event),
         .why = is_inside ? "a tester sends no events" : "only a client-driven agent can speak first"});
    if (is_inside) draft.cannot_play = true;
  }

  void add_answer(TestDraft& draft, const Node& turn, std::size_t k) {
    const Node* agent = turn.find("agent");
    const std::vector<Node> texts = agent == nullptr   ? std::vector<Node>{}
                                    : agent->is_list() ? agent->items
                                                       : std::vector<Node>{*agent};
    for (const Node& text : texts) {
      if (as_text(text).empty()) continue;
      conversion_.check(draft, criterion_says(as_text(text), k), at(text),
                        {.outcome = Outcome::approximated,
                         .source = "agent",
                         .text = as_text(text),
                         .why = "the source compares meanings; here a judge decides"});
    }
    for (const Node& call : turn.list_of("tool_calls")) add_tool_call(conversion_, draft, source_, call, k);
    for (const std::string_view key : {"expectations", "assertions", "operators"}) {
      for (const Node& each : turn.list_of(key)) add_turn_check(conversion_, draft, source_, each, k);
    }
  }

  void add_steps(TestDraft& draft, const Node& node) {
    const std::vector<Node>& steps = node.list_of("steps");
    std::string goal;
    std::int64_t turns = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Node& step = steps[i];
      if (!goal.empty()) goal += "\n\n";
      goal += "Step " + std::to_string(i + 1) + ": " + step.text_of("goal");
      if (const std::string guide = step.text_of("response_guide"); !guide.empty()) goal += "\n" + guide;
      const Node* bound = step.find("max_turns");
      if (bound != nullptr && bound->number() && *bound->number() >= 1 && *bound->number() <= 10'000)
        turns += static_cast<std::int64_t>(*bound->number());
    }
    conversion_.set_goal(draft, goal, at(node), {.source = "steps"});
    if (turns > 0) draft.test.max_turns = std::min<std::int64_t>(turns, 10'000);
    for (const Node& step : steps) {
      if (const Node* criterion = step.find("success_criteria")) {
        conversion_.check(draft, criterion_of(as_text(*criterion)), at(*criterion),
                          {.source = "success_criteria", .text = as_text(*criterion)});
      }
      const Node* bound = step.find("max_turns");
      if (bound == nullptr) continue;
      const bool is_exact = steps.size() == 1;
      conversion_.note(draft, at(*bound),
                       {.kind = ItemKind::run,
                        .outcome = is_exact ? Outcome::exact : Outcome::approximated,
                        .source = "max_turns",
                        .text = bound->text,
                        .became = {"max-turns"},
                        .why = is_exact ? "" : "one limit for the conversation, the sum of its steps"});
    }
  }

  void add_expectations(TestDraft& draft, const Node& node) {
    for (const Node& each : node.list_of("expectations")) {
      if (each.is_map()) {
        add_turn_check(conversion_, draft, source_, each, 0);
      } else {
        conversion_.check(draft, criterion_of(as_text(each)), at(each),
                          {.source = "expectation", .text = as_text(each)});
      }
    }
  }

  void add_about(TestDraft& draft, const Node& node) {
    for (const Node& tag : node.list_of("tags")) {
      draft.test.tags.push_back(as_text(tag));
      conversion_.note(draft, at(tag), {.source = "tag", .text = as_text(tag), .became = {"tags"}});
    }
    Members parameters;
    for (const Node* table : {file_.find("common_session_parameters"), node.find("session_parameters")}) {
      if (table == nullptr || !table->is_map()) continue;
      for (const Node& each : table->items) {
        set_member(parameters, each.key, to_json(each));
        conversion_.note(draft, at(each),
                         {.kind = ItemKind::agent,
                          .source = "session parameter",
                          .text = each.key + ": " + as_text(each),
                          .became = {"metadata"}});
      }
    }
    draft.test.metadata = object_of(parameters);
    if (const Node* history = node.find("historical_contexts")) {
      conversion_.note(draft, at(*history),
                       {.outcome = Outcome::not_mapped,
                        .source = "historical_contexts",
                        .text = as_text(*history),
                        .why = "it belongs to other sessions"});
    }
  }

  Conversion& conversion_;
  const Source& source_;
  const Node& file_;
};

const Node* evals_of(const Node& file) {
  const Node* found = file.first_of({"conversations", "evals", "tests", "turn_evals"});
  return found != nullptr && found->is_list() ? found : nullptr;
}

bool is_eval(const Node& node) {
  return !node.list_of("steps").empty() || !node.list_of("turns").empty() || node.find("user") != nullptr;
}

}  // namespace

void import_cxas(Conversion& conversion) {
  for_each_source(conversion, [&](const Source& source) {
    const auto tree = parse_either(source, conversion.faults);
    if (!tree) return;
    const Node* evals = evals_of(*tree);
    if (evals == nullptr || evals->items.empty() || !is_eval(evals->items.front())) {
      conversion.faults.add(source, tree->place,
                            "not an eval file of CX Agent Studio: it has neither \"conversations\" with "
                            "\"turns\" nor \"evals\" with \"steps\"");
      return;
    }
    EvalReader reader(conversion, source, *tree);
    for (const Node& each : evals->items) reader.add(each);
  });
}

int looks_like_cxas(const std::string& /*path*/, std::string_view /*text*/, const Node* head) {
  const Node* evals = head == nullptr ? nullptr : evals_of(*head);
  return evals != nullptr && !evals->items.empty() && is_eval(evals->items.front()) &&
                 head->find("prompts") == nullptr
             ? 70
             : 0;
}

}  // namespace parley::convert
