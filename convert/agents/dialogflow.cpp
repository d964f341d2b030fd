#include "convert/agents/dialogflow.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "convert/messages/rows.hpp"
#include "convert/records/checks.hpp"
#include "model/json/json.hpp"

namespace parley::convert {
namespace {

constexpr std::string_view turns_key = "testCaseConversationTurns";

/// Members that are read elsewhere, or have no counterpart because they are not part of the test.
constexpr std::array<std::string_view, 5> case_keys{"displayName", "notes", "tags", "testConfig", turns_key};
constexpr std::array<std::string_view, 3> record_keys{"name", "creationTime", "lastTestResult"};
constexpr std::array<std::string_view, 4> answer_keys{"triggeredIntent", "currentPage", "textResponses",
                                                      "sessionParameters"};
constexpr std::array<std::string_view, 2> answer_record_keys{"differences", "diagnosticInfo"};
constexpr std::array<std::string_view, 2> input_keys_read{"input", "injectedParameters"};
constexpr std::array<std::string_view, 2> input_settings{"isWebhookEnabled", "enableSentimentAnalysis"};
constexpr std::array<std::string_view, 1> config_keys{"trackingParameters"};

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
    if (case_.list_of(turns_key).empty()) {
      conversion_.note(draft_, at(case_),
                       {.kind = ItemKind::turn,
                        .outcome = Outcome::not_mapped,
                        .source = std::string(turns_key),
                        .why = "the case has no turns"});
    }
    report_others(case_, case_keys, record_keys, "it is not a key of a test case");
    if (const Node* config = case_.find("testConfig"))
      report_others(*config, config_keys, {}, "the agent decides where a conversation begins");
    conversion_.finish(std::move(draft_), at(case_));
  }

 private:
  [[nodiscard]] At at(const Node& node) const { return {source_, node.place}; }

  /// Reports the members that nothing reads. Those that only describe an earlier run of the case are ignored.
  void report_others(const Node& holder, std::span<const std::string_view> read,
                     std::span<const std::string_view> ignored, const std::string& why) {
    for (const Node& each : holder.items) {
      if (each.is_null() || is_one_of(each.key, read)) continue;
      const bool is_ignored = is_one_of(each.key, ignored);
      conversion_.note(draft_, at(each),
                       {.kind = ItemKind::other,
                        .outcome = is_ignored ? Outcome::ignored : Outcome::not_mapped,
                        .source = each.key,
                        .text = as_text(each),
                        .why = is_ignored ? "" : why});
    }
  }

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
    if (const Node* input = turn.find("userInput"))
      report_others(*input, input_keys_read, input_settings, "it is not a key of a user's input");
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
    report_others(answer, answer_keys, answer_record_keys, "no check compares it");
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
  const auto has_turns = [](const Node& each) { return !each.list_of(turns_key).empty(); };
  if (has_turns(file)) cases.push_back(&file);
  const std::vector<Node>& list = file.is_list() ? file.items : file.list_of("testCases");
  if (std::none_of(list.begin(), list.end(), has_turns)) return cases;
  for (const Node& each : list) {
    if (each.has("displayName") || each.has(turns_key)) cases.push_back(&each);
  }
  return cases;
}

void add_dialogflow_case(Conversion& conversion, const Source& source, const Node& test_case) {
  FlowCaseReader(conversion, source, test_case).read();
}

}  // namespace parley::convert
