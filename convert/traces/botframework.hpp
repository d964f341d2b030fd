#pragma once
/// Bot Framework: `.transcript` (activities) and `.chat` (chatdown).

#include "convert/records/conversion.hpp"

namespace parley::convert {

void import_botframework(Conversion& conversion);
[[nodiscard]] int looks_like_botframework(const std::string& path, std::string_view text, const Node* head);

/// Imports a `.chat` file.
void add_chat(Conversion& conversion, const Source& source);

}  // namespace parley::convert
