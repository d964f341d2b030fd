#pragma once
/// Google ADK eval sets in their three generations, as tests or as logs of the recorded conversations.

#include "convert/records/conversion.hpp"

namespace parley::convert {

void import_adk(Conversion& conversion);
[[nodiscard]] int looks_like_adk(const std::string& path, std::string_view text, const Node* head);

}  // namespace parley::convert
