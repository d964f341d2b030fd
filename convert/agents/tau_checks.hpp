#pragma once
/// Evaluation criteria of tau2 as checks. Pure.

#include "convert/reading/node.hpp"
#include "convert/records/checks.hpp"
#include "convert/records/log_draft.hpp"

namespace parley::convert {

/// Who may have made a call. tau2 counts a call of either side.
struct Callers {
  bool agent = true;
  bool user = false;
};

/// `{name, arguments, compare_args, requestor}`: null compares the arguments that the call has, a list those that it names.
[[nodiscard]] Check action_check(const Node& action, const Callers& callers);
[[nodiscard]] Check communicate_check(const std::string& text);
/// Whether the task's reward depends on that part. Without a basis: DB and COMMUNICATE.
[[nodiscard]] bool is_in_basis(const Node* basis, std::string_view part);

}  // namespace parley::convert
