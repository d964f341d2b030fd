#pragma once
/// The prompts of a configuration: the first that is data says where the user's text comes from. One thread.

#include "convert/promptfoo/template.hpp"
#include "convert/records/conversion.hpp"

namespace parley::convert {

struct Prompt {
  bool is_data = false;             ///< false: all prompts are code, or the list is empty
  bool is_code = false;             ///< some prompt is code
  bool uses_conversation = false;   ///< rows with one conversationId are one conversation
  bool has_other_parts = false;     ///< the user's message also has pictures or files
  std::string text;                 ///< template of the user's text
  std::vector<Message> history;     ///< templates of the messages before it
  std::vector<std::string> system;  ///< templates of system messages
};

/// Reads the prompts that `config` lists and reports each of them.
[[nodiscard]] Prompt read_prompts(Conversion& conversion, const Source& source, const Node& config);

}  // namespace parley::convert
