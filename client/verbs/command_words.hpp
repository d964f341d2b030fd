#pragma once
/// Parses the words of a command with the option table of its verb. Pure.
///
///   --name VALUE, --name=VALUE   an option with a value
///   --name, --name=VALUE         an option with an optional value; a word after it is an argument
///   -n VALUE, -nVALUE, -vv       short forms
///   --                           the words after it are arguments

#include "client/verbs/verb.hpp"

namespace parley::client {

/// Problem: an unknown option (with the most similar known option), a missing or empty value, a repeated option, or
/// too many arguments.
[[nodiscard]] Expected<Invocation> read_words(const VerbSpec& verb, const std::vector<std::string>& words,
                                              const Surroundings& around);

}  // namespace parley::client
