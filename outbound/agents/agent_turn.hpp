#pragma once
/// One exchange with an agent under test: the message to it, and its answer or the reason why there is no
/// answer. Plain values that all agent types share (D70, D71); any thread.

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/records/visible_entries.hpp"
#include "model/text/trace_parent.hpp"
#include "model/values/chat.hpp"
#include "outbound/redaction/redaction.hpp"

namespace parley::outbound {

struct AgentAction {
  std::string name;
  json::Text arguments;
  bool operator==(const AgentAction&) const = default;
};

/// A tester turn that an agent must answer. Exactly one of `message` and `action` is set.
struct AgentTask {
  Id result;
  std::uint32_t turn = 0;
  std::optional<std::string> message;
  std::optional<AgentAction> action;
  VisibleTexts conversation;  ///< the other visible entries in order, without the turn itself
  json::Text metadata;        ///< metadata of the result
  json::Text
      fields;  ///< values of the custom fields of the test and the scenario, for templates that use them
  std::optional<TraceParent> trace = std::nullopt;  ///< sent with the call (W3C Trace Context)
  std::optional<std::int64_t> seed = std::nullopt;  ///< seed of the run, for a model (D103)
  bool operator==(const AgentTask&) const = default;
};

/// The task of the last tester turn among `entries` (in the order of the conversation); nullopt without a
/// tester turn. `launched_under`: the traceparent of the request that created the result.
[[nodiscard]] std::optional<AgentTask> agent_task(
    const Id& result, std::vector<EntryText> entries, json::Text metadata,
    const std::optional<std::string>& launched_under = std::nullopt);

/// The trace of the call that answers `turn`: the trace that the result was launched under, else one whose id
/// is the result's. Nothing in it is random, so that every attempt of a turn sends the same request (ADR 9).
[[nodiscard]] TraceParent trace_of(const Id& result, const Id& turn,
                                   const std::optional<std::string>& launched_under);

struct AgentTool {
  std::string name;
  json::Text metadata;
  bool operator==(const AgentTool&) const = default;
};
/// `metadata.actions` may register actions. The code that records the event checks them (tester::actions_of_events).
struct AgentEvent {
  std::string name;
  bool is_public = false;
  json::Text metadata;
  bool operator==(const AgentEvent&) const = default;
};

/// The agent's turn: tool calls, events, then the message. All sizes are within the limits of entries.
struct AgentReply {
  std::optional<std::string> message;  ///< absent: no message was sent; recorded as an empty message
  std::vector<AgentTool> tools;
  std::vector<AgentEvent> events;
  json::Text metadata;  ///< metadata of the message, with responseTime and, if known, model, tokens and cost
  bool ends = false;
  bool operator==(const AgentReply&) const = default;
};

/// For the codes, see docs/agents.md.
using AgentFault = CallFault;
using AgentAnswer = std::variant<AgentReply, AgentFault>;

/// Merges the measured responseTime into the metadata of the reply (D71). Fault: `too_large` if metadata or
/// message are beyond the limits of an entry.
[[nodiscard]] AgentAnswer measured(AgentReply reply, std::int64_t duration_ms);

/// The maximum number of tool calls and events in one reply: more are a loop, not a turn.
inline constexpr std::size_t reply_entries_max = 1'000;

}  // namespace parley::outbound
