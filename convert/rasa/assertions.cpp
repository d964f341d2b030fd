#include "convert/rasa/assertions.hpp"

#include <algorithm>

#include "model/json/json.hpp"

namespace parley::convert {
namespace {

const std::string slot_events = "slots as internal events named slot";
const std::string flow_events = "flows and actions as internal events";

/// Checks that an event of the turn has this text at the pointer in its metadata.
Check event_check(const std::string& pointer, const std::string& value, std::size_t turn) {
  return json_check({pointer, "events", {}, "equals", json_text(value), turn_scope(turn)});
}

/// The names in `flow_started: [a, b]`, in `{operator: any, flow_ids: [a, b]}`, or in a text.
std::vector<std::string> names_of(const Node& node, bool& is_any) {
  std::vector<std::string> names;
  if (node.is_scalar()) return {node.text};
  const Node* list = &node;
  if (node.is_map()) {
    is_any = node.text_of("operator") == "any";
    list = node.first_of({"flow_ids", "flow_id", "ids"});
    if (list == nullptr) return names;
    if (list->is_scalar()) return {list->text};
  }
  for (const Node& item : list->items)
    names.push_back(item.is_map() ? item.text_of("flow_id") : as_text(item));
  return names;
}

/// The step that the source requires the flow to be at; empty if it requires none.
std::string step_in(const Node& node) {
  if (node.is_map()) {
    if (std::string step = node.text_of("flow_step_id"); !step.empty()) return step;
  }
  for (const Node& each : node.items) {
    if (std::string step = step_in(each); !step.empty()) return step;
  }
  return {};
}

class AssertionReader {
 public:
  AssertionReader(Conversion& conversion, TestDraft& draft, const Source& source, std::size_t turn,
                  const Domain& domain)
      : conversion_(conversion), draft_(draft), source_(source), turn_(turn), domain_(domain) {}

  void add(const Node& node) {
    const std::string& kind = node.key;
    if (kind == "slot_was_set" || kind == "slot_was_not_set")
      return add_slots(conversion_, draft_, source_, node, turn_, kind == "slot_was_not_set");
    if (kind == "flow_started" || kind == "flow_completed" || kind == "flow_cancelled") return flow(node);
    if (kind == "action_executed")
      return check(node, event_check("/action", as_text(node), turn_),
                   {.source = kind, .text = as_text(node), .needs = flow_events});
    if (kind == "pattern_clarification_contains") return clarification(node);
    if (kind == "bot_uttered" || kind == "bot_did_not_utter")
      return uttered(node, kind == "bot_did_not_utter");
    if (kind.starts_with("generative_response_is_")) return generative(node);
    conversion_.lose(draft_, {source_, node.place},
                     {.source = kind, .text = as_text(node), .why = "there is no such assertion"});
  }

 private:
  void check(const Node& node, Check check, Item item) {
    conversion_.check(draft_, std::move(check), {source_, node.place}, std::move(item));
  }

  void flow(const Node& node) {
    bool is_any = false;
    const std::vector<std::string> names = names_of(node, is_any);
    std::vector<Check> checks;
    for (const std::string& name : names) {
      Check each = json_check({"/flow_id", "events", node.key, "equals", json_text(name), turn_scope(turn_)});
      checks.push_back(std::move(each));
    }
    Item item{.source = node.key, .text = as_text(node), .needs = flow_events};
    if (checks.empty()) {
      item.why = "it names no flow";
      return conversion_.lose(draft_, {source_, node.place}, std::move(item));
    }
    if (const std::string step = step_in(node); !step.empty()) {
      item.outcome = Outcome::approximated;
      item.why = "the step \"" + step + "\" of the flow is not checked";
    }
    if (checks.size() == 1) return check(node, std::move(checks.front()), std::move(item));
    check(node, set_check(is_any ? "any" : "all", checks), std::move(item));
  }

  void clarification(const Node& node) {
    const std::vector<Node> names = node.is_list() ? node.items : std::vector<Node>{node};
    for (const Node& name : names) {
      check(node,
            json_check({"/names", "events", "clarification", "contains", json_text(as_text(name)),
                        turn_scope(turn_)}),
            {.source = node.key, .text = as_text(name), .needs = flow_events});
    }
  }

  /// Adds one check for each key. Different messages may satisfy different checks.
  void uttered(const Node& node, bool is_negated) {
    if (!node.is_map()) {
      return conversion_.lose(draft_, {source_, node.place},
                              {.source = node.key, .text = as_text(node), .why = "it is not a mapping"});
    }
    const bool is_several = node.items.size() > 1;
    for (const Node& part : node.items) {
      Item item{.outcome = is_several ? Outcome::approximated : Outcome::exact,
                .source = node.key + "." + part.key,
                .text = as_text(part),
                .why = is_several ? "each key may hold for a different message of the turn" : ""};
      if (part.key == "utter_name") {
        UtterCheck utter = utter_check(domain_, as_text(part), turn_);
        utter.check.negate = is_negated;
        item.needs = utter.needs;
        check(part, std::move(utter.check), std::move(item));
      } else if (part.key == "text_matches") {
        Check text = pattern_check("regex", as_text(part), turn_scope(turn_));
        text.negate = is_negated;
        check(part, std::move(text), std::move(item));
      } else if (part.key == "buttons") {
        buttons(part, is_negated, std::move(item));
      } else {
        item.outcome = Outcome::not_mapped;
        item.why = "there is no such assertion";
        conversion_.lose(draft_, {source_, part.place}, std::move(item));
      }
    }
  }

  void buttons(const Node& list, bool is_negated, Item item) {
    item.needs = "messages carry /buttons";
    std::vector<Check> checks;
    for (const Node& button : list.items)
      checks.push_back(
          json_check({"/buttons", "messages", {}, "contains", to_json(button), turn_scope(turn_)}));
    if (checks.empty()) return;
    Check all = checks.size() == 1 ? checks.front() : set_check("all", checks);
    all.negate = is_negated;
    check(list, std::move(all), std::move(item));
  }

  void generative(const Node& node) {
    const bool is_grounded = node.key == "generative_response_is_grounded";
    const std::string truth = node.text_of("ground_truth");
    std::string text = "In its answer to turn " + std::to_string(turn_ + 1) + " of the user the chatbot ";
    text += is_grounded ? "says only what it was given" : "says what is relevant to the question";
    text += truth.empty() ? "." : ". The facts are: " + truth;
    std::string why = "a score with a threshold in the source; parley uses a judge";
    if (const std::string name = node.text_of("utter_name"); !name.empty())
      why += ", which reads all answers of the turn and not only " + name;
    check(
        node, criterion_of(std::move(text)),
        {.outcome = Outcome::approximated, .source = node.key, .text = as_text(node), .why = std::move(why)});
  }

  Conversion& conversion_;
  TestDraft& draft_;
  const Source& source_;
  std::size_t turn_;
  const Domain& domain_;
};

/// Checks the value that the turn sets the slot to: `value`, which may be null, or any non-null value if there is no
/// `value`.
void add_slot(Conversion& conversion, TestDraft& draft, const At& at, const std::string& name,
              const Node* value, std::size_t turn, bool is_negated) {
  Check check = json_check({"/" + json::pointer_token(name), "events", "slot",
                            value == nullptr ? "notEquals" : "equals",
                            value == nullptr ? "null" : to_json(*value), turn_scope(turn)});
  check.negate = is_negated;
  std::string text = name;
  if (value != nullptr) text += ": " + (value->is_null() ? "null" : as_text(*value));
  conversion.check(draft, std::move(check), at,
                   {.source = is_negated ? "slot_was_not_set" : "slot_was_set",
                    .text = std::move(text),
                    .needs = slot_events});
}

/// The member with that name, even if it is null.
const Node* member_of(const Node& node, std::string_view name) {
  const auto found =
      std::find_if(node.items.begin(), node.items.end(), [&](const Node& each) { return each.key == name; });
  return found == node.items.end() ? nullptr : &*found;
}

}  // namespace

void add_slots(Conversion& conversion, TestDraft& draft, const Source& source, const Node& slots,
               std::size_t turn, bool is_negated) {
  const auto add = [&](const Node& slot) {
    const At at{source, slot.place};
    if (!slot.is_map()) return add_slot(conversion, draft, at, as_text(slot), nullptr, turn, is_negated);
    const Node* name = slot.find("name");
    if (name != nullptr && (slot.items.size() == 1 || slot.has("value"))) {
      return add_slot(conversion, draft, at, as_text(*name), member_of(slot, "value"), turn, is_negated);
    }
    for (const Node& each : slot.items)
      add_slot(conversion, draft, {source, each.place}, each.key, &each, turn, is_negated);
  };
  if (!slots.is_list()) return add(slots);
  for (const Node& each : slots.items) add(each);
}

void add_rasa_assertion(Conversion& conversion, TestDraft& draft, const Source& source, const Node& assertion,
                        std::size_t turn, const Domain& domain) {
  AssertionReader reader(conversion, draft, source, turn, domain);
  if (!assertion.is_map()) {
    conversion.lose(draft, {source, assertion.place},
                    {.source = "assertion", .text = as_text(assertion), .why = "it is not a mapping"});
    return;
  }
  for (const Node& each : assertion.items) reader.add(each);
}

}  // namespace parley::convert
