#pragma once
/// OpenAI Evals: samples with an ideal answer, and the registry that defines how answers are compared.

#include "convert/records/conversion.hpp"

namespace parley::convert {

void import_openai_evals(Conversion& conversion);
[[nodiscard]] int looks_like_openai_evals(const std::string& path, std::string_view text, const Node* head);

}  // namespace parley::convert
