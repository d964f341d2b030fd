#include "tester/replay.hpp"

#include <algorithm>

#include "model/json/json_writer.hpp"
#include "model/limits.hpp"
#include "tester/script.hpp"

namespace parley::tester {
namespace {

bool is_turn(const Entry& entry) {
  return entry.role == Role::tester && (entry.type == EntryType::message || entry.type == EntryType::action);
}

/// Escapes double braces within JSON, so that no text is mistaken for a field to fill in (D22).
std::string without_placeholders(std::string json) {
  for (auto at = json.find("{{"); at != std::string::npos; at = json.find("{{", at))
    json.replace(at, 1, "\\u007b");
  return json;
}

std::string line_of(const Entry& turn) {
  if (turn.type == EntryType::message) {
    std::string said;
    json::append_quoted(said, turn.content.value_or(""));
    return "say: " + without_placeholders(std::move(said));
  }
  const auto metadata = json::parse(turn.metadata.text);
  const auto arguments = metadata ? metadata->root().find("arguments") : std::nullopt;
  const std::string given =
      arguments && arguments->is(json::Kind::object) ? " " + std::string(arguments->raw()) : std::string();
  // Two adjacent opening braces are always inside a string, because outside strings a name comes between
  // them.
  return "invoke: " + turn.name.value_or("") + without_placeholders(given);
}

}  // namespace

Expected<std::string> replay_script(std::span<const Entry> conversation) {
  const auto turns =
      static_cast<std::size_t>(std::count_if(conversation.begin(), conversation.end(), is_turn));
  if (turns == 0) return problem(ProblemKind::conflict, "the log has no user turn");
  // The script ends when no step is left, independent of the server's own limit and of a variant's additions.
  std::string script = "max turns: " + std::to_string(script_turns_max);
  for (const Entry& entry : conversation) {
    if (is_turn(entry)) script += "\n" + line_of(entry);
  }
  const bool is_too_long = turns + 1 > script_lines_max - 1 || script.size() > limits::instruction_bytes_max;
  if (is_too_long)
    return problem(ProblemKind::conflict, "the log has more user turns than a script can hold");
  if (auto parsed = Script::parse(script); !parsed)
    return problem(ProblemKind::conflict, "a turn of the log cannot be played: " + parsed.problem().detail);
  return script;
}

}  // namespace parley::tester
