#pragma once
/// Texts that refer to utterances by name. Pure.

#include "convert/botium/library.hpp"

namespace parley::convert {

/// The texts of the utterance that `text` names. Arguments after the name replace `%s` or `%d`; further arguments are
/// appended. Empty: `text` names no utterance.
[[nodiscard]] std::vector<std::string> utterances_of(const ConvoLibrary& library, const std::string& text);
/// Whether the line looks like an asserter or a hook that no file registers, and `text`, the lines before it, names an
/// utterance. With the line the text would name none, so it is not part of the text.
[[nodiscard]] bool is_hook_after_utterance(const ConvoLibrary& library, const std::string& text,
                                           const std::string& line);

}  // namespace parley::convert
