#pragma once
/// The options of `parley serve` (D90): one table from which command line, environment, file and help are read.
/// Plain values; used on the main thread before anything starts.

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
#include "outbound/call_limits.hpp"
#include "outbound/guard/address.hpp"

namespace parley::app {

/// The defaults are those of the parts that the options set.
struct Config {
  std::filesystem::path data = "./parley-data";
  std::string host = http::ServerOptions{}.host;
  std::uint16_t port = 7410;
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
  std::int64_t tests_max = actors::Settings{}.tests_max;
  std::int64_t conversations_max = actors::Settings{}.conversations_max;
  std::size_t calls_max = outbound::CallLimits{}.calls_max;
  /// --allow-private-agents: "true", "false" or networks; empty: as the listener's address says (D75).
  std::string private_agents;
  std::string tester = "auto";
  std::string tester_url;
  std::string tester_model;
  std::string tester_parameters = "{}";
  std::string judge_url;
  std::string judge_model;
  std::string judge_parameters = "{}";
  std::int64_t tester_timeout_ms = outbound::model_timeout_ms;
  std::int64_t judge_timeout_ms = outbound::model_timeout_ms;
  bool keeps_answers = actors::Settings{}.keeps_answers;
  std::string public_url;
  std::int64_t github_timeout_ms = actors::Settings{}.github_timeout_ms;
  std::int64_t conversation_ms = actors::Settings{}.conversation_ms;
  bool metrics_public = http::ApiOptions{}.metrics_public;
  bool takes_new_secrets_key = false;
  bool makes_new_admin_key = false;
  std::vector<std::string> cors_origins;
  std::string log_format = "text";
  std::string log_level = "info";
  /// What the log says of the options at the start: lines that are no faults and may not be what was meant.
  std::vector<std::string> warnings;
};

/// One option: `--name`, `PARLEY_NAME` in the environment, `name:` in the file.
struct OptionRow {
  std::string_view name;
  std::string_view value;  ///< what the help calls its value
  std::string_view help;
  struct Way {
    /// Sets the option; the sentence of a fault, or empty.
    std::function<std::string(Config&, const std::string& text)> set;
    /// The value as it is written; empty where there is none.
    std::function<std::string(const Config&)> shown;
  } way;
};
[[nodiscard]] const std::vector<OptionRow>& option_rows();

/// A value that was given for an option, and where: later sources win over earlier ones.
struct Given {
  std::string name;
  std::string text;
  std::string source;  ///< "command line", "environment" or the file's name
};

/// Applies the values in order. Problem: the first unknown name ("did you mean") or bad value, with its source.
[[nodiscard]] Expected<Config> configured(const std::vector<Given>& given);

/// What options say together and cannot mean; empty: nothing.
[[nodiscard]] std::string fault_of(const Config& config);

/// A key or secret, which comes through the environment only: a command line can be read by others.
[[nodiscard]] std::optional<std::string> environment_value(const char* name);

/// What the environment gives: PARLEY_MAX_BODY for --max-body.
[[nodiscard]] std::vector<Given> from_environment(const char* const* environment);
/// PARLEY_ variables that are nobody's, each a line for the log: other programs may share the prefix.
[[nodiscard]] std::vector<std::string> unknown_variables(const char* const* environment);
/// What a YAML file gives: a flat map without a key twice. Problem: unreadable or no such map.
[[nodiscard]] Expected<std::vector<Given>> from_file(const std::filesystem::path& file);

/// Digits at the front of a text, and what follows them.
struct Quantity {
  std::int64_t number;
  std::string_view unit;
};
/// Nullopt where no number begins the text, or a negative one.
[[nodiscard]] std::optional<Quantity> quantity_of(std::string_view text);
/// `250ms`, `60s`, `10m`, `24h`, `7d`, a bare number means seconds (D94); milliseconds, or -1 when malformed.
[[nodiscard]] std::int64_t duration_ms(std::string_view text);
/// The same duration in its largest unit that is a whole number.
[[nodiscard]] std::string duration_text(std::int64_t ms);
/// Networks between commas; nullopt when one is malformed or there is none.
[[nodiscard]] std::optional<std::vector<outbound::Cidr>> networks_of(std::string_view text);
/// A number of bytes, optionally with KiB, MiB or GiB; -1 when malformed.
[[nodiscard]] std::int64_t byte_count(std::string_view text);
[[nodiscard]] std::string byte_text(std::uint64_t count);
/// The name that was probably meant; empty when none is near.
[[nodiscard]] std::string nearest(std::string_view name, const std::vector<std::string>& names);

}  // namespace parley::app
