#pragma once
/// Texts that name utterances. Pure.

#include "convert/botium/library.hpp"

namespace parley::convert {

/// The texts of the utterance that `text` names, alone or followed by arguments, which take the places of `%s` and otherwise
/// follow the text. Empty: it names none.
[[nodiscard]] std::vector<std::string> utterances_of(const ConvoLibrary& library, const std::string& text);

}  // namespace parley::convert
