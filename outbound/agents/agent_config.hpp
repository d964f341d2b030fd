#pragma once
/// The config of each agent type. Its fields are declared once (D70, D71, D72): they are used to check request
/// bodies and to make calls. Unknown keys are kept as given. Pure; any thread.

#include "model/description/record_parse.hpp"
#include "model/records/agent.hpp"
#include "outbound/agents/agent_turn.hpp"

namespace parley::outbound {

inline constexpr std::int64_t timeout_ms_default = 30'000;
inline constexpr std::int64_t model_timeout_ms = 120'000;  ///< models think before they send the first byte
inline constexpr std::int64_t timeout_ms_max = 600'000;    ///< ten minutes
inline constexpr std::int64_t retries_max = 10;            ///< an agent that needs more is down
inline constexpr std::size_t headers_max = 64;
inline constexpr std::size_t url_bytes_max = 4'096;

/// Rules that several configs share.
inline constexpr Rules needed_text{.required = true, .bytes_max = url_bytes_max, .never_empty = true};
inline constexpr Rules timeout_rules{.least = 1, .most = timeout_ms_max};
inline constexpr Rules retries_rules{.least = 0, .most = retries_max};

enum class AgentMethod : std::uint8_t { post, put };

}  // namespace parley::outbound

namespace parley {
template <>
struct Words<outbound::AgentMethod> {
  static constexpr std::array<std::string_view, 2> all{"POST", "PUT"};
};
}  // namespace parley

namespace parley::outbound {

/// OAuth 2 client credentials; the secret is `clientSecret`.
struct OAuthConfig {
  std::string token_url;
  std::string client_id;
  std::optional<std::string> scope;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("tokenUrl", self.token_url, needed_text, "The token endpoint.");
    v.field("clientId", self.client_id, needed_text, "The OAuth client id.");
    v.field("scope", self.scope, Rules{.bytes_max = url_bytes_max},
            "The requested scopes, separated by spaces.");
  }
};
inline constexpr std::string_view client_secret_name = "clientSecret";

struct HttpConfig {
  std::string url;
  AgentMethod method = AgentMethod::post;
  json::Text headers;
  json::Text query;
  std::optional<json::Text> request;
  std::optional<json::Text> reply;
  bool stream = false;
  std::optional<OAuthConfig> oauth;
  std::int64_t timeout_ms = timeout_ms_default;
  std::int64_t retries = 0;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("url", self.url, needed_text, "The URL that receives each turn.");
    v.field("method", self.method, Rules{}, "How it is sent.");
    v.field("headers", self.headers, Rules{}, "Sent with each call.");
    v.field("query", self.query, Rules{}, "Parameters added to the URL; texts may have placeholders.");
    v.field("request", self.request, Rules{.shape = Shape::any},
            "The body in the agent's own format, with placeholders such as {{message}}.");
    v.field("reply", self.reply, Rules{.shape = Shape::any},
            "Where the parts of the answer are: an object of JSON Pointers, or \"text\".");
    v.field("stream", self.stream, Rules{}, "Ask for server-sent events.");
    v.field("oauth", self.oauth, Rules{}, "How to get the token that is sent with each call.");
    v.field("timeoutMs", self.timeout_ms, timeout_rules,
            "For one attempt, from connecting to the last byte.");
    v.field("retries", self.retries, retries_rules, "Repeats after the first attempt.");
  }
};

struct OpenAiConfig {
  std::string url;
  std::string model;
  std::optional<std::string> system;
  json::Text parameters;
  json::Text tools{"[]"};
  bool stream = false;
  std::optional<OAuthConfig> oauth;
  std::int64_t timeout_ms = model_timeout_ms;
  std::int64_t retries = 0;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("url", self.url, needed_text, "Base of the endpoint, ends in /v1.");
    v.field("model", self.model, needed_text, "Name of the model.");
    v.field("system", self.system, Rules{.bytes_max = limits::instruction_bytes_max},
            "System message of the chatbot.");
    v.field("parameters", self.parameters, Rules{}, "More keys of the request, such as temperature.");
    v.field("tools", self.tools, Rules{.shape = Shape::array},
            "Tool definitions as the endpoint takes them.");
    v.field("stream", self.stream, Rules{}, "Ask for server-sent events.");
    v.field("oauth", self.oauth, Rules{}, "How to get the token that is sent with each call.");
    v.field("timeoutMs", self.timeout_ms, timeout_rules,
            "For one attempt, from connecting to the last byte.");
    v.field("retries", self.retries, retries_rules, "Repeats after the first attempt.");
  }
};

struct GithubConfig {
  std::string owner;
  std::string repo;
  std::string workflow;
  std::string ref;
  std::string api_url = "https://api.github.com";

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("owner", self.owner, needed_text, "User or organization.");
    v.field("repo", self.repo, needed_text, "Repository.");
    v.field("workflow", self.workflow, needed_text, "File name or number of the workflow.");
    v.field("ref", self.ref, needed_text, "Branch or tag that it runs on.");
    v.field("apiUrl", self.api_url, Rules{.bytes_max = url_bytes_max, .never_empty = true},
            "The API of a GitHub Enterprise server.");
  }
};

/// Calls `with` with an empty config of the type. Does nothing for a type with a free-form config.
template <class With>
void with_config_of(std::string_view type, With&& with) {
  if (type == "HTTP") with(HttpConfig{});
  if (type == "OPENAI") with(OpenAiConfig{});
  if (type == "GITHUB") with(GithubConfig{});
}

/// Adds a fault for an unknown type and for every key of `/config` that is missing or invalid. With `Prefer:
/// handling=strict`, also adds a fault for every key that the type does not know.
void check_agent_config(const Agent& agent, Findings& findings);

/// Parses the config; fault: `invalid_config` for a config that would not pass the check.
[[nodiscard]] std::variant<HttpConfig, AgentFault> http_config(const json::Text& config);
[[nodiscard]] std::variant<OpenAiConfig, AgentFault> openai_config(const json::Text& config);
[[nodiscard]] std::variant<GithubConfig, AgentFault> github_config(const json::Text& config);

}  // namespace parley::outbound
