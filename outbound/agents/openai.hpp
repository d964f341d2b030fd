#pragma once
/// OpenAI-compatible chat completions: one implementation for the agent under test, the tester and the judge
/// (D61, D70, D33). Pure; any thread.

#include <atomic>
#include <memory>
#include <span>

#include "model/values/chat.hpp"
#include "model/values/price_table.hpp"
#include "outbound/agents/agent_config.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

inline constexpr std::size_t model_body_bytes_max = 4 * 1024 * 1024;  ///< maximum size of one answer

/// What this process has learned about an endpoint. Any thread.
struct ChatHabits {
  /// It answered 400 or 422 to a response_format, so later calls omit it.
  std::atomic<bool> refuses_schema = false;
};

/// The path that is appended to the base URL of an endpoint.
inline constexpr std::string_view completions_path = "/chat/completions";

/// The location of a model and how to call it. Copies share what was learned.
struct ChatEndpoint {
  std::string url;  ///< the base URL that ends in /v1
  std::string model;
  std::string api_key = {};    ///< empty: no Authorization header
  json::Text parameters = {};  ///< overridden by the keys that the service sets itself
  json::Text tools{"[]"};      ///< raw tool definitions in addition to those of the request
  std::int64_t timeout_ms = model_timeout_ms;
  bool is_trusted = false;                             ///< given on the command line (D75)
  std::shared_ptr<const PriceTable> prices = nullptr;  ///< for answers that report tokens but no cost
  bool streams = false;                                ///< requests the answer as server-sent events
  std::shared_ptr<ChatHabits> habits = std::make_shared<ChatHabits>();
};

/// The secrets that stored texts from the endpoint's answers must not repeat (I67).
[[nodiscard]] Secrets secrets_of(const ChatEndpoint& endpoint);

/// Whether a 400 or 422 mentions response_format or json_schema, so that the endpoint does not support it.
[[nodiscard]] bool refuses_schema(const HttpAnswer& answer);

/// The keys of the request body that the service sets. An endpoint's parameters cannot change them.
[[nodiscard]] std::span<const std::string_view> reserved_parameters();

/// Fault: `invalid_secret` for a key that cannot be sent in a header.
[[nodiscard]] std::variant<HttpRequest, CallFault> chat_request(const ChatEndpoint& endpoint,
                                                                const ChatRequest& request);

/// Faults: bad_status, not_json, provider_error (a success that reports a failure, in the provider's text; an
/// `error` that is null, false, 0, empty or an object of nulls does not), wrong_shape, too_large. No fault
/// repeats a secret. Accepts any bytes (F21).
[[nodiscard]] std::variant<ChatAnswer, CallFault> read_chat(const HttpAnswer& answer,
                                                            const Secrets& secrets = {});

/// The conversation as the model of an OPENAI agent sees it. The tester's messages become the user's, the
/// chatbot's become the assistant's, and recorded tool calls become calls of the assistant with their recorded
/// results. Names are changed to ones that endpoints accept, and never equal the name of a different tool of
/// the config (FunctionNames).
[[nodiscard]] ChatRequest agent_chat(const OpenAiConfig& config, const AgentTask& task);
[[nodiscard]] std::variant<HttpRequest, AgentFault> openai_agent_request(const OpenAiConfig& config,
                                                                         const Secrets& secrets,
                                                                         const AgentTask& task);
/// Tool calls become tools `{name, metadata: {arguments, id}}`; a refusal becomes the agent's message. An
/// answer without content means that the agent says nothing.
[[nodiscard]] AgentAnswer read_openai_agent(const HttpAnswer& answer, const Secrets& secrets = {});

}  // namespace parley::outbound
