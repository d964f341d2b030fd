#pragma once
/// The exit codes of the client's verbs: one table for the help, the man pages and the tests.

#include <span>
#include <string_view>

#include "client/report/report.hpp"
#include "model/problem.hpp"

namespace parley::client {

inline constexpr int exit_done = 0;
inline constexpr int exit_red = 1;
inline constexpr int exit_wrong_use = 2;
inline constexpr int exit_undecided = 3;
inline constexpr int exit_damaged_data = 4;
inline constexpr int exit_no_server = 5;
inline constexpr int exit_on_interrupt = 130;
inline constexpr int exit_on_termination = 143;

struct ExitCodeRow {
  int code;
  std::string_view meaning;
};
[[nodiscard]] std::span<const ExitCodeRow> exit_code_rows();

[[nodiscard]] int exit_code_of(Decision decision);
/// The exit code of a verb that failed with this problem.
[[nodiscard]] int exit_code_of(const Problem& problem);

}  // namespace parley::client
