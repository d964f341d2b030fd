#pragma once
/// Reads `test_cases` of Rasa's e2e files. One thread.

#include "convert/rasa/domain.hpp"

namespace parley::convert {

/// Adds each test case of the file. Needs: a list.
void add_test_cases(Conversion& conversion, const Source& source, const Node& file, const Domain& domain);

}  // namespace parley::convert
