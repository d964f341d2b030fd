#include "convert/agents/cxas.hpp"

#include <algorithm>

#include "convert/agents/cxas_calls.hpp"
#include "convert/agents/cxas_console.hpp"
#include "convert/agents/dialogflow.hpp"
#include "convert/messages/rows.hpp"
#include "convert/records/checks.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

std::string name_of(const Node& node) {
  for (const std::string_view key : {"conversation", "name", "display_name", "test"}) {
    if (std::string name = node.text_of(key); !name.empty()) return name;
  }
  return "Conversation";
}

/// The name in `<event>NAME</event>`, which a turn may have as its text instead of `event: NAME`; empty for other
/// texts.
std::string_view event_in(std::string_view said) {
  constexpr std::string_view open = "<event>";
  constexpr std::string_view close = "</event>";
  said = ascii::trimmed(said, " \t\r\n");
  if (!said.starts_with(open) || !said.ends_with(close)) return {};
  return said.substr(open.size(), said.size() - open.size() - close.size());
}

/// The user's text in the turn; empty if the user says nothing or sends an event.
std::string words_of(const Node& turn) {
  std::string said = turn.text_of("user");
  return event_in(said).empty() ? said : std::string();
}

class EvalReader {
 public:
  EvalReader(Conversion& conversion, const Source& source, const Node& file)
      : conversion_(conversion), source_(source), file_(file) {}

  void add(const Node& node) {
    TestDraft draft = conversion_.begin_test(name_of(node), at(node));
    parameters_.clear();
    add_parameters(draft, file_.find("common_session_parameters"), "session parameter");
    add_parameters(draft, node.find("session_parameters"), "session parameter");
    add_parameters(draft, node.find("variables"), "variable");
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
      const std::string text = words_of(turn);
      if (text.empty()) {
        add_event(draft, turn, turns > 0);
      } else {
        conversion_.say(draft, text, at(*turn.find("user")), {.source = "user"});
        ++turns;
      }
      add_turn_variables(draft, turn.find("variables"), turns > 1);
      add_config(draft, turn.find("config"));
      add_answer(draft, turn, {turns == 0 ? 0 : turns - 1, node.list_of("turns").size()});
    }
    if (node.list_of("turns").empty() && !words_of(node).empty()) {
      conversion_.say(draft, words_of(node), at(*node.find("user")), {.source = "user"});
    } else if (node.list_of("turns").empty() && node.first_of({"event", "user"}) != nullptr) {
      add_event(draft, node, false);
    }
    if (!draft.test.turns.empty()) return;
    conversion_.note(draft, at(node),
                     {.outcome = Outcome::not_mapped, .source = "turns", .why = "the user says nothing"});
  }

  /// Reports a turn without user text: the session begins, or an event arrives.
  void add_event(TestDraft& draft, const Node& turn, bool is_inside) {
    const Node* event = turn.find("event");
    const std::string said = turn.text_of("user");
    conversion_.note(
        draft, at(turn),
        {.outcome = Outcome::not_mapped,
         .source = "session event",
         .text = event == nullptr ? std::string(event_in(said)) : as_text(*event),
         .why = is_inside ? "a tester sends no events" : "only a client-driven agent can speak first"});
    if (is_inside) draft.cannot_play = true;
  }

  /// Variables are set before their turn. Variables of the first turn become metadata of the test; an agent receives no
  /// later ones.
  void add_turn_variables(TestDraft& draft, const Node* table, bool is_late) {
    if (!is_late) return add_parameters(draft, table, "variable");
    if (table == nullptr || !table->is_map()) return;
    for (const Node& each : table->items) {
      conversion_.note(draft, at(each),
                       {.kind = ItemKind::agent,
                        .outcome = Outcome::not_mapped,
                        .source = "variable",
                        .text = each.key + ": " + as_text(each),
                        .why = "an agent gets its metadata before the first turn only"});
    }
  }

  void add_parameters(TestDraft& draft, const Node* table, const std::string& source) {
    if (table == nullptr || !table->is_map()) return;
    for (const Node& each : table->items) {
      set_member(parameters_, each.key, to_json(each));
      conversion_.note(draft, at(each),
                       {.kind = ItemKind::agent,
                        .source = source,
                        .text = each.key + ": " + as_text(each),
                        .became = {"metadata"}});
    }
  }

  void add_config(TestDraft& draft, const Node* config) {
    if (config == nullptr) return;
    conversion_.note(
        draft, at(*config),
        {.kind = ItemKind::run, .outcome = Outcome::ignored, .source = "config", .text = as_text(*config)});
  }

  void add_answer(TestDraft& draft, const Node& turn, TurnOf which) {
    const Node* agent = turn.find("agent");
    const std::vector<Node> texts = agent == nullptr   ? std::vector<Node>{}
                                    : agent->is_list() ? agent->items
                                                       : std::vector<Node>{*agent};
    for (const Node& text : texts) {
      if (as_text(text).empty()) continue;
      conversion_.check(draft, criterion_says(as_text(text), which.index), at(text),
                        {.outcome = Outcome::approximated,
                         .source = "agent",
                         .text = as_text(text),
                         .why = "the source compares meanings; parley uses a judge"});
    }
    for (const Node& call : turn.list_of("tool_calls"))
      add_tool_call(conversion_, draft, source_, call, which.index);
    for (const std::string_view key : {"expectations", "assertions", "operators"}) {
      for (const Node& each : turn.list_of(key)) add_turn_check(conversion_, draft, source_, each, which);
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
      if (const std::string words = step.text_of("static_utterance"); !words.empty()) {
        goal += (step.text_of("goal").empty() ? "" : "\n") + std::string("Say exactly: ") + words;
        if (i == 0) draft.test.first = words;
      }
      if (const std::string guide = step.text_of("response_guide"); !guide.empty()) goal += "\n" + guide;
      const Node* bound = step.find("max_turns");
      if (bound != nullptr && bound->number() && *bound->number() >= 1 && *bound->number() <= 10'000)
        turns += static_cast<std::int64_t>(*bound->number());
    }
    add_parameters(draft, steps.front().find("inject_variables"), "variable");
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
        add_turn_check(conversion_, draft, source_, each, {});
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
    draft.test.metadata = object_of(parameters_);
    add_config(draft, file_.find("config"));
    add_config(draft, node.find("config"));
    add_history(draft, node);
  }

  /// Adds the messages that precede the test. They are lost if the file only has the id of another session.
  void add_history(TestDraft& draft, const Node& node) {
    const Node* history = node.find("historical_contexts");
    if (history == nullptr) return;
    const Node* messages = history->is_map() ? history->find("utterances") : history;
    const bool is_here = messages != nullptr && messages->is_list();
    conversion_.note(draft, at(*history),
                     {.outcome = is_here ? Outcome::exact : Outcome::not_mapped,
                      .source = "historical_contexts",
                      .text = as_text(*history),
                      .became = is_here ? std::vector<std::string>{"history"} : std::vector<std::string>{},
                      .why = is_here ? "" : "it belongs to other sessions"});
    if (const Node* count = node.find("turn_count")) {
      conversion_.note(draft, at(*count),
                       {.outcome = Outcome::not_mapped,
                        .source = "turn_count",
                        .text = count->text,
                        .why = "it belongs to other sessions"});
    }
    if (!is_here) return;
    for (const Node& message : messages->items) {
      const bool is_user = message.find("user") != nullptr;
      const std::string text = message.text_of(is_user ? "user" : "agent");
      if (!text.empty()) draft.test.history.push_back({is_user ? "user" : "assistant", text});
    }
  }

  Conversion& conversion_;
  const Source& source_;
  const Node& file_;
  Members parameters_;  ///< of the test that is being read
};

/// Whether the node is a simulation. A file may be a list of simulations without a key.
bool is_simulated(const Node& node) {
  const std::vector<Node>& steps = node.list_of("steps");
  return !steps.empty() &&
         steps.front().first_of({"goal", "success_criteria", "static_utterance"}) != nullptr;
}

const Node* evals_of(const Node& file) {
  if (file.is_list() && !file.items.empty() && is_simulated(file.items.front())) return &file;
  const Node* found = file.first_of({"conversations", "evals", "tests", "turn_evals"});
  return found != nullptr && found->is_list() ? found : nullptr;
}

bool is_eval(const Node& node) {
  return !node.list_of("steps").empty() || !node.list_of("turns").empty() ||
         node.first_of({"user", "event"}) != nullptr;
}

}  // namespace

void import_cxas(Conversion& conversion) {
  for_each_source(conversion, [&](const Source& source) {
    auto tree = parse_either(source, conversion.faults);
    if (!tree) return;
    if (const auto cases = dialogflow_cases(*tree); !cases.empty()) {
      for (const Node* each : cases) add_dialogflow_case(conversion, source, *each);
      return;
    }
    if (auto exported = from_console(*tree)) tree = std::move(exported);
    const Node* evals = evals_of(*tree);
    if (evals == nullptr || evals->items.empty() || !is_eval(evals->items.front())) {
      conversion.faults.add(
          source, tree->place,
          "not an eval file of CX Agent Studio: it has neither \"conversations\" with "
          "\"turns\" or \"user\", nor \"evals\" with \"steps\", nor \"testCaseConversationTurns\"");
      return;
    }
    EvalReader reader(conversion, source, *tree);
    for (const Node& each : evals->items) reader.add(each);
  });
}

int looks_like_cxas(const std::string& /*path*/, std::string_view /*text*/, const Node* head) {
  if (head != nullptr && (from_console(*head) || !dialogflow_cases(*head).empty())) return 70;
  const Node* evals = head == nullptr ? nullptr : evals_of(*head);
  return evals != nullptr && !evals->items.empty() && is_eval(evals->items.front()) &&
                 head->find("prompts") == nullptr
             ? 70
             : 0;
}

}  // namespace parley::convert
