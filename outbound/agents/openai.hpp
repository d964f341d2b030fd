#pragma once
/// OpenAI-compatible chat completions: one way to ask for the agent under test, the tester and the judge (D61, D70, D33).
/// Pure; any thread.

#include <atomic>
#include <memory>
#include <span>

#include "model/values/chat.hpp"
#include "model/values/price_table.hpp"
#include "outbound/agents/agent_config.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

inline constexpr std::size_t model_body_bytes_max = 4 * 1024 * 1024;  ///< of one answer

/// What is learnt of an endpoint while the process runs. Any thread.
struct ChatHabits {
  std::atomic<bool> refuses_schema =
      false;  ///< it answered 400 or 422 to a response_format: asked without from then on
};

/// The path that is appended to the base of an endpoint.
inline constexpr std::string_view completions_path = "/chat/completions";

/// Where a model is and how it is asked. Copies share what is learnt.
struct ChatEndpoint {
  std::string url;  ///< the base that ends in /v1
  std::string model;
  std::string api_key = {};    ///< empty: no Authorization
  json::Text parameters = {};  ///< laid under the keys that the service sets itself
  json::Text tools{"[]"};      ///< raw tool definitions besides those of the request
  std::int64_t timeout_ms = model_timeout_ms;
  bool is_trusted = false;                             ///< given on the command line (D75)
  std::shared_ptr<const PriceTable> prices = nullptr;  ///< for answers that report tokens and no cost
  bool streams = false;                                ///< the answer is asked for as server-sent events
  std::shared_ptr<ChatHabits> habits = std::make_shared<ChatHabits>();
};

/// What no word that is kept of the endpoint's answers may repeat (I67).
[[nodiscard]] Secrets secrets_of(const ChatEndpoint& endpoint);

/// True for a 400 or 422 whose words name response_format or json_schema: the endpoint knows no such thing.
[[nodiscard]] bool refuses_schema(const HttpAnswer& answer);

/// Keys of the request body that the service sets: an endpoint's parameters cannot change them.
[[nodiscard]] std::span<const std::string_view> reserved_parameters();

/// Fault: `invalid_secret` for a key that no header can carry.
[[nodiscard]] std::variant<HttpRequest, CallFault> chat_request(const ChatEndpoint& endpoint,
                                                                const ChatRequest& request);

/// Faults: bad_status, not_json, provider_error (a success that reports a failure, in the provider's words;
/// an `error` that is null, false, 0, empty or an object of nulls reports none), wrong_shape, too_large; none
/// repeats a secret. Accepts any bytes (F21).
[[nodiscard]] std::variant<ChatAnswer, CallFault> read_chat(const HttpAnswer& answer,
                                                            const Secrets& secrets = {});

/// An OPENAI agent: the conversation as its model sees it. The tester's messages are the user's, the
/// chatbot's the assistant's, and recorded tool calls are calls of the assistant with their recorded results.
/// Names are written as endpoints accept them, and never as a tool of the config that they are not
/// (FunctionNames).
[[nodiscard]] ChatRequest agent_chat(const OpenAiConfig& config, const AgentTask& task);
[[nodiscard]] std::variant<HttpRequest, AgentFault> openai_agent_request(const OpenAiConfig& config,
                                                                         const Secrets& secrets,
                                                                         const AgentTask& task);
/// Tool calls become tools `{name, metadata: {arguments, id}}`; a refusal is what the agent said. A message without any
/// content is an agent that says nothing.
[[nodiscard]] AgentAnswer read_openai_agent(const HttpAnswer& answer, const Secrets& secrets = {});

}  // namespace parley::outbound
