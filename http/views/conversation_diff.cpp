#include "http/views/conversation_diff.hpp"

#include <algorithm>
#include <map>

#include "model/json/json.hpp"

namespace parley::http {
namespace {

constexpr std::size_t shown_bytes_max = 100;

/// One turn of one side.
struct Turn {
  std::vector<Id> ids;
  std::string tester;
  std::string agent;
  struct Call {
    std::string name;
    std::string arguments;  ///< canonical form, which is not JSON; only for comparison
    std::string shown;      ///< as JSON
    bool operator==(const Call& other) const { return name == other.name && arguments == other.arguments; }
  };
  std::vector<Call> actions;
  std::vector<std::string> events;
  std::vector<Call> tools;
};
using Turns = std::map<std::int64_t, Turn>;

Turn::Call call_of(const Entry& entry) {
  Turn::Call call{entry.name.value_or(""), "{}", "{}"};
  const auto metadata = json::parse(entry.metadata.text);
  if (!metadata.ok()) return call;
  if (const auto arguments = metadata->root().find("arguments")) {
    call.arguments = json::canonical(*arguments);
    call.shown = json::plain(*arguments);
  }
  return call;
}

void add(Turn& turn, const Entry& entry) {
  turn.ids.push_back(entry.id);
  switch (entry.type) {
    case EntryType::message: {
      std::string& text = entry.role == Role::tester ? turn.tester : turn.agent;
      if (!text.empty()) text += '\n';
      text += entry.content.value_or("");
      return;
    }
    case EntryType::tool: turn.tools.push_back(call_of(entry)); return;
    case EntryType::action: turn.actions.push_back(call_of(entry)); return;
    case EntryType::internal_event:
    case EntryType::public_event: turn.events.push_back(entry.name.value_or("")); return;
  }
}

Turns turns_of(const std::vector<Entry>& entries) {
  Turns turns;
  for (const Entry& entry : entries) add(turns[entry.turn], entry);
  return turns;
}

template <class T>
Likeness likeness_of(const T& a, const T& b) {
  if (a == b) return Likeness::same;
  if (a.empty()) return Likeness::only_b;
  return b.empty() ? Likeness::only_a : Likeness::different;
}

Likeness likeness_of_tools(const std::vector<Turn::Call>& a, const std::vector<Turn::Call>& b) {
  const Likeness whole = likeness_of(a, b);
  const bool same_names = a.size() == b.size() &&
                          std::equal(a.begin(), a.end(), b.begin(), [](const auto& one, const auto& other) {
                            return one.name == other.name;
                          });
  return whole == Likeness::different && same_names ? Likeness::arguments : whole;
}

std::string cut(std::string_view text) {
  if (text.size() <= shown_bytes_max) return std::string(text);
  std::size_t end = shown_bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

/// Describes the first argument that differs: `order 42, now with 24`.
std::string differing_argument(const Turn::Call& a, const Turn::Call& b) {
  const auto before = json::parse(a.shown);
  const auto after = json::parse(b.shown);
  if (before.ok() && after.ok() && before->root().is(json::Kind::object)) {
    for (const json::Value& member : before->root().children()) {
      const auto other = after->root().find(member.key());
      if (other && json::equal(*other, member)) continue;
      const std::string now = other ? cut(other->raw()) : "none";
      return cut(member.key()) + " " + cut(member.raw()) + ", now with " + now;
    }
  }
  return cut(a.shown) + ", now with " + cut(b.shown);
}

std::string says_of_tools(const Turn& a, const Turn& b) {
  for (std::size_t i = 0; i < std::max(a.tools.size(), b.tools.size()); ++i) {
    if (i >= b.tools.size()) return cut(a.tools[i].name) + " was called, and is not called now";
    if (i >= a.tools.size()) return cut(b.tools[i].name) + " is called now, and was not called before";
    if (a.tools[i].name != b.tools[i].name)
      return cut(a.tools[i].name) + " was called, now " + cut(b.tools[i].name);
    if (a.tools[i].arguments != b.tools[i].arguments)
      return cut(a.tools[i].name) + " was called with " + differing_argument(a.tools[i], b.tools[i]);
  }
  return {};
}

std::string says_of_action(const Turn::Call& action) {
  return cut(action.name + " " + action.shown);
}

std::optional<StructuralDifference> structural_of(std::int64_t number, const Turn* a, const Turn* b) {
  if (a == nullptr || b == nullptr) {
    return StructuralDifference{number, "end",
                                a == nullptr ? "the first conversation has ended before this turn"
                                             : "the second conversation has ended before this turn"};
  }
  if (a->tester != b->tester)
    return StructuralDifference{number, "tester",
                                "the tester said \"" + cut(a->tester) + "\", now \"" + cut(b->tester) + "\""};
  if (a->actions != b->actions) {
    const std::string before = a->actions.empty() ? "no action" : says_of_action(a->actions.front());
    const std::string now = b->actions.empty() ? "no action" : says_of_action(b->actions.front());
    return StructuralDifference{number, "action", "the tester invoked " + before + ", now " + now};
  }
  if (a->tools != b->tools) return StructuralDifference{number, "tool", says_of_tools(*a, *b)};
  return std::nullopt;
}

DiffedTurn diffed(std::int64_t number, const Turn& a, const Turn& b) {
  return {number,
          likeness_of(a.tester, b.tester),
          likeness_of_tools(a.tools, b.tools),
          likeness_of(a.actions, b.actions),
          likeness_of(a.events, b.events),
          likeness_of(a.agent, b.agent),
          a.ids,
          b.ids};
}

}  // namespace

std::string_view word_of_likeness(Likeness likeness) {
  switch (likeness) {
    case Likeness::same: return "same";
    case Likeness::arguments: return "arguments";
    case Likeness::different: return "different";
    case Likeness::only_a: return "only-a";
    case Likeness::only_b: return "only-b";
  }
  return "";
}

ConversationDiff diff_of(const DiffSide& a, const DiffSide& b) {
  const Turns first = turns_of(a.entries);
  const Turns second = turns_of(b.entries);
  std::map<std::int64_t, bool> numbers;
  for (const auto& [number, turn] : first) numbers[number] = true;
  for (const auto& [number, turn] : second) numbers[number] = true;
  const Turn nothing;
  ConversationDiff diff;
  for (const auto& [number, ignored] : numbers) {
    const auto in_a = first.find(number);
    const auto in_b = second.find(number);
    const Turn* of_a = in_a == first.end() ? nullptr : &in_a->second;
    const Turn* of_b = in_b == second.end() ? nullptr : &in_b->second;
    diff.turns.push_back(diffed(number, of_a ? *of_a : nothing, of_b ? *of_b : nothing));
    auto structural = structural_of(number, of_a, of_b);
    const bool is_wording = !structural && diff.turns.back().agent != Likeness::same;
    if (is_wording && !diff.wording) diff.wording = number;
    if (structural && !diff.structural) diff.structural = std::move(structural);
  }
  if (!diff.structural && a.end != b.end && a.end && b.end && !diff.turns.empty()) {
    diff.structural = StructuralDifference{
        diff.turns.back().turn, "end",
        "ended with " + std::string(word_of(*a.end)) + ", now with " + std::string(word_of(*b.end))};
  }
  return diff;
}

}  // namespace parley::http
