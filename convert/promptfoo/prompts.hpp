#pragma once
/// The prompts of a configuration. The first prompt that is data determines the user's text. One thread.

#include "convert/promptfoo/template.hpp"
#include "convert/records/conversion.hpp"

namespace parley::convert {

struct Prompt {
  bool is_data = false;             ///< false: all prompts are code, or the list is empty
  bool is_code = false;             ///< at least one prompt is code
  bool uses_conversation = false;   ///< rows with the same conversationId form one conversation
  bool has_other_parts = false;     ///< the user's message also has images or files
  std::string text;                 ///< template of the user's text
  std::vector<Message> history;     ///< templates of the earlier messages
  std::vector<std::string> system;  ///< templates of system messages
};

/// Reads and reports each prompt that `config` lists.
[[nodiscard]] Prompt read_prompts(Conversion& conversion, const Source& source, const Node& config);

}  // namespace parley::convert
