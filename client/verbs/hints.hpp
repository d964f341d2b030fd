#pragma once
/// Completes the commands that messages suggest, so that a user can paste them. Main thread.

#include <string>
#include <string_view>

#include "client/verbs/verb.hpp"

namespace parley::client {

/// Quotes the word for a POSIX shell if the shell would change it.
[[nodiscard]] std::string shell_word(std::string_view word);

/// Returns the flags, each after a space, with which a suggested command uses the same server and project as this
/// call. `own` is the preference of this call, `suggested` that of the suggested command. Empty if it needs no flag.
[[nodiscard]] std::string connection_words(const Invocation& call, ServerPreference own,
                                           ServerPreference suggested);

/// Says what to do about records that were edited on the server since the files were applied.
[[nodiscard]] std::string edited_elsewhere(const Invocation& call);

}  // namespace parley::client
