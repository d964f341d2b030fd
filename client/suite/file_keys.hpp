#pragma once
/// THE table of the keys of a suite file. The checks of the reader, the JSON Schema and the page of the documentation
/// are derived from it. Constants; any thread.

#include <cstdint>
#include <span>
#include <string_view>

namespace parley::client {

enum class Shape : std::uint8_t {
  text,       ///< any scalar except null, as written
  file_text,  ///< a text, or `file:PATH` for the content of a file
  slug,       ///< lower-case letters, digits, `-`, `_` and `.`
  word,       ///< one of `words`
  flag,       ///< true or false
  whole,      ///< a whole number within the bounds
  number,     ///< a number within the bounds
  duration,   ///< `250ms`, `20s`, `5m`; a bare number is seconds
  ratio,      ///< `4/5`
  names,      ///< a list of texts
  name_or_names,
  texts_by_name,    ///< a mapping of texts
  secrets_by_name,  ///< a mapping of texts with `${...}` or `file:`
  secret,           ///< a text with `${...}` or `file:`
  mapping,          ///< any mapping
  any,              ///< any value
  section,          ///< a mapping with the keys of `nested`
  section_or_word,  ///< a mapping with the keys of `nested`, or one of `words`
  sections,         ///< a list of mappings with the keys of `nested`
  sections_by_name,
  assertions,
};

struct FileSection;

struct FileKey {
  std::string_view name;
  Shape shape;
  std::string_view sentence;
  const FileSection* nested = nullptr;
  bool is_required = false;
  std::int64_t least = 0;
  std::int64_t most = INT64_MAX;
  std::span<const std::string_view> words = {};
  std::string_view only_for = {};  ///< kinds of agent that accept the key, separated by blanks; empty: all
};

struct FileSection {
  std::string_view name;  ///< in the schema: `test`
  std::string_view noun;  ///< in messages: `a test`
  std::string_view path;  ///< in the documentation: `tests[]`
  std::span<const FileKey> keys;
};

/// Returns the row of the key; null if the section does not have it.
[[nodiscard]] const FileKey* find_key(const FileSection& section, std::string_view name);

namespace sections {
extern const FileSection suite;
extern const FileSection included;  ///< a file named by `include`
extern const FileSection model;
extern const FileSection agent;
extern const FileSection persona;
extern const FileSection field;
extern const FileSection scenario;
extern const FileSection test;
extern const FileSection variant;
extern const FileSection message;  ///< a message of a history
extern const FileSection data;
extern const FileSection snapshot;
extern const FileSection defaults;
extern const FileSection matrix;
extern const FileSection cell;
extern const FileSection gate;
extern const FileSection assertion;  ///< the keys next to the type
}  // namespace sections

/// Returns all sections, in the order of the documentation.
[[nodiscard]] std::span<const FileSection* const> file_sections();

/// Returns the keys that select the kind of an agent. An agent has exactly one of them.
[[nodiscard]] std::span<const std::string_view> agent_kinds();

}  // namespace parley::client
