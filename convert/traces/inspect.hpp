#pragma once
/// Inspect logs, `.json` and `.eval` (zip): one log for each sample. Scores are verdicts, so they are stored in its
/// metadata.

#include "convert/records/conversion.hpp"

namespace parley::convert {

void import_inspect(Conversion& conversion);
[[nodiscard]] int looks_like_inspect(const std::string& path, std::string_view text, const Node* head);

}  // namespace parley::convert
