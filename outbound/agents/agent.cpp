#include "outbound/agents/agent.hpp"

#include <memory>
#include <type_traits>
#include <utility>

#include "outbound/agents/agent_config.hpp"
#include "outbound/agents/demo_agent.hpp"
#include "outbound/agents/http_agent.hpp"
#include "outbound/agents/http_answer.hpp"
#include "outbound/agents/openai.hpp"
#include "outbound/agents/request.hpp"
#include "outbound/redaction/reply_redaction.hpp"

namespace parley::outbound {
namespace {

template <class Config>
AgentStep call(std::variant<Config, AgentFault> config, const Secrets& secrets, const AgentTask& task,
               std::variant<HttpRequest, AgentFault> (*request_of)(const Config&, const Secrets&,
                                                                   const AgentTask&)) {
  if (auto* fault = std::get_if<AgentFault>(&config)) return std::move(*fault);
  Config& read = std::get<Config>(config);
  auto request = request_of(read, secrets, task);
  if (auto* fault = std::get_if<AgentFault>(&request)) return std::move(*fault);
  AgentCall made{std::get<HttpRequest>(std::move(request)), agent_retries(read.retries)};
  // A value that the agent's owner set is kept.
  if (task.trace && !has_field(made.request.fields, "traceparent")) {
    made.request.fields.emplace_back("traceparent", task.trace->text());
  }
  if constexpr (std::is_same_v<Config, HttpConfig>)
    made.config = std::make_shared<const HttpConfig>(std::move(read));
  return made;
}

/// An agent may repeat what it was sent. Its answer is recorded, shown, and sent to the tester and the judge (I67).
AgentAnswer reply_without_secrets(AgentReply reply, const Secrets& secrets) {
  const ReplyRedaction mask(secrets);
  if (mask.empty()) return reply;
  if (reply.message) mask.hide(*reply.message);
  bool is_json = mask.hide(reply.metadata);
  for (AgentTool& tool : reply.tools) {
    mask.hide(tool.name);
    is_json = mask.hide(tool.metadata) && is_json;
  }
  for (AgentEvent& event : reply.events) {
    mask.hide(event.name);
    is_json = mask.hide(event.metadata) && is_json;
  }
  if (is_json) return reply;
  return AgentFault{"wrong_shape",
                    "After redaction of the agent's secrets, the metadata is no longer valid JSON."};
}

/// A client may have changed the agent's type since the conversation began.
AgentFault never_called(const Agent& agent) {
  return {"invalid_config",
          "the agent has the type '" + agent.type + "' now, which the service does not call"};
}

/// The token of a call is a secret, like the agent's own secrets.
Secrets secrets_with_token(const Secrets& own, const HttpAnswer& answer) {
  Secrets all = own;
  if (!answer.token.empty()) all.insert_or_assign(" token", answer.token);
  return all;
}

AgentAnswer read(const Agent& agent, const HttpAnswer& answer, const Secrets& secrets,
                 const HttpConfig* known) {
  if (agent.type == "OPENAI") return read_openai_agent(answer, secrets);
  if (known != nullptr) return read_http_agent(*known, answer, secrets);
  const auto config = http_config(agent.config);
  if (const auto* fault = std::get_if<AgentFault>(&config)) return *fault;
  return read_http_agent(std::get<HttpConfig>(config), answer, secrets);
}

}  // namespace

AgentStep begin_turn(const Agent& agent, const Secrets& secrets, const AgentTask& task) {
  if (!is_server_driven(agent.type)) return never_called(agent);
  if (agent.type == "HTTP") return call(http_config(agent.config), secrets, task, http_agent_request);
  if (agent.type == "OPENAI") return call(openai_config(agent.config), secrets, task, openai_agent_request);
  return demo_reply(task);
}

AgentAnswer finish_turn(const Agent& agent, const HttpAnswer& answer, const Secrets& own,
                        const HttpConfig* config) {
  if (!is_server_driven(agent.type)) return never_called(agent);
  const Secrets secrets = secrets_with_token(own, answer);
  auto answered = read(agent, answer, secrets, config);
  if (auto* reply = std::get_if<AgentReply>(&answered))
    return reply_without_secrets(std::move(*reply), secrets);
  return answered;
}

}  // namespace parley::outbound
