#include "outbound/agents/agent_turn.hpp"

#include <algorithm>

#include "model/values/metadata.hpp"

namespace parley::outbound {
namespace {

AgentAction action_of(const Entry& entry) {
  AgentAction action{entry.name.value_or(""), {}};
  const auto metadata = json::parse(entry.metadata.text);
  if (!metadata.ok()) return action;
  if (const auto arguments = metadata->root().find("arguments")) action.arguments = arguments->compact();
  return action;
}

/// The lower-case hex digits of an id, without its dashes.
std::string digits_of(const Id& id) {
  std::string text = to_text(id);
  text.erase(std::remove(text.begin(), text.end(), '-'), text.end());
  return text;
}

}  // namespace

TraceParent trace_of(const Id& result, const Id& turn, const std::optional<std::string>& launched_under) {
  constexpr std::size_t parent_chars = 16;
  auto trace = launched_under ? TraceParent::read(*launched_under) : std::nullopt;
  if (!trace) trace = TraceParent{digits_of(result), {}, "01"};
  trace->parent_id = digits_of(turn).substr(parent_chars);  // the random half
  return *trace;
}

std::optional<AgentTask> agent_task(const Id& result, std::vector<EntryText> entries, json::Text metadata,
                                    const std::optional<std::string>& launched_under) {
  const auto last = std::find_if(entries.rbegin(), entries.rend(), [](const EntryText& entry) {
    return entry.role == Role::tester &&
           (entry.type == EntryType::message || entry.type == EntryType::action);
  });
  if (last == entries.rend()) return std::nullopt;
  const Entry turn = parsed(*last);
  AgentTask task;
  task.result = result;
  task.trace = trace_of(result, turn.id, launched_under);
  task.turn = static_cast<std::uint32_t>(turn.turn);
  if (turn.type == EntryType::action) {
    task.action = action_of(turn);
  } else {
    task.message = turn.content.value_or("");
  }
  entries.erase(std::next(last).base());
  task.conversation = VisibleTexts(std::move(entries));
  task.metadata = std::move(metadata);
  return task;
}

AgentAnswer measured(AgentReply reply, std::int64_t duration_ms) {
  const json::Text time{R"({"responseTime":)" + std::to_string(duration_ms) + "}"};
  reply.metadata = merged(reply.metadata, time);
  if (json::is_beyond(reply.metadata, limits::metadata_bytes_max)) {
    return AgentFault{"too_large", "The metadata of the agent's message is beyond 100 KB."};
  }
  if (reply.message && reply.message->size() > limits::content_bytes_max) {
    return AgentFault{"too_large", "The agent's message is beyond 1 MiB."};
  }
  return reply;
}

}  // namespace parley::outbound
