#include "app/options/log_options.hpp"

#include <algorithm>
#include <array>

#include "app/options/option_ways.hpp"
#include "store/postgres/log_url.hpp"

namespace parley::app {
namespace {

constexpr std::int64_t lease_ms_min = 1'000;
constexpr std::int64_t lease_ms_max = 60'000;
constexpr std::int64_t keep_bytes_min = 1 << 20;
constexpr std::array<std::string_view, 5> needing_a_log{"address", "lease", "reads", "when-leaderless",
                                                        "log-keep"};

std::string set_log(Config& config, const std::string& given) {
  if (std::string fault = store::fault_of_log_url(given); !fault.empty()) return fault;
  config.log_url = given;
  return {};
}

/// Whether the text is a host and port: a name, an IPv4 address, or an IPv6 address in brackets, then the port.
bool is_host_and_port(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const auto port = quantity_of(text.substr(colon + 1));
  if (!port || !port->unit.empty() || port->number < 1 || port->number > 65'535) return false;
  std::string_view host = text.substr(0, colon);
  const bool is_bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (is_bracketed) host = host.substr(1, host.size() - 2);
  const std::string_view allowed = is_bracketed ? "0123456789abcdefABCDEF:." : "-._";
  return std::all_of(host.begin(), host.end(), [&](unsigned char c) {
    return allowed.find(static_cast<char>(c)) != std::string_view::npos ||
           (!is_bracketed && std::isalnum(c) != 0);
  });
}

std::string set_address(Config& config, const std::string& given) {
  const std::size_t scheme = given.starts_with("https://") ? 8 : given.starts_with("http://") ? 7 : 0;
  if (scheme == 0 || !is_host_and_port(std::string_view(given).substr(scheme)))
    return "must be http or https, a host and a port, such as http://10.0.0.2:7410";
  config.address = given;
  return {};
}

std::string set_lease(Config& config, const std::string& given) {
  const std::int64_t ms = duration_ms(given);
  if (ms < lease_ms_min || ms > lease_ms_max) return "must be a duration from 1s to 60s";
  config.lease_ms = ms;
  return {};
}

/// An option with two allowed keywords.
Way word(std::string Config::*member, const std::string& one, const std::string& other) {
  const auto set = [=](Config& config, const std::string& given) -> std::string {
    if (given != one && given != other) return "must be " + one + " or " + other;
    config.*member = given;
    return {};
  };
  return {set, [=](const Config& config) { return config.*member; }};
}

}  // namespace

std::vector<OptionRow> log_rows() {
  return {
      {"log",
       "URL",
       "PostgreSQL database of the log that several nodes share, such as postgres://parley@db/parley; the "
       "password comes from PARLEY_LOG_PASSWORD; none: one node alone",
       {set_log, [](const Config&) { return std::string(); }}},
      {"address",
       "URL",
       "where the other nodes reach this one, such as http://10.0.0.2:7410; required with --log",
       {set_address, [](const Config& config) { return config.address; }}},
      {"lease",
       "DURATION",
       "how long a leader may stay silent, from 1s to 60s; the same on all nodes",
       {set_lease, [](const Config& config) { return duration_text(config.lease_ms); }}},
      {"reads", "barrier|local", "barrier: a read sees every write that was answered before, at any node",
       word(&Config::reads, "barrier", "local")},
      {"when-leaderless", "stale|refuse", "answer to reads while no node leads",
       word(&Config::when_leaderless, "stale", "refuse")},
      {"log-keep", "BYTES",
       "size of the log above which the leader uploads its data and older rows are dropped",
       bytes(&Config::log_keep, keep_bytes_min)},
      {"leave-log", "true|false",
       "start the directory of a node without --log, once; it cannot rejoin afterwards",
       either(&Config::leaves_log, "true", "false")},
  };
}

std::string fault_of_shown_log(const std::string& url, bool is_on_command_line) {
  if (std::string fault = store::fault_of_log_url(url); !fault.empty()) return fault;
  if (!is_on_command_line || !store::has_password(url)) return {};
  return "must not contain a password, which other users can see there: put it in PARLEY_LOG_PASSWORD, or "
         "the whole URL in PARLEY_LOG";
}

std::string fault_of_log_options(const std::vector<Given>& given, const Config& config) {
  for (const Given& one : given) {
    if (one.name == "log" && one.source == "command line") {
      if (std::string fault = fault_of_shown_log(one.text, true); !fault.empty())
        return "command line: log " + fault;
    }
    const bool needs_log =
        std::find(needing_a_log.begin(), needing_a_log.end(), one.name) != needing_a_log.end();
    if (needs_log && config.log_url.empty()) return one.source + ": " + one.name + " needs --log";
  }
  if (config.log_url.empty()) return {};
  if (config.address.empty())
    return "log needs --address: where the other nodes reach this one, such as http://10.0.0.2:7410";
  if (config.leaves_log) return "leave-log starts a directory without its log: remove --log";
  if (config.accepts_new_secrets_key)
    return "new-secrets-key would leave the other nodes with another key: start without --log";
  return {};
}

}  // namespace parley::app
