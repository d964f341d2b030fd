#pragma once
/// One exchange with an agent under test: the message to it, its answer, or why there is no answer. Plain
/// values that every agent type shares (D70, D71); any thread.

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
  VisibleTexts conversation;  ///< the other visible entries in order; the turn itself is not among them
  json::Text metadata;        ///< of the result
  json::Text
      fields;  ///< values of the test's and the scenario's custom fields, where a template asks for one
  std::optional<TraceParent> trace = std::nullopt;  ///< sent with the call (W3C Trace Context)
  std::optional<std::int64_t> seed = std::nullopt;  ///< of the run, for a model (D103)
  bool operator==(const AgentTask&) const = default;
};

/// The task that the last tester turn among `entries` (in the order of the conversation) starts; nullopt without a tester turn.
/// `launched_under`: the traceparent of the request that created the result.
[[nodiscard]] std::optional<AgentTask> agent_task(
    const Id& result, std::vector<EntryText> entries, json::Text metadata,
    const std::optional<std::string>& launched_under = std::nullopt);

/// The trace of the call that answers `turn`: the one that the result was launched under, else one whose id
/// is the result's. Nothing in it is random, so that every attempt of a turn is the same request (ADR 9).
[[nodiscard]] TraceParent trace_of(const Id& result, const Id& turn,
                                   const std::optional<std::string>& launched_under);

struct AgentTool {
  std::string name;
  json::Text metadata;
  bool operator==(const AgentTool&) const = default;
};
/// `metadata.actions` may register actions: the code that records the event checks them
/// (tester::actions_of_events).
struct AgentEvent {
  std::string name;
  bool is_public = false;
  json::Text metadata;
  bool operator==(const AgentEvent&) const = default;
};

/// The agent's turn: tool calls, events, then the message. Sizes are within the bounds of entries.
struct AgentReply {
  std::optional<std::string> message;  ///< absent: the agent sent none, which is recorded as an empty message
  std::vector<AgentTool> tools;
  std::vector<AgentEvent> events;
  json::Text metadata;  ///< of the message, with responseTime and, if known, model, tokens and cost
  bool ends = false;
  bool operator==(const AgentReply&) const = default;
};

/// codes: see docs/agents.md.
using AgentFault = CallFault;
using AgentAnswer = std::variant<AgentReply, AgentFault>;

/// The reply with the measurements merged into its metadata: responseTime (D71). A fault `too_large` if metadata or
/// message are beyond the bounds of an entry.
[[nodiscard]] AgentAnswer measured(AgentReply reply, std::int64_t duration_ms);

/// Tool calls and events of one reply: more are a loop and not a turn.
inline constexpr std::size_t reply_entries_max = 1'000;

}  // namespace parley::outbound
