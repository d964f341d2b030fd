#pragma once
/// `--as tests`: converts a recorded conversation to a test that repeats the user's turns. One thread.

#include "convert/records/conversion.hpp"

namespace parley::convert {

/// Needs: a log with at least one user message. `ground_truth` becomes a criterion if `--expect` names it.
void add_row_test(Conversion& conversion, const LogDraft& log, const At& at);

}  // namespace parley::convert
