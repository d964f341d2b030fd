#pragma once
/// Texts that refer to utterances by name. Pure.

#include "convert/botium/library.hpp"

namespace parley::convert {

/// The texts of the utterance that `text` names. Arguments after the name replace `%s` or `%d`; further arguments are
/// appended. Empty: `text` names no utterance.
[[nodiscard]] std::vector<std::string> utterances_of(const ConvoLibrary& library, const std::string& text);

}  // namespace parley::convert
