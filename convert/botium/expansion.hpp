#pragma once
/// Expands a conversation into tests: partial conversations are inlined, and each choice of utterances and each row of
/// variables becomes a test. One thread.

#include "convert/botium/library.hpp"

namespace parley::convert {

/// The conversation with its includes inlined. nullopt: a fault was added (a cycle, or an unknown name).
[[nodiscard]] std::optional<Convo> inlined(Conversion& conversion, const ConvoLibrary& library,
                                           const Convo& convo);

/// One way to play a conversation: the user's text in each step, and the variables.
struct Variation {
  std::string name;                         ///< name of the conversation and of its cases of variables
  std::map<std::size_t, std::string> said;  ///< the user's texts, by position of the step
  std::map<std::string, std::string> variables;
};
/// All variations; with `--utterances first`, only the first text of each utterance. More than 20,000 are a fault.
[[nodiscard]] std::vector<Variation> variations_of(Conversion& conversion, const ConvoLibrary& library,
                                                   const Convo& convo);

}  // namespace parley::convert
