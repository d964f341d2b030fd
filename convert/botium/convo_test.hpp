#pragma once
/// One variation of a conversation as a test. One thread.

#include "convert/botium/expansion.hpp"

namespace parley::convert {

void add_convo_test(Conversion& conversion, const ConvoLibrary& library, const Convo& convo,
                    const Variation& variation);

}  // namespace parley::convert
