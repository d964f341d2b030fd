#pragma once
/// tau-bench and tau2-bench: tasks as tests, results as logs with assertions and the recorded verdicts.

#include "convert/records/conversion.hpp"

namespace parley::convert {

void import_tau2(Conversion& conversion);
[[nodiscard]] int looks_like_tau2(const std::string& path, std::string_view text, const Node* head);

}  // namespace parley::convert
