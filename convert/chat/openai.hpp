#pragma once
/// Chat messages JSONL (fine-tuning), Azure evaluation rows and ShareGPT. Each row becomes a log, or a test with the
/// user's turns.

#include "convert/records/conversion.hpp"

namespace parley::convert {

void import_openai_jsonl(Conversion& conversion);
void import_sharegpt(Conversion& conversion);
[[nodiscard]] int looks_like_openai_jsonl(const std::string& path, std::string_view text, const Node* head);
[[nodiscard]] int looks_like_sharegpt(const std::string& path, std::string_view text, const Node* head);

}  // namespace parley::convert
