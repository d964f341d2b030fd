#pragma once
/// Reads the command line (D90). CLI11 only parses and prints help; parley merges the sources.

#include <filesystem>
#include <optional>
#include <string>

#include "app/options/config.hpp"
#include "store/audit/audit.hpp"

namespace parley::app {

/// A call of a tool that works on a data directory instead of serving it.
struct ToolCall {
  enum class Tool : std::uint8_t { backup, restore, doctor, audit_verify, audit_show, migrate, rebase };
  Tool tool = Tool::doctor;
  std::filesystem::path data;
  std::filesystem::path file;            ///< for backup and restore
  std::filesystem::path keys;            ///< for restore
  std::optional<store::AuditHead> head;  ///< for audit verify
  std::uint64_t from = 1;                ///< for audit show
  std::string log_url;                   ///< for migrate and rebase
  bool with_values = false;              ///< for audit verify
};

/// What to do: serve with a configuration, check its models, run a tool, or end immediately with a text and an exit
/// code. Every usage error ends with exit_misused.
struct Command {
  std::optional<Config> serve;
  std::optional<Config> check_models;
  std::optional<ToolCall> tool;
  int exit_code = 0;
  std::string text;  ///< for stdout if exit_code is 0, otherwise for stderr
};

[[nodiscard]] Command read_command_line(int argc, const char* const* argv, const char* const* environment);

}  // namespace parley::app
