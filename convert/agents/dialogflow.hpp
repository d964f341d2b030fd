#pragma once
/// Dialogflow CX test cases: the user's texts, and the intent, page, texts and parameters of each answer. One thread.

#include "convert/records/conversion.hpp"

namespace parley::convert {

/// The test cases of a parsed file; empty for other files. The tree must outlive the test cases.
[[nodiscard]] std::vector<const Node*> dialogflow_cases(const Node& file);
void add_dialogflow_case(Conversion& conversion, const Source& source, const Node& test_case);

}  // namespace parley::convert
