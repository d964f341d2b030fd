#pragma once
/// Converts one variation of a conversation to a test. One thread.

#include "convert/botium/expansion.hpp"

namespace parley::convert {

void add_convo_test(Conversion& conversion, const ConvoLibrary& library, const Convo& convo,
                    const Variation& variation);

}  // namespace parley::convert
