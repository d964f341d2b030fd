#pragma once
/// The options of `parley serve` (D90): one table from which command line, environment, file and help are read.
/// Plain values; used on the main thread before anything starts.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/result.hpp"
#include "outbound/address.hpp"

namespace parley::app {

struct Config {
  std::filesystem::path data = "./parley-data";
  std::string host = "127.0.0.1";
  std::uint16_t port = 7410;
  std::string base_path;
  std::size_t threads = 0;
  unsigned http_threads = 0;
  bool fsync = true;
  std::size_t body_bytes_max = 8 * 1024 * 1024;
  std::int64_t turns_max = 30;
  std::int64_t stuck_after_ms = 600'000;
  std::int64_t rest_after_ms = 30'000;
  std::int64_t local_lease_ms = 60'000;
  std::int64_t retention_ms = 0;
  bool audit = false;
  std::int64_t audit_retention_ms = 0;
  std::uint64_t map_bytes = std::uint64_t{64} << 30;
  std::uint64_t disk_free_min = std::uint64_t{64} << 20;
  std::size_t connections_max = 12'000;
  std::int64_t key_rate = 0;
  bool scoring_paused = false;
  std::int64_t tests_max = 100;
  std::int64_t conversations_max = 10'000;
  std::size_t calls_max = 10'000;
  /// --allow-private-agents: "true", "false" or networks; empty: as the listener's address says (D75).
  std::string private_agents;
  std::string tester = "auto";
  std::string tester_url;
  std::string tester_model;
  std::string tester_parameters = "{}";
  std::string judge_url;
  std::string judge_model;
  std::string judge_parameters = "{}";
  std::int64_t tester_timeout_ms = 120'000;
  std::int64_t judge_timeout_ms = 120'000;
  bool keeps_answers = false;
  std::string public_url;
  std::int64_t github_timeout_ms = 3'600'000;
  std::int64_t conversation_ms = 1'800'000;
  bool metrics_public = false;
  bool takes_new_secrets_key = false;
  std::vector<std::string> cors_origins;
  std::string log_format = "text";
  std::string log_level = "info";
};

/// One option: `--name`, `PARLEY_NAME` in the environment, `name:` in the file.
struct OptionRow {
  std::string_view name;
  std::string_view value;  ///< what the help calls its value
  std::string_view help;
  /// Sets the option; the sentence of a fault, or empty.
  std::function<std::string(Config&, const std::string& text)> set;
};
[[nodiscard]] const std::vector<OptionRow>& option_rows();

/// A value that was given for an option, and where: later sources win over earlier ones.
struct Given {
  std::string name;
  std::string text;
  std::string source;  ///< "command line", "environment" or the file's name
};

/// Applies the values in order. Problem: the first unknown name ("did you mean") or bad value, with its source.
[[nodiscard]] Result<Config> configured(const std::vector<Given>& given);

/// A key or secret, which comes through the environment only: a command line can be read by others.
[[nodiscard]] std::optional<std::string> environment_value(const char* name);

/// What the environment gives: PARLEY_MAX_BODY for --max-body.
[[nodiscard]] std::vector<Given> from_environment(const char* const* environment);
/// What a YAML file gives: a flat map. Problem: unreadable or no such map.
[[nodiscard]] Result<std::vector<Given>> from_file(const std::filesystem::path& file);

/// `250ms`, `60s`, `10m`, `24h`, `7d`, a bare number means seconds (D94); milliseconds, or -1 when malformed.
[[nodiscard]] std::int64_t duration_ms(std::string_view text);
/// Networks between commas; nullopt when one is malformed or there is none.
[[nodiscard]] std::optional<std::vector<outbound::Cidr>> networks_of(std::string_view text);
/// A number of bytes, optionally with KiB, MiB or GiB; -1 when malformed.
[[nodiscard]] std::int64_t byte_count(std::string_view text);
/// The name that was probably meant; empty when none is near.
[[nodiscard]] std::string nearest_option(std::string_view name);

}  // namespace parley::app
