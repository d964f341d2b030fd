#include "convert/agents/dialogflow.hpp"

#include <algorithm>

#include "convert/messages/rows.hpp"
#include "convert/records/checks.hpp"
#include "model/json/json.hpp"

namespace parley::convert {
namespace {

constexpr std::string_view turns_key = "testCaseConversationTurns";

/// The member at the end of the path; null pointer if any part of the path is missing.
const Node* at_path(const Node& node, std::initializer_list<std::string_view> path) {
  const Node* found = &node;
  for (const std::string_view key : path) {
    if (found != nullptr) found = found->find(key);
  }
  return found;
}

class FlowCaseReader {
 public:
  FlowCaseReader(Conversion& conversion, const Source& source, const Node& test_case)
      : conversion_(conversion),
        source_(source),
        case_(test_case),
        draft_(conversion.begin_test(test_case.text_of("displayName"), at(test_case))) {}

  void read() {
    draft_.test.description = cut(case_.text_of("notes"), 2'000);
    for (const Node& tag : case_.list_of("tags")) {
      draft_.test.tags.push_back(as_text(tag));
      conversion_.note(draft_, at(tag), {.source = "tag", .text = as_text(tag), .became = {"tags"}});
    }
    if (const Node* tracked = at_path(case_, {"testConfig", "trackingParameters"})) {
      for (const Node& each : tracked->items) tracked_.push_back(as_text(each));
    }
    for (const Node& turn : case_.list_of(turns_key)) add_turn(turn);
    conversion_.finish(std::move(draft_), at(case_));
  }

 private:
  [[nodiscard]] At at(const Node& node) const { return {source_, node.place}; }

  void add_turn(const Node& turn) {
    const Node* text = at_path(turn, {"userInput", "input", "text"});
    if (text != nullptr && text->is_map()) text = text->find("text");
    const Node* event = at_path(turn, {"userInput", "input", "event"});
    const Node* keys = at_path(turn, {"userInput", "input", "dtmf"});
    if (text != nullptr && !as_text(*text).empty()) {
      conversion_.say(draft_, as_text(*text), at(*text), {.source = "text"});
      ++turns_;
    } else if (keys != nullptr || (event != nullptr && turns_ > 0)) {
      lose_input(keys != nullptr ? *keys : *event, "a tester can only say text");
      draft_.cannot_play = true;
    } else if (event != nullptr) {
      lose_input(*event, "only a client-driven agent can speak first");
    }
    if (const Node* given = at_path(turn, {"userInput", "injectedParameters"})) add_parameters(*given);
    if (const Node* answer = turn.find("virtualAgentOutput")) add_answer(*answer);
  }

  void lose_input(const Node& node, const std::string& why) {
    conversion_.note(draft_, at(node),
                     {.outcome = Outcome::not_mapped, .source = node.key, .text = as_text(node), .why = why});
  }

  /// Parameters before the first answer become metadata of the test; an agent receives no later ones.
  void add_parameters(const Node& given) {
    const bool is_first = turns_ < 2;
    for (const Node& each : given.items) {
      if (is_first) set_member(parameters_, each.key, to_json(each));
      conversion_.note(
          draft_, at(each),
          {.kind = ItemKind::agent,
           .outcome = is_first ? Outcome::exact : Outcome::not_mapped,
           .source = "injectedParameters",
           .text = each.key + ": " + as_text(each),
           .became = is_first ? std::vector<std::string>{"metadata"} : std::vector<std::string>{},
           .why = is_first ? "" : "an agent gets its metadata before the first turn only"});
    }
    draft_.test.metadata = object_of(parameters_);
  }

  void add_answer(const Node& answer) {
    add_named(answer, "triggeredIntent", "/intent");
    add_named(answer, "currentPage", "/page");
    for (const Node& response : answer.list_of("textResponses")) add_response(response);
    const Node* values = answer.find("sessionParameters");
    if (values == nullptr) return;
    for (const Node& each : values->items) {
      const bool is_tracked = std::find(tracked_.begin(), tracked_.end(), each.key) != tracked_.end();
      const std::string text = each.key + ": " + as_text(each);
      if (is_tracked) {
        add_json("/parameters/" + json::pointer_token(each.key), to_json(each), each,
                 {.source = "sessionParameters", .text = text, .needs = "messages carry /parameters"});
      } else {
        conversion_.note(draft_, at(each),
                         {.outcome = Outcome::ignored, .source = "sessionParameters", .text = text});
      }
    }
  }

  /// Checks an intent or page by its display name, or by its name if it has none.
  void add_named(const Node& answer, std::string_view key, const std::string& pointer) {
    const Node* found = answer.find(key);
    if (found == nullptr) return;
    std::string name = found->text_of("displayName");
    if (name.empty()) name = found->text_of("name");
    if (name.empty()) return;
    add_json(pointer, json_text(name), *found,
             {.source = std::string(key), .text = name, .needs = "messages carry " + pointer});
  }

  void add_json(const std::string& pointer, const std::string& value, const Node& node, Item item) {
    conversion_.check(draft_, json_check({pointer, "messages", {}, "equals", value, turn_scope(turn())}),
                      at(node), std::move(item));
  }

  /// Checks that the answer equals one of the texts of a response.
  void add_response(const Node& response) {
    std::vector<Check> checks;
    for (const Node& text : response.list_of("text"))
      checks.push_back(text_check("equals", as_text(text), turn_scope(turn()), Ignoring::nothing));
    if (checks.empty()) return;
    conversion_.check(draft_, checks.size() == 1 ? checks.front() : set_check("any", checks), at(response),
                      {.source = "textResponses", .text = as_text(response.list_of("text").front())});
  }

  [[nodiscard]] std::size_t turn() const { return turns_ == 0 ? 0 : turns_ - 1; }

  Conversion& conversion_;
  const Source& source_;
  const Node& case_;
  TestDraft draft_;
  std::size_t turns_ = 0;
  Members parameters_;
  std::vector<std::string> tracked_;  ///< session parameters that the source compares
};

}  // namespace

std::vector<const Node*> dialogflow_cases(const Node& file) {
  std::vector<const Node*> cases;
  if (!file.list_of(turns_key).empty()) cases.push_back(&file);
  for (const Node& each : file.is_list() ? file.items : file.list_of("testCases")) {
    if (!each.list_of(turns_key).empty()) cases.push_back(&each);
  }
  return cases;
}

void add_dialogflow_case(Conversion& conversion, const Source& source, const Node& test_case) {
  FlowCaseReader(conversion, source, test_case).read();
}

}  // namespace parley::convert
