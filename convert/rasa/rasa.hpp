#pragma once
/// Rasa: e2e tests of CALM, and test stories in YAML and in Markdown (version 1).

#include "convert/records/conversion.hpp"

namespace parley::convert {

void import_rasa(Conversion& conversion);
[[nodiscard]] int looks_like_rasa(const std::string& path, std::string_view text, const Node* head);

}  // namespace parley::convert
