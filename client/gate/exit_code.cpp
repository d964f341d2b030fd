#include "client/gate/exit_code.hpp"

#include <array>

namespace parley::client {
namespace {

constexpr std::array<ExitCodeRow, 8> rows{{
    {exit_done, "done; run and gate: green"},
    {exit_red, "red: an answer is wrong, or a rule of the gate is broken"},
    {exit_wrong_use, "wrong usage, a file with errors, or nothing selected: nothing was played"},
    {exit_undecided, "undecided: faults, open results, or a limit of cost or time; nothing is red"},
    {exit_damaged_data, "stored data is damaged"},
    {exit_no_server, "the server is unreachable, refuses the key or has a full disk"},
    {exit_on_interrupt, "interrupted (SIGINT)"},
    {exit_on_termination, "terminated (SIGTERM)"},
}};

}  // namespace

std::span<const ExitCodeRow> exit_code_rows() {
  return rows;
}

int exit_code_of(Decision decision) {
  switch (decision) {
    case Decision::green: return exit_done;
    case Decision::red: return exit_red;
    case Decision::undecided: return exit_undecided;
  }
  return exit_undecided;
}

int exit_code_of(const Problem& problem) {
  switch (problem.status()) {
    case 401:
    case 403:
    case 500:
    case 503: return problem.kind == ProblemKind::store_refuses ? exit_damaged_data : exit_no_server;
    case 429: return exit_no_server;
    default: return problem.kind == ProblemKind::store_refuses ? exit_damaged_data : exit_wrong_use;
  }
}

}  // namespace parley::client
