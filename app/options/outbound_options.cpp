#include "app/options/outbound_options.hpp"

#include <algorithm>
#include <thread>

namespace parley::app {
namespace {

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host == "[::1]" || host.starts_with("127.");
}

struct ModelOptions {
  const std::string& url;
  const std::string& model;
  const std::string& parameters;
  std::int64_t timeout_ms;
  std::string key;
};

/// The key that a command gave, or else the key in the environment.
std::string key_of(const std::optional<std::string>& given, const char* variable) {
  return given ? *given : environment_value(variable).value_or("");
}

/// The model endpoint of a role; nullopt if the role has none.
std::optional<outbound::ChatEndpoint> endpoint_of(const ModelOptions& options) {
  if (options.url.empty()) return std::nullopt;
  outbound::ChatEndpoint endpoint{options.url, options.model};
  endpoint.api_key = options.key;
  endpoint.parameters = {options.parameters};
  endpoint.timeout_ms = options.timeout_ms;
  endpoint.is_trusted = true;
  return endpoint;
}

/// The number of threads for work that shares the cores with other, equally large work.
std::size_t half_of_cores_unless(std::size_t given) {
  return given != 0 ? given : std::max(std::thread::hardware_concurrency() / 2, 1U);
}

std::string public_url_of(const Config& config) {
  if (!config.public_url.empty()) return config.public_url;
  const bool is_bare_v6 = config.host.find(':') != std::string::npos && !config.host.starts_with('[');
  const std::string host = is_bare_v6 ? "[" + config.host + "]" : config.host;
  return "http://" + host + ":" + std::to_string(config.port) + config.base_path;
}

}  // namespace

Expected<Place> place_of(Config config) {
  TRY(host, http::numeric_host(config.host));
  http::HeldPort held;
  if (config.port == 0) {
    TRY(free, http::free_port(host));
    held = std::move(free);
    config.port = held.number;
  }
  config.public_url = public_url_of(config);
  config.host = host;
  for (http::ListenAddress& other : config.other_addresses) {
    TRY(numeric, http::numeric_host(other.host));
    other.host = numeric;
  }
  return Place{std::move(config), std::move(held)};
}

bool plays_by_model(const Config& config) {
  return !config.tester_url.empty() && config.tester != "script";
}

bool listens_on_loopback(const Config& config) {
  return is_loopback(config.host) &&
         std::all_of(config.other_addresses.begin(), config.other_addresses.end(),
                     [](const http::ListenAddress& other) { return is_loopback(other.host); });
}

outbound::Guard guard_of(const Config& config) {
  outbound::Guard guard;
  guard.allows_private =
      config.private_agents == "true" || (config.private_agents.empty() && listens_on_loopback(config));
  if (const auto networks = networks_of(config.private_agents)) guard.allowed = *networks;
  return guard;
}

outbound::CallLimits call_limits_of(const Config& config) {
  outbound::CallLimits limits;
  limits.threads = half_of_cores_unless(config.outbound_threads);
  limits.calls_max = config.calls_max;
  limits.calls_per_origin_max = config.calls_max;
  // Calls of conversations and questions to the judge are bounded earlier; they wait and never fail for lack of room.
  // The remaining room is for calls that a request makes.
  limits.waiting_max = std::max(limits.waiting_max, 2 * config.calls_max) +
                       static_cast<std::size_t>(config.conversations_max) + limits::judge_questions_max;
  return limits;
}

actors::Settings settings_of(const Config& config) {
  actors::Settings settings;
  settings.turns_max = config.turns_max;
  settings.stuck_after_ms = config.stuck_after_ms;
  settings.rest_after_ms = config.rest_after_ms;
  settings.scoring_paused = config.scoring_paused;
  settings.scoring_threads = half_of_cores_unless(config.scoring_threads);
  settings.driving_paused = config.driving_paused;
  settings.retention_ms = config.retention_ms;
  settings.tests_max = config.tests_max;
  settings.conversations_max = config.conversations_max;
  settings.github_timeout_ms = config.github_timeout_ms;
  settings.webhook_give_up_ms = config.webhook_give_up_ms;
  settings.conversation_ms = config.conversation_ms;
  settings.public_url = config.public_url;
  settings.tester_model =
      endpoint_of({config.tester_url, config.tester_model, config.tester_parameters, config.tester_timeout_ms,
                   key_of(config.tester_key, "PARLEY_TESTER_API_KEY")});
  settings.judge_model =
      endpoint_of({config.judge_url, config.judge_model, config.judge_parameters, config.judge_timeout_ms,
                   key_of(config.judge_key, "PARLEY_JUDGE_API_KEY")});
  settings.keeps_answers = config.keeps_answers;
  settings.prices = config.prices;
  for (auto* model : {&settings.tester_model, &settings.judge_model}) {
    if (*model) (*model)->prices = config.prices;
  }
  if (config.tester == "script") settings.tester = actors::TesterMode::script;
  if (config.tester == "model") settings.tester = actors::TesterMode::model;
  return settings;
}

actors::OutboundPort outside_of(outbound::HttpClient& client) {
  return outside_by([&client] { return &client; });
}

}  // namespace parley::app
