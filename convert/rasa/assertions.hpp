#pragma once
/// Converts assertions of Rasa's e2e tests to checks. One thread.

#include "convert/rasa/domain.hpp"

namespace parley::convert {

/// Adds the checks for one item of `assertions`, for turn `turn`.
void add_rasa_assertion(Conversion& conversion, TestDraft& draft, const Source& source, const Node& assertion,
                        std::size_t turn, const Domain& domain);
/// Adds checks for `slot_was_set` or `slot_was_not_set`: a name, a name with a value, or a list of both.
void add_slots(Conversion& conversion, TestDraft& draft, const Source& source, const Node& slots,
               std::size_t turn, bool is_negated);

}  // namespace parley::convert
