#pragma once
/// `--as tests`: a recorded conversation as a test that says the user's turns again. One thread.

#include "convert/records/conversion.hpp"

namespace parley::convert {

/// Needs: a log with at least one message of the user. `ground_truth` becomes a criterion where `--expect` names it.
void add_row_test(Conversion& conversion, const LogDraft& log, const At& at);

}  // namespace parley::convert
