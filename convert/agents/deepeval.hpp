#pragma once
/// DeepEval goldens in JSON and CSV: tests, and logs of the recorded answers.

#include "convert/records/conversion.hpp"

namespace parley::convert {

void import_deepeval(Conversion& conversion);
[[nodiscard]] int looks_like_deepeval(const std::string& path, std::string_view text, const Node* head);

/// Adds one conversational or single-turn golden. Needs: an output was started.
void add_golden(Conversion& conversion, const Source& source, const Node& golden);

}  // namespace parley::convert
