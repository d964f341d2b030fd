#pragma once
/// Files of Botium as values: conversations, partial conversations, utterances, tables of variables. Plain values.

#include <deque>
#include <map>
#include <string>
#include <vector>

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

/// One case of a table of variables: `$name` to its value. Empty values are not filled in.
struct MemoryRow {
  std::string name;
  std::map<std::string, std::string> values;
};

/// Everything that is read before a conversation can be expanded.
struct ConvoLibrary {
  std::deque<Source> sources;  ///< what the places point into
  std::vector<Convo> convos;
  std::map<std::string, Convo> partial;
  std::map<std::string, std::vector<std::string>> utterances;
  std::vector<std::vector<MemoryRow>> memory;  ///< one list for each set of variables
};

/// Whether the name of a file is one of Botium's.
[[nodiscard]] bool is_botium_file(const std::string& path);
/// Whether a YAML or JSON file has a key of Botium, which reads such files whatever their names are.
[[nodiscard]] bool has_botium_keys(const Node& file);
/// Adds what the file holds. A fault of the file is added.
void read_botium_file(Conversion& conversion, Source&& file, ConvoLibrary& library);

}  // namespace parley::convert
