#pragma once
/// Google ADK eval sets in all three generations of the format, as tests or as logs of the recorded conversations.

#include "convert/records/conversion.hpp"

namespace parley::convert {

void import_adk(Conversion& conversion);
[[nodiscard]] int looks_like_adk(const std::string& path, std::string_view text, const Node* head);

}  // namespace parley::convert
