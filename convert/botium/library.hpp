#pragma once
/// Botium files, parsed into plain values: conversations, partial conversations, utterances, tables of variables.

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "convert/botium/asserters.hpp"
#include "convert/records/conversion.hpp"

namespace parley::convert {

struct ConvoLine {
  std::string text;
  Place place;
};

/// A section of a conversation: `#me`, `#bot`, `#begin`, `#end` or `#include`.
struct ConvoStep {
  enum class Kind : std::uint8_t { me, bot, hook, include };
  Kind kind = Kind::me;
  std::vector<ConvoLine> lines;
  Place place;
  const Source* source = nullptr;
};

struct Convo {
  std::string name;
  std::vector<ConvoStep> steps;
  Place place;
  const Source* source = nullptr;
  std::string description = {};
};

/// One case in a table of variables: maps `$name` to its value. Empty values are not substituted.
struct MemoryRow {
  std::string name;
  std::map<std::string, std::string> values;
};

/// Everything that must be read before a conversation can be expanded.
struct ConvoLibrary {
  std::deque<Source> sources;  ///< the files that places refer to
  std::vector<Convo> convos;
  std::map<std::string, Convo> partial;
  std::map<std::string, std::vector<std::string>> utterances;
  std::vector<std::vector<MemoryRow>> memory;  ///< one list for each set of variables
  CustomHooks custom;
};

/// Whether the file name follows Botium's naming convention.
[[nodiscard]] bool is_botium_file(const std::string& path);
/// Whether a YAML or JSON file has a Botium key. Botium reads such files regardless of their names.
[[nodiscard]] bool has_botium_keys(const Node& file);
/// Whether the file is a configuration of Botium, `botium.json` or `botium.NAME.json`.
[[nodiscard]] bool is_botium_settings(const std::string& path);
/// Adds the names that the configuration registers under ASSERTERS and LOGIC_HOOKS. Those that Botium calls in every
/// conversation are reported. An invalid file is ignored.
void read_botium_settings(Conversion& conversion, const Source& file, CustomHooks& custom);
/// Adds the content of the file to `library`. Adds a fault if the file is invalid.
void read_botium_file(Conversion& conversion, Source&& file, ConvoLibrary& library);

}  // namespace parley::convert
