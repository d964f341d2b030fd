#include "convert/rasa/e2e.hpp"

#include <algorithm>

#include "convert/rasa/assertions.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// The text of a step. Rasa trims blanks and line ends around the user's text.
std::string words_of_step(const Node& node) {
  return std::string(ascii::trimmed(as_text(node), " \t\r\n"));
}

class CaseReader {
 public:
  CaseReader(Conversion& conversion, const Source& source, const Node& file, const Domain& domain)
      : conversion_(conversion), source_(source), file_(file), domain_(domain) {}

  void add(const Node& test_case) {
    TestDraft draft = conversion_.begin_test(test_case.text_of("test_case"), at(test_case));
    const std::vector<Node>& steps = test_case.list_of("steps");
    const bool has_assertions = std::any_of(
        steps.begin(), steps.end(), [](const Node& step) { return step.find("assertions") != nullptr; });
    turns_ = 0;
    for (const Node& step : steps) add_step(draft, step, has_assertions);
    add_fixtures(draft, test_case);
    for (const std::string_view key : {"metadata", "mocked_datetime", "stub_custom_actions"}) {
      if (const Node* found = test_case.find(key)) lose_setting(draft, *found);
    }
    conversion_.finish(std::move(draft), at(test_case));
  }

 private:
  [[nodiscard]] At at(const Node& node) const { return {source_, node.place}; }
  [[nodiscard]] std::size_t turn() const { return turns_ == 0 ? 0 : turns_ - 1; }

  void lose_setting(TestDraft& draft, const Node& node) {
    conversion_.note(draft, at(node),
                     {.outcome = Outcome::not_mapped,
                      .source = node.key,
                      .text = as_text(node),
                      .why = "it sets the state of the agent"});
  }

  void add_step(TestDraft& draft, const Node& step, bool has_assertions) {
    if (const Node* user = step.find("user")) {
      conversion_.say(draft, words_of_step(*user), at(*user), {.source = "user"});
      ++turns_;
    }
    if (const Node* list = step.find("assertions")) {
      for (const Node& each : list->items)
        add_rasa_assertion(conversion_, draft, source_, each, turn(), domain_);
    }
    for (const std::string_view key : {"metadata", "assertion_order_enabled"}) {
      if (const Node* found = step.find(key)) lose_setting(draft, *found);
    }
    for (const std::string_view key : {"bot", "utter", "slot_was_set", "slot_was_not_set"}) {
      const Node* old = step.find(key);
      if (old == nullptr) continue;
      if (has_assertions) {
        conversion_.note(draft, at(*old),
                         {.outcome = Outcome::ignored,
                          .source = std::string(key),
                          .text = "Rasa ignores it in a case with assertions"});
      } else {
        add_old_step(draft, *old);
      }
    }
  }

  void add_old_step(TestDraft& draft, const Node& step) {
    if (turns_ == 0 && (step.key == "bot" || step.key == "utter"))
      conversion_.note_agent_begins(draft, at(step));
    if (step.key == "bot") {
      return conversion_.check(
          draft, text_check("equals", words_of_step(step), turn_scope(turn()), Ignoring::nothing), at(step),
          {.source = "bot", .text = as_text(step)});
    }
    if (step.key == "utter") {
      UtterCheck utter = utter_check(domain_, as_text(step), turn());
      return conversion_.check(draft, std::move(utter.check), at(step),
                               {.source = "utter", .text = as_text(step), .needs = utter.needs});
    }
    add_slots(conversion_, draft, source_, step, turn(), step.key == "slot_was_not_set");
  }

  /// Fixture slots become fields of the test; the agent does not receive them.
  void add_fixtures(TestDraft& draft, const Node& test_case) {
    for (const Node& name : test_case.list_of("fixtures")) {
      for (const Node& fixture : file_.list_of("fixtures")) {
        const Node* values = fixture.find(as_text(name));
        if (values == nullptr) continue;
        const std::vector<Node> lists = values->is_list() ? values->items : std::vector<Node>{*values};
        for (const Node& slots : lists) {
          for (const Node& slot : slots.items) draft.test.fields[slot.key] = as_text(slot);
        }
      }
      conversion_.note(draft, at(name),
                       {.outcome = Outcome::not_mapped,
                        .source = "fixtures",
                        .text = as_text(name),
                        .why = "it sets the state of the agent"});
    }
  }

  Conversion& conversion_;
  const Source& source_;
  const Node& file_;
  const Domain& domain_;
  std::size_t turns_ = 0;
};

}  // namespace

void add_test_cases(Conversion& conversion, const Source& source, const Node& file, const Domain& domain) {
  CaseReader reader(conversion, source, file, domain);
  for (const Node& each : file.list_of("test_cases")) reader.add(each);
  const Node* stubs = file.find("stub_custom_actions");
  if (stubs == nullptr) return;
  for (const Node& each : stubs->items) {
    conversion.report.add(source, each.place,
                          {.outcome = Outcome::not_mapped,
                           .source = "stub_custom_actions",
                           .text = each.key,
                           .why = "it sets the state of the agent"});
  }
}

}  // namespace parley::convert
