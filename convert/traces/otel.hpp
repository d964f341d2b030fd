#pragma once
/// OpenTelemetry traces with GenAI attributes, as logs: one for each conversation.

#include "convert/records/conversion.hpp"

namespace parley::convert {

void import_otel(Conversion& conversion);
[[nodiscard]] int looks_like_otel(const std::string& path, std::string_view text, const Node* head);

}  // namespace parley::convert
