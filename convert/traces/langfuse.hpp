#pragma once
/// Langfuse exports (`{trace, observations}`) and LangSmith runs, as logs.

#include "convert/records/conversion.hpp"

namespace parley::convert {

void import_langfuse(Conversion& conversion);
[[nodiscard]] int looks_like_langfuse(const std::string& path, std::string_view text, const Node* head);
void import_langsmith(Conversion& conversion);
[[nodiscard]] int looks_like_langsmith(const std::string& path, std::string_view text, const Node* head);

}  // namespace parley::convert
