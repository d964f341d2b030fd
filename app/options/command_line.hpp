#pragma once
/// Reads the command line (D90). Knows CLI11, which parses and prints help only; the merging of sources is ours.

#include <filesystem>
#include <optional>
#include <string>

#include "app/options/config.hpp"
#include "store/audit/audit.hpp"

namespace parley::app {

/// What to do with a data directory besides serving from it.
struct ToolCall {
  enum class Tool : std::uint8_t { backup, restore, doctor, audit_verify, audit_show };
  Tool tool = Tool::doctor;
  std::filesystem::path data;
  std::filesystem::path file;            ///< of backup and restore
  std::filesystem::path keys;            ///< of restore
  std::optional<store::AuditHead> head;  ///< of audit verify
  std::uint64_t from = 1;                ///< of audit show
  bool with_values = false;              ///< of audit verify
};

/// What to do: serve with a configuration or check its models, use a tool, or end at once with a code because the text was
/// all that was wanted.
/// Every wrong use ends with exit_misused.
struct Command {
  std::optional<Config> serve;
  std::optional<Config> check_models;
  std::optional<ToolCall> tool;
  int exit_code = 0;
  std::string text;  ///< for stdout when exit_code is 0, else for stderr
};

[[nodiscard]] Command read_command_line(int argc, const char* const* argv, const char* const* environment);

}  // namespace parley::app
