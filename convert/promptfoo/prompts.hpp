#pragma once
/// The prompts of a configuration. The first prompt that is data and that the test allows determines the user's text.
/// One thread.

#include "convert/promptfoo/template.hpp"
#include "convert/records/conversion.hpp"

namespace parley::convert {

/// A prompt that is data.
struct Prompt {
  std::string label;                ///< by default the text or the file name
  std::string id;                   ///< empty: none
  bool has_other_parts = false;     ///< the user's message also has images or files
  std::string text;                 ///< template of the user's text
  std::vector<Message> history;     ///< templates of the earlier messages
  std::vector<std::string> system;  ///< templates of system messages
};

struct Prompts {
  bool is_code = false;            ///< at least one prompt is code
  bool uses_conversation = false;  ///< rows with the same conversationId form one conversation
  std::vector<Prompt> data;        ///< empty: all prompts are code, or none is listed
};

/// Reads and reports each prompt that `config` lists.
[[nodiscard]] Prompts read_prompts(Conversion& conversion, const Source& source, const Node& config);
/// The first prompt that `allowed` names by its label or id; with an empty `allowed`, the first one. Null: there is
/// none.
[[nodiscard]] const Prompt* first_allowed(const Prompts& prompts, const Node* allowed);

}  // namespace parley::convert
