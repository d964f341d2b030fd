#include <algorithm>

#include "app/options/config.hpp"
#include "app/options/log_options.hpp"
#include "app/options/option_ways.hpp"
#include "app/options/prices_file.hpp"
#include "http/exchange/cors.hpp"
#include "http/protocol/client_address.hpp"
#include "http/protocol/field_grammar.hpp"
#include "model/json/json.hpp"
#include "model/text/uri_text.hpp"
#include "outbound/agents/openai.hpp"

namespace parley::app {
namespace {

constexpr std::int64_t body_bytes_min =
    1 << 10;  ///< a smaller limit would refuse requests that every client must send
constexpr std::int64_t map_bytes_min = 1 << 20;  ///< room for the tables and for what the first start writes
/// With 0, each result that is offered would fail or be offered again immediately.
constexpr std::int64_t time_to_start_ms_min = 1;

/// The service appends the path of its requests. A password is refused, because it would appear wherever the URL is
/// shown. An @ in the path is refused too: it is too rare to be distinguished.
Way model_url(std::string Config::*member, const std::string& key_variable) {
  Way way = url(member, "https://api.example.com/v1");
  way.set = [=, as_url = way.set](Config& config, const std::string& given) -> std::string {
    if (given.find('@') != std::string::npos)
      return "must not contain credentials; put the key in " + key_variable;
    if (std::string fault = as_url(config, given); !fault.empty()) return fault;
    if (!(config.*member).ends_with(outbound::completions_path)) return {};
    return "must be the base URL of the endpoint, such as https://api.example.com/v1: the service appends " +
           std::string(outbound::completions_path);
  };
  return way;
}

/// Refuses parameters that the service sets itself, as in an agent's config.
std::string fault_of_parameters(const std::string& given) {
  const auto parsed = json::parse(given, json::outside);
  if (!parsed || !parsed->root().is(json::Kind::object)) return "must be a JSON object";
  for (const std::string_view key : outbound::reserved_parameters()) {
    if (parsed->root().find(key))
      return "must not have the key " + std::string(key) + ": the service sets it";
  }
  return {};
}

/// The timeout of one attempt; it cannot usefully exceed the limit for agents.
Way model_timeout(std::int64_t Config::*member) {
  Way way = duration(member);
  way.set = [=](Config& config, const std::string& given) -> std::string {
    const std::int64_t ms = duration_ms(given);
    if (ms < 1 || ms > outbound::timeout_ms_max) return "must be a duration from 1ms to 10m";
    config.*member = ms;
    return {};
  };
  return way;
}

std::string fault_of_private_agents(const std::string& given) {
  if (given == "true" || given == "false" || networks_of(given)) return {};
  return "must be true, false, or networks such as 10.0.0.0/8,192.168.1.7/32";
}

std::optional<http::ListenAddress> listen_address_of(std::string_view given) {
  const auto colon = given.rfind(':');
  const auto port = colon == std::string_view::npos ? std::nullopt : quantity_of(given.substr(colon + 1));
  if (colon == 0 || !port || port->number > 65'535 || given.find_last_not_of("0123456789") != colon)
    return std::nullopt;
  return http::ListenAddress{std::string(given.substr(0, colon)), static_cast<std::uint16_t>(port->number)};
}

/// The first address is the one that is announced.
std::string set_listen(Config& config, const std::string& given) {
  std::vector<http::ListenAddress> addresses;
  for (const std::string_view each : http::list_elements(given)) {
    const auto address = listen_address_of(each);
    if (!address) return "must be HOST:PORT, such as 127.0.0.1:7410, or several separated by commas";
    addresses.push_back(*address);
  }
  if (addresses.empty()) return "must be HOST:PORT, such as 127.0.0.1:7410";
  config.host = addresses.front().host;
  config.port = addresses.front().port;
  config.other_addresses.assign(addresses.begin() + 1, addresses.end());
  return {};
}

std::string set_trusted_proxies(Config& config, const std::string& given) {
  std::vector<http::Network> networks;
  for (const std::string_view each : http::list_elements(given)) {
    const auto network = http::network_from_text(each);
    if (!network) return "must be addresses or networks such as 127.0.0.1,10.0.0.0/8";
    networks.push_back(*network);
  }
  config.trusted_proxies = std::move(networks);
  return {};
}

/// Whether every client sends the segment unchanged. Clients escape or resolve other segments before sending them
/// (RFC 3986).
bool is_plain_segment(std::string_view segment) {
  return !segment.empty() && segment != "." && segment != ".." &&
         std::all_of(segment.begin(), segment.end(), is_unreserved);
}

std::string fault_of_base_path(const std::string& given) {
  for (std::string_view rest = given; !rest.empty();) {
    const auto end = std::min(rest.find('/', 1), rest.size());
    if (rest.front() != '/' || !is_plain_segment(rest.substr(1, end - 1)))
      return "must be segments of letters, digits, - . _ ~, each after one /, such as /parley or /qa/parley";
    rest.remove_prefix(end);
  }
  return {};
}

std::string set_cors_origins(Config& config, const std::string& given) {
  std::vector<std::string> origins;
  for (const std::string_view each : http::list_elements(given)) {
    if (std::string fault = http::fault_of_origin(each); !fault.empty()) return fault;
    origins.emplace_back(each);
  }
  config.cors_origins = std::move(origins);
  return {};
}

std::string set_prices(Config& config, const std::string& given) {
  if (given.empty()) return "must be a file";
  auto prices = read_prices(given);
  if (!prices.ok()) return "cannot be used: " + prices.problem().detail;
  config.prices_file = given;
  config.prices = std::move(prices).value();
  return {};
}

std::vector<OptionRow> service_rows() {
  return {
      {"data", "DIR", "data directory", path(&Config::data, "directory")},
      {"listen",
       "HOST:PORT,...",
       "addresses to listen on",
       {set_listen, [](const Config& config) { return config.host + ":" + std::to_string(config.port); }}},
      {"base-path", "PATH", "prefix of every path, for a proxy that does not strip it",
       text(&Config::base_path, fault_of_base_path)},
      {"threads", "N", "threads of the actor pool; 0: one per core", number(&Config::threads, 0, 256)},
      {"http-threads", "N", "threads that serve connections; 0: one per core",
       number(&Config::http_threads, 0, 64)},
      {"fsync", "always|off", "always: sync each write to disk before it is acknowledged",
       either(&Config::fsync, "always", "off")},
      {"max-body", "BYTES", "largest request body", bytes(&Config::body_bytes_max, body_bytes_min)},
      {"max-turns", "N", "tester turns of a conversation without its own limit",
       number(&Config::turns_max, 1, 10'000)},
      {"stuck-after", "DURATION", "idle time after which a live result may be retried; 0: immediately",
       duration(&Config::stuck_after_ms)},
      {"rest-after", "DURATION", "idle time after which a run or result leaves memory; 0: immediately",
       duration(&Config::rest_after_ms)},
      {"local-lease", "DURATION", "how long a local runner may hold results that it has not started",
       duration(&Config::local_lease_ms, time_to_start_ms_min)},
      {"retention", "DURATION",
       "age at which finished runs, previews and external logs are deleted permanently, such as 90d; 0: "
       "never",
       duration(&Config::retention_ms)},
      {"audit", "on|off", "write the audit log", either(&Config::audit, "on", "off")},
      {"audit-retention", "DURATION",
       "age at which records of the audit log are removed, such as 365d; 0: never",
       duration(&Config::audit_retention_ms)},
      {"max-connections", "N", "maximum concurrent connections",
       number(&Config::connections_max, 1, 1'000'000)},
      {"key-rate", "N", "POST requests per second and key; 0: no limit",
       number(&Config::key_rate, 0, 1'000'000)},
      {"map-size", "BYTES", "maximum size of the data file", bytes(&Config::map_bytes, map_bytes_min)},
      {"disk-free-min", "BYTES", "writes are refused below this free disk space",
       bytes(&Config::disk_free_min, 0)},
      {"scoring", "on|paused", "paused: results wait for their verdicts",
       either(&Config::scoring_paused, "paused", "on")},
      {"scoring-threads", "N", "threads that score results; 0: one per two cores",
       number(&Config::scoring_threads, 0, 64)},
      {"driving", "on|paused", "paused: no agent, tester model or workflow is called for a run",
       either(&Config::driving_paused, "paused", "on")},
  };
}

/// Options for access and for the log.
std::vector<OptionRow> access_rows() {
  return {
      {"trusted-proxies",
       "CIDR,...",
       "proxies whose Forwarded or X-Forwarded-For field names the client; none by default",
       {set_trusted_proxies, [](const Config&) { return std::string(); }}},
      {"new-secrets-key", "true|false",
       "continue with a new master key if the old one is lost; sealed secrets stay unreadable",
       either(&Config::accepts_new_secrets_key, "true", "false")},
      {"new-admin-key", "true|false",
       "create another admin and key at this start, for when all admin keys are lost",
       either(&Config::makes_new_admin_key, "true", "false")},
      {"metrics-public", "true|false", "serve /metrics without a key",
       either(&Config::metrics_public, "true", "false")},
      {"cors-origins",
       "LIST",
       "origins whose pages may call from a browser, separated by commas, or *; none by default",
       {set_cors_origins, [](const Config&) { return std::string(); }}},
      {"log-file", "FILE", "file to append the log to, opened again at SIGHUP; standard error by default",
       path(&Config::log_file, "file")},
      {"log-format", "text|json", "format of the log", words(&Config::log_format, {"text", "json"})},
      {"log-level", "LEVEL", "trace, debug, info, warn or error",
       words(&Config::log_level, {"trace", "debug", "info", "warn", "error"})},
  };
}

/// Options for the conversations that the service drives, and for all outgoing calls.
std::vector<OptionRow> driving_rows() {
  return {
      {"max-concurrent-tests", "N", "concurrent conversations of a run without its own limit",
       number(&Config::tests_max, 1, 100'000)},
      {"max-conversations", "N", "concurrent server-driven conversations of all runs",
       number(&Config::conversations_max, 1, 100'000)},
      {"max-calls", "N", "concurrent calls to agents and models", number(&Config::calls_max, 1, 100'000)},
      {"outbound-threads", "N", "threads that carry these calls; 0: one per two cores",
       number(&Config::outbound_threads, 0, 64)},
      {"allow-private-agents", "true|false|CIDR,...",
       "allow agents with private addresses and plain http (true when listening on loopback)",
       text(&Config::private_agents, fault_of_private_agents)},
      {"tester", "auto|script|model", "who plays the tester: auto asks the model unless the test is a script",
       words(&Config::tester, {"auto", "script", "model"})},
      {"tester-url", "URL",
       "OpenAI-compatible endpoint of the tester, ending in /v1; its key is PARLEY_TESTER_API_KEY",
       model_url(&Config::tester_url, "PARLEY_TESTER_API_KEY")},
      {"tester-model", "NAME", "model that plays the tester", text(&Config::tester_model)},
      {"tester-parameters", "JSON",
       "additional members of its requests, such as {\"temperature\":0,\"max_tokens\":500}",
       text(&Config::tester_parameters, fault_of_parameters)},
      {"tester-timeout", "DURATION", "time-out of one attempt at a turn",
       model_timeout(&Config::tester_timeout_ms)},
      {"judge-url", "URL",
       "OpenAI-compatible endpoint of the judge, ending in /v1; its key is PARLEY_JUDGE_API_KEY",
       model_url(&Config::judge_url, "PARLEY_JUDGE_API_KEY")},
      {"judge-model", "NAME", "model that judges criteria assertions", text(&Config::judge_model)},
      {"judge-parameters", "JSON", "additional members of its requests",
       text(&Config::judge_parameters, fault_of_parameters)},
      {"judge-timeout", "DURATION", "time-out of one attempt at a verdict",
       model_timeout(&Config::judge_timeout_ms)},
      {"keep-answers", "true|false",
       "cache answers of the tester's and the judge's model and reuse them for the same question",
       either(&Config::keeps_answers, "true", "false")},
      {"prices",
       "FILE",
       "YAML file of USD per million tokens by model name or glob, for answers that report tokens and no "
       "cost",
       {set_prices, [](const Config& config) { return config.prices_file; }}},
      {"public-url", "URL", "URL at which workflows and runners reach this service (the listening address)",
       url(&Config::public_url, "https://parley.example.com")},
      {"ui-dir", "DIR", "serve the page from files on disk, for work on the page; only on loopback",
       path(&Config::ui_dir, "directory")},
      {"github-timeout", "DURATION", "time in which a workflow must start its results",
       duration(&Config::github_timeout_ms, time_to_start_ms_min)},
      {"otlp-endpoint", "URL",
       "OpenTelemetry collector that gets spans and verdicts of finished results (OTLP/HTTP); empty: none",
       url(&Config::otlp_endpoint, "http://127.0.0.1:4318")},
      {"webhook-give-up", "DURATION",
       "how long deliveries to a webhook may fail before the webhook is disabled",
       duration(&Config::webhook_give_up_ms, 1'000)},
      {"conversation-deadline", "DURATION",
       "how long a conversation may be driven without a pause; 0s: no limit",
       duration(&Config::conversation_ms)},
  };
}

}  // namespace

const std::vector<OptionRow>& option_rows() {
  static const std::vector<OptionRow> rows = [] {
    std::vector<OptionRow> all = service_rows();
    for (OptionRow& row : access_rows()) all.push_back(std::move(row));
    for (OptionRow& row : log_rows()) all.push_back(std::move(row));
    for (OptionRow& row : driving_rows()) all.push_back(std::move(row));
    return all;
  }();
  return rows;
}

}  // namespace parley::app
