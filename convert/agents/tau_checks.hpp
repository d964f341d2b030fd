#pragma once
/// Converts evaluation criteria of tau2 to checks. Pure.

#include "convert/reading/node.hpp"
#include "convert/records/checks.hpp"
#include "convert/records/log_draft.hpp"

namespace parley::convert {

/// The sides whose call satisfies a check. tau2 accepts a call from either side.
struct Callers {
  bool agent = true;
  bool user = false;
};

/// The check for `{name, arguments, compare_args, requestor}`. If `compare_args` is null, the arguments that the call
/// has are compared; a list names the arguments to compare.
[[nodiscard]] Check action_check(const Node& action, const Callers& callers);
[[nodiscard]] Check communicate_check(const std::string& text);
/// Whether the reward of the task depends on `part`. A task without a basis depends on DB and COMMUNICATE.
[[nodiscard]] bool is_in_basis(const Node* basis, std::string_view part);

}  // namespace parley::convert
