#include "app/config.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "http/cors.hpp"
#include "http/grammar.hpp"
#include "model/json.hpp"
#include "outbound/address.hpp"
#include "outbound/openai.hpp"

namespace parley::app {
namespace {

std::int64_t whole(std::string_view text, std::string_view& rest) {
  std::int64_t value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value < 0) return -1;
  rest = text.substr(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// A setter for a whole number in [least, most].
template <class Number>
auto number(Number Config::*member, std::int64_t least, std::int64_t most) {
  return [=](Config& config, const std::string& text) -> std::string {
    std::string_view rest;
    const std::int64_t value = whole(text, rest);
    if (!rest.empty() || value < least || value > most) {
      return "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    }
    config.*member = static_cast<Number>(value);
    return {};
  };
}

auto duration(std::int64_t Config::*member) {
  return [=](Config& config, const std::string& text) -> std::string {
    const std::int64_t ms = duration_ms(text);
    if (ms < 0) return "must be a duration such as 250ms, 60s, 10m, 24h or 7d";
    config.*member = ms;
    return {};
  };
}

template <class Number>
auto bytes(Number Config::*member) {
  return [=](Config& config, const std::string& text) -> std::string {
    const std::int64_t count = byte_count(text);
    if (count < 0) return "must be a number of bytes such as 1048576, 512KiB, 8MiB or 64GiB";
    config.*member = static_cast<Number>(count);
    return {};
  };
}

/// A setter for a flag that is one of two words.
auto either(bool Config::*member, std::string on, std::string off) {
  return [=](Config& config, const std::string& text) -> std::string {
    if (text != on && text != off) return "must be " + on + " or " + off;
    config.*member = text == on;
    return {};
  };
}

auto words(std::string Config::*member, std::vector<std::string> allowed) {
  return [=](Config& config, const std::string& text) -> std::string {
    if (std::find(allowed.begin(), allowed.end(), text) == allowed.end()) {
      std::string fault = "must be one of";
      for (const std::string& word : allowed) fault += " " + word;
      return fault;
    }
    config.*member = text;
    return {};
  };
}

auto text(std::string Config::*member) {
  return [=](Config& config, const std::string& given) -> std::string {
    config.*member = given;
    return {};
  };
}

auto model_url(std::string Config::*member) {
  return [=](Config& config, const std::string& given) -> std::string {
    const bool is_url = given.starts_with("http://") || given.starts_with("https://");
    if (!given.empty() && !is_url) return "must be a URL such as https://api.example.com/v1";
    config.*member = given;
    while (!(config.*member).empty() && (config.*member).back() == '/') (config.*member).pop_back();
    return {};
  };
}

/// Keys that the service sets itself are refused, as in an agent's config.
auto model_parameters(std::string Config::*member) {
  return [=](Config& config, const std::string& given) -> std::string {
    const auto parsed = json::parse(given, json::outside);
    if (!parsed || !parsed->root().is(json::Kind::object)) return "must be a JSON object";
    for (const std::string_view key : outbound::reserved_parameters()) {
      if (parsed->root().find(key))
        return "must not have the key " + std::string(key) + ": the service sets it";
    }
    config.*member = given;
    return {};
  };
}

/// Of one attempt; more than an agent may take is no time-out any more.
auto model_timeout(std::int64_t Config::*member) {
  return [=](Config& config, const std::string& text) -> std::string {
    const std::int64_t ms = duration_ms(text);
    if (ms < 1 || ms > outbound::timeout_ms_max) return "must be a duration from 1ms to 10m";
    config.*member = ms;
    return {};
  };
}

std::string set_private_agents(Config& config, const std::string& given) {
  if (given != "true" && given != "false" && !networks_of(given)) {
    return "must be true, false, or networks such as 10.0.0.0/8,192.168.1.7/32";
  }
  config.private_agents = given;
  return {};
}

std::string set_listen(Config& config, const std::string& text) {
  const auto colon = text.rfind(':');
  std::string_view rest;
  const std::int64_t port =
      colon == std::string::npos ? -1 : whole(std::string_view(text).substr(colon + 1), rest);
  if (colon == 0 || port < 0 || port > 65'535 || !rest.empty())
    return "must be HOST:PORT, such as 127.0.0.1:7410";
  config.host = text.substr(0, colon);
  config.port = static_cast<std::uint16_t>(port);
  return {};
}

std::string set_data(Config& config, const std::string& text) {
  if (text.empty()) return "must be a directory";
  config.data = text;
  return {};
}

std::string set_base_path(Config& config, const std::string& text) {
  if (!text.empty() && (text.front() != '/' || text.back() == '/'))
    return "must begin with / and not end with one";
  config.base_path = text;
  return {};
}

std::string set_cors_origins(Config& config, const std::string& text) {
  std::vector<std::string> origins;
  for (const std::string_view each : http::list_elements(text)) {
    if (std::string fault = http::fault_of_origin(each); !fault.empty()) return fault;
    origins.emplace_back(each);
  }
  config.cors_origins = std::move(origins);
  return {};
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::vector<OptionRow> service_rows() {
  return {
      {"data", "DIR", "data directory (./parley-data)", set_data},
      {"listen", "HOST:PORT", "address to listen on (127.0.0.1:7410)", set_listen},
      {"base-path", "PATH", "prefix of every path, for a proxy that keeps it", set_base_path},
      {"threads", "N", "threads of the actor pool (one a core)", number(&Config::threads, 0, 256)},
      {"http-threads", "N", "threads that serve connections (one a core)",
       number(&Config::http_threads, 0, 64)},
      {"fsync", "always|off", "whether a write is on disk before it is acknowledged (always)",
       either(&Config::fsync, "always", "off")},
      {"max-body", "BYTES", "largest request body (8MiB)", bytes(&Config::body_bytes_max)},
      {"max-turns", "N", "tester turns of a conversation that sets no own limit (30)",
       number(&Config::turns_max, 1, 10'000)},
      {"stuck-after", "DURATION", "idle time after which a live result may be retried (10m)",
       duration(&Config::stuck_after_ms)},
      {"rest-after", "DURATION", "idle time after which a run or result leaves memory (30s)",
       duration(&Config::rest_after_ms)},
      {"local-lease", "DURATION",
       "how long a local runner holds results that it was offered and has not started (60s)",
       duration(&Config::local_lease_ms)},
      {"retention", "DURATION",
       "age at which finished runs, previews and external logs are deleted for good, such as 90d (0: never)",
       duration(&Config::retention_ms)},
      {"audit", "on|off", "whether the audit log is written (off)", either(&Config::audit, "on", "off")},
      {"audit-retention", "DURATION",
       "age at which records of the audit log are let go, such as 365d (0: never)",
       duration(&Config::audit_retention_ms)},
      {"max-connections", "N", "connections at once (12000)", number(&Config::connections_max, 1, 1'000'000)},
      {"key-rate", "N", "POST requests that one key may send in a second (0: no limit)",
       number(&Config::key_rate, 0, 1'000'000)},
      {"map-size", "BYTES", "most that the data file can grow to (64GiB)", bytes(&Config::map_bytes)},
      {"disk-free-min", "BYTES", "free disk space under which writes are refused (64MiB)",
       bytes(&Config::disk_free_min)},
      {"scoring", "on|paused", "paused: claims are made and verdicts wait (on)",
       either(&Config::scoring_paused, "paused", "on")},
      {"metrics-public", "true|false", "whether /metrics needs no key (false)",
       either(&Config::metrics_public, "true", "false")},
      {"cors-origins", "LIST",
       "origins whose pages may call from a browser, with commas between, or * (none)", set_cors_origins},
      {"log-format", "text|json", "form of the log (text)", words(&Config::log_format, {"text", "json"})},
      {"log-level", "LEVEL", "trace, debug, info, warn or error (info)",
       words(&Config::log_level, {"trace", "debug", "info", "warn", "error"})},
  };
}

/// Options of the conversations that the service drives, and of everything that calls out.
std::vector<OptionRow> driving_rows() {
  return {
      {"max-concurrent-tests", "N", "conversations at once in a run that sets no own cap (100)",
       number(&Config::tests_max, 1, 100'000)},
      {"max-conversations", "N", "server-driven conversations at once, in all runs (10000)",
       number(&Config::conversations_max, 1, 100'000)},
      {"max-calls", "N", "calls to agents and models at once (10000)",
       number(&Config::calls_max, 1, 100'000)},
      {"allow-private-agents", "true|false|CIDR,...",
       "whether agents may have private addresses and plain http (true when listening on loopback)",
       set_private_agents},
      {"tester", "auto|script|model",
       "who plays the tester: auto asks the model unless the test is a script (auto)",
       words(&Config::tester, {"auto", "script", "model"})},
      {"tester-url", "URL",
       "OpenAI-compatible endpoint of the tester, ends in /v1; key in PARLEY_TESTER_API_KEY",
       model_url(&Config::tester_url)},
      {"tester-model", "NAME", "model that plays the tester", text(&Config::tester_model)},
      {"tester-parameters", "JSON",
       "more keys of its requests, such as {\"temperature\":0,\"max_tokens\":500}",
       model_parameters(&Config::tester_parameters)},
      {"tester-timeout", "DURATION", "for one attempt at its turn (2m)",
       model_timeout(&Config::tester_timeout_ms)},
      {"judge-url", "URL",
       "OpenAI-compatible endpoint of the judge, ends in /v1; key in PARLEY_JUDGE_API_KEY",
       model_url(&Config::judge_url)},
      {"judge-model", "NAME", "model that judges criteria assertions", text(&Config::judge_model)},
      {"judge-parameters", "JSON", "more keys of its requests", model_parameters(&Config::judge_parameters)},
      {"judge-timeout", "DURATION", "for one attempt at a verdict (2m)",
       model_timeout(&Config::judge_timeout_ms)},
      {"keep-answers", "true|false",
       "whether answers of the tester's and the judge's model are kept and given again for the same question "
       "(false)",
       either(&Config::keeps_answers, "true", "false")},
      {"new-secrets-key", "true|false",
       "whether to go on where the master key of the secrets is lost: what it sealed stays unreadable "
       "(false)",
       either(&Config::takes_new_secrets_key, "true", "false")},
      {"public-url", "URL", "where workflows and runners reach this service (the address it listens on)",
       text(&Config::public_url)},
      {"github-timeout", "DURATION", "how long a workflow may take to start its results (1h)",
       duration(&Config::github_timeout_ms)},
      {"conversation-deadline", "DURATION",
       "how long a conversation may be driven at a stretch; 0s: without end (30m)",
       duration(&Config::conversation_ms)},
  };
}

}  // namespace

const std::vector<OptionRow>& option_rows() {
  static const std::vector<OptionRow> rows = [] {
    std::vector<OptionRow> all = service_rows();
    for (OptionRow& row : driving_rows()) all.push_back(std::move(row));
    return all;
  }();
  return rows;
}

std::optional<std::vector<outbound::Cidr>> networks_of(std::string_view text) {
  std::vector<outbound::Cidr> networks;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    const auto network = outbound::cidr_from_text(text.substr(0, comma));
    if (!network) return std::nullopt;
    networks.push_back(*network);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  if (networks.empty()) return std::nullopt;
  return networks;
}

std::int64_t duration_ms(std::string_view text) {
  std::string_view unit;
  const std::int64_t value = whole(text, unit);
  if (value < 0 || value > 1'000'000'000'000) return -1;
  if (unit == "ms") return value;
  if (unit.empty() || unit == "s") return value * 1'000;
  if (unit == "m") return value * 60'000;
  if (unit == "h") return value * 3'600'000;
  if (unit == "d") return value <= 1'000'000 ? value * 86'400'000 : -1;
  return -1;
}

std::int64_t byte_count(std::string_view text) {
  std::string_view unit;
  const std::int64_t value = whole(text, unit);
  if (value < 0 || value > (std::int64_t{1} << 46)) return -1;
  if (unit.empty()) return value;
  constexpr std::array<std::pair<std::string_view, int>, 3> units{{{"KiB", 10}, {"MiB", 20}, {"GiB", 30}}};
  for (const auto& [name, shift] : units) {
    if (unit == name) return value > (std::int64_t{1} << (46 - shift)) ? -1 : value << shift;
  }
  return -1;
}

std::string nearest_option(std::string_view name) {
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const OptionRow& row : option_rows()) {
    const std::size_t here = distance(name, row.name);
    if (here < least) {
      least = here;
      nearest = row.name;
    }
  }
  return std::string(nearest);
}

Result<Config> configured(const std::vector<Given>& given) {
  Config config;
  for (const Given& one : given) {
    const auto& rows = option_rows();
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const OptionRow& r) { return r.name == one.name; });
    if (row == rows.end()) {
      const std::string meant = nearest_option(one.name);
      return problem(ProblemKind::invalid_parameter,
                     one.source + ": unknown option '" + one.name + "'" +
                         (meant.empty() ? "" : "; did you mean '" + meant + "'?"));
    }
    const std::string fault = row->set(config, one.text);
    if (!fault.empty()) {
      return problem(ProblemKind::invalid_parameter, one.source + ": " + one.name + " " + fault);
    }
  }
  return config;
}

std::optional<std::string> environment_value(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::vector<Given> from_environment(const char* const* environment) {
  std::vector<Given> given;
  constexpr std::string_view prefix = "PARLEY_";
  for (; *environment != nullptr; ++environment) {
    const std::string_view line = *environment;
    const auto equals = line.find('=');
    if (!line.starts_with(prefix) || equals == std::string_view::npos) continue;
    std::string name(line.substr(prefix.size(), equals - prefix.size()));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c == '_' ? '-' : static_cast<char>(std::tolower(c)); });
    // Keys and secrets come through the environment too, and other programs share its prefix: only options count.
    const auto& rows = option_rows();
    if (std::none_of(rows.begin(), rows.end(), [&](const OptionRow& row) { return row.name == name; }))
      continue;
    given.push_back({name, std::string(line.substr(equals + 1)), "environment"});
  }
  return given;
}

Result<std::vector<Given>> from_file(const std::filesystem::path& file) {
  try {
    const YAML::Node root = YAML::LoadFile(file.string());
    std::vector<Given> given;
    if (root.IsNull()) return given;
    if (!root.IsMap())
      return problem(ProblemKind::invalid_parameter, file.string() + " must be a map of options");
    for (const auto& pair : root) {
      if (!pair.second.IsScalar()) {
        return problem(ProblemKind::invalid_parameter,
                       file.string() + ": " + pair.first.as<std::string>() + " must be a plain value");
      }
      given.push_back({pair.first.as<std::string>(), pair.second.as<std::string>(), file.string()});
    }
    return given;
  } catch (const YAML::Exception& thrown) {
    return problem(ProblemKind::invalid_parameter, file.string() + ": " + thrown.what());
  }
}

}  // namespace parley::app
