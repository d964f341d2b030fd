#pragma once
/// CX Agent Studio (cxas-scrapi): golden conversations, simulations and turn evals in YAML.

#include "convert/records/conversion.hpp"

namespace parley::convert {

void import_cxas(Conversion& conversion);
[[nodiscard]] int looks_like_cxas(const std::string& path, std::string_view text, const Node* head);

}  // namespace parley::convert
