#pragma once
/// The options of `parley serve` (D90): one table that defines command line, environment, file and help. Plain
/// values; used on the main thread before anything starts.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actors/services.hpp"
#include "http/handlers/handler_context.hpp"
#include "http/transport/server_options.hpp"
#include "model/expected.hpp"
#include "model/text/nearest.hpp"
#include "outbound/call_limits.hpp"
#include "outbound/guard/address.hpp"
#include "store/postgres/pg_log.hpp"

namespace parley::app {

/// The defaults are the defaults of the components that the options configure.
struct Config {  // NOLINT(clang-analyzer-optin.performance.Padding)
  std::filesystem::path data = "./parley-data";
  std::string host = http::ServerOptions{}.host;
  std::uint16_t port = 7410;
  std::vector<http::ListenAddress> other_addresses;
  std::string base_path;
  std::size_t threads = 0;
  unsigned http_threads = http::ServerOptions{}.threads;
  bool fsync = store::Options{}.fsync;
  std::size_t body_bytes_max = http::ServerOptions{}.body_bytes_max;
  std::int64_t turns_max = actors::Settings{}.turns_max;
  std::int64_t stuck_after_ms = actors::Settings{}.stuck_after_ms;
  std::int64_t rest_after_ms = actors::Settings{}.rest_after_ms;
  std::int64_t local_lease_ms = http::ApiOptions{}.local_lease_ms;
  std::int64_t retention_ms = actors::Settings{}.retention_ms;
  bool audit = false;
  std::int64_t audit_retention_ms = 0;
  std::uint64_t map_bytes = store::Options{}.map_bytes;
  std::uint64_t disk_free_min = store::Options{}.free_bytes_min;
  std::size_t connections_max = http::ServerOptions{}.connections_max;
  std::int64_t key_rate = http::ApiOptions{}.key_rate;
  bool scoring_paused = actors::Settings{}.scoring_paused;
  std::size_t scoring_threads = 0;
  std::int64_t tests_max = actors::Settings{}.tests_max;
  std::int64_t conversations_max = actors::Settings{}.conversations_max;
  std::size_t calls_max = outbound::CallLimits{}.calls_max;
  std::size_t outbound_threads = 0;
  /// --allow-private-agents: "true", "false" or networks. If empty, the listening address decides (D75).
  std::string private_agents;
  std::string tester = "auto";
  std::string tester_url;
  std::string tester_model;
  std::string tester_parameters = "{}";
  /// The keys of the models from the project file of a command. If absent, the environment has them (D61).
  std::optional<std::string> tester_key;
  std::optional<std::string> judge_key;
  std::string judge_url;
  std::string judge_model;
  std::string judge_parameters = "{}";
  std::int64_t tester_timeout_ms = outbound::model_timeout_ms;
  std::int64_t judge_timeout_ms = outbound::model_timeout_ms;
  bool keeps_answers = actors::Settings{}.keeps_answers;
  std::string prices_file;
  std::shared_ptr<const PriceTable> prices;  ///< content of prices_file
  std::string public_url;
  std::string otlp_endpoint;
  std::int64_t webhook_give_up_ms = actors::Settings{}.webhook_give_up_ms;
  std::int64_t github_timeout_ms = actors::Settings{}.github_timeout_ms;
  std::int64_t conversation_ms = actors::Settings{}.conversation_ms;
  bool metrics_public = http::ApiOptions{}.metrics_public;
  bool accepts_new_secrets_key = false;
  bool makes_new_admin_key = false;
  std::vector<std::string> cors_origins;
  std::filesystem::path ui_dir;
  std::vector<http::Network> trusted_proxies;
  bool driving_paused = actors::Settings{}.driving_paused;
  std::string log_url;  ///< --log: the log that several nodes share; empty: single node
  std::string address;  ///< where other nodes reach this one
  std::int64_t lease_ms = store::PgLogOptions{}.lease_ms;
  std::string reads = "barrier";
  std::string when_leaderless = "stale";
  std::uint64_t log_keep = store::PgLogOptions{}.keep_bytes;
  bool leaves_log = false;
  std::filesystem::path log_file;  ///< empty: standard error
  std::string log_format = "text";
  std::string log_level = "info";
  /// Warnings that are logged at start: valid settings that may be a mistake.
  std::vector<std::string> warnings;
};

/// One option: `--name` on the command line, `PARLEY_NAME` in the environment, `name:` in the file.
struct OptionRow {
  std::string_view name;
  std::string_view value;  ///< placeholder for its value in the help
  std::string_view help;
  struct Way {
    /// Sets the option; returns the error message, or an empty string.
    std::function<std::string(Config&, const std::string& text)> set;
    /// The value as text; empty if the option has none.
    std::function<std::string(const Config&)> shown;
  } way;
};
[[nodiscard]] const std::vector<OptionRow>& option_rows();

/// A value for an option, and its source. Later sources override earlier ones.
struct Given {
  std::string name;
  std::string text;
  std::string source;  ///< "command line", "environment" or the file's name
};

/// Applies the values in order. Problem: the first unknown name ("did you mean") or invalid value, with its source.
[[nodiscard]] Expected<Config> configured(const std::vector<Given>& given);

/// The error if options contradict each other; empty if they are consistent.
[[nodiscard]] std::string fault_of(const Config& config);

/// A key or secret. It is read only from the environment, because other users can read a command line.
[[nodiscard]] std::optional<std::string> environment_value(const char* name);

/// The settings from the environment, such as PARLEY_MAX_BODY for --max-body.
[[nodiscard]] std::vector<Given> from_environment(const char* const* environment);
/// Reports unknown PARLEY_ variables, one log line each. They are not errors: other programs may share the prefix.
[[nodiscard]] std::vector<std::string> unknown_variables(const char* const* environment);
/// The settings from a YAML file, which must be a flat map without duplicate keys. Problem: the file is unreadable or
/// is not such a map.
[[nodiscard]] Expected<std::vector<Given>> from_file(const std::filesystem::path& file);

/// The number at the start of a text, and the rest.
struct Quantity {
  std::int64_t number;
  std::string_view unit;
};
/// nullopt if the text does not begin with a number, or the number is negative.
[[nodiscard]] std::optional<Quantity> quantity_of(std::string_view text);
/// Parses `250ms`, `60s`, `10m`, `24h` or `7d`; a bare number means seconds (D94). Returns milliseconds, or -1 if
/// malformed.
[[nodiscard]] std::int64_t duration_ms(std::string_view text);
/// The duration in the largest unit in which it is a whole number.
[[nodiscard]] std::string duration_text(std::int64_t ms);
/// Parses networks separated by commas; nullopt if one is malformed or the list is empty.
[[nodiscard]] std::optional<std::vector<outbound::Cidr>> networks_of(std::string_view text);
/// Parses a number of bytes, optionally with KiB, MiB or GiB; -1 if malformed.
[[nodiscard]] std::int64_t byte_count(std::string_view text);
[[nodiscard]] std::string byte_text(std::uint64_t count);
}  // namespace parley::app
