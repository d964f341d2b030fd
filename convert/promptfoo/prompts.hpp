#pragma once
/// The prompts of a configuration: the first that is data says where the user's text comes from. One thread.

#include <filesystem>

#include "convert/promptfoo/template.hpp"
#include "convert/records/conversion.hpp"

namespace parley::convert {

struct Prompt {
  bool is_data = false;             ///< false: all prompts are code, or the list is empty
  bool is_code = false;             ///< some prompt is code
  bool uses_conversation = false;   ///< rows with one conversationId are one conversation
  std::string text;                 ///< template of the user's text
  std::vector<Message> history;     ///< templates of the messages before it
  std::vector<std::string> system;  ///< templates of system messages
};

/// Reads the prompts that `config` lists and reports each of them.
[[nodiscard]] Prompt read_prompts(Conversion& conversion, const Source& source, const Node& config);

/// Names of files that a reader never opens: they hold code.
[[nodiscard]] bool is_code_file(std::string_view name);
/// `file://` is dropped, and so is a function name after the last colon of a code file.
[[nodiscard]] std::string file_name_of(std::string_view reference);
/// Names of the files below the folder of the PATH that match the glob, sorted.
[[nodiscard]] std::vector<std::string> matching_files(Conversion& conversion, const Source& source,
                                                      const std::string& pattern);
/// The folder of the PATH: what its data files must be in.
[[nodiscard]] std::filesystem::path folder_of(const Source& source);

}  // namespace parley::convert
