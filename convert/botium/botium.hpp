#pragma once
/// Botium: conversation files, given as a folder or as single files.

#include "convert/records/conversion.hpp"

namespace parley::convert {

void import_botium(Conversion& conversion);
[[nodiscard]] int looks_like_botium(const std::string& path, std::string_view text, const Node* head);

}  // namespace parley::convert
