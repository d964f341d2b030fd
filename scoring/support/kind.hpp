#pragma once
/// The row type of the table of assertion types (D31): the name of a type, the keys of its config, and the pure
/// function that decides it. Rows are constants; any thread may read them.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/description/record_parse.hpp"
#include "model/records/assertion.hpp"
#include "scoring/support/conversation.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {

/// The JSON that a config key accepts.
enum class ConfigType : std::uint8_t {
  text,
  texts,  ///< 1 to items_max strings
  names,  ///< 0 to items_max strings
  flag,
  count,   ///< a whole number, 0 or more
  amount,  ///< a number, 0 or more
  number,
  share,    ///< a number from 0 to 1
  list,     ///< 1 to items_max values of any type
  objects,  ///< 1 to items_max objects
  object,
  any,  ///< null counts as given
};

/// The maximum number of strings in a config list: each may be searched in 64 MiB of text.
inline constexpr std::size_t config_items_max = 200;
/// The maximum number of entries that a verdict lists as evidence; more would not help a reader.
inline constexpr std::size_t evidence_max = 20;

struct ConfigKey {
  std::string_view name;
  bool needed;
  ConfigType type;
  std::string_view sentence;
  std::size_t items_max = config_items_max;  ///< for lists
  /// The allowed values of a text, or of each text in a list; empty: any text.
  std::span<const std::string_view> words = {};
};

/// An optional text that must be one of the keywords if present.
[[nodiscard]] constexpr ConfigKey word_key(std::string_view name, std::span<const std::string_view> words,
                                           std::string_view sentence) {
  return {name, false, ConfigType::text, sentence, config_items_max, words};
}

/// The outcome of an assertion. `expected` and `found` are clauses without a capital letter and a full stop.
/// For error and skipped, only `found` is given, as a whole sentence.
struct Verdict {
  AssertionStatus status = AssertionStatus::error;
  std::string expected = {};
  std::string found = {};
  std::vector<Id> evidence = {};
  std::vector<Quote> quotes = {};
};

struct Kind {
  std::string_view name;
  std::string_view summary;
  std::span<const ConfigKey> keys;  ///< the type's own keys; config_keys() adds the common ones
  bool scoped = false;              ///< the type checks texts, and `scope` selects them
  bool turn_scoped = false;  ///< `scope` selects a turn, and decide() sees only the entries of that turn
  bool negatable = true;
  /// Checks rules beyond presence and JSON type of the keys. Must accept keys of the wrong type. Null if the
  /// type has no such rules.
  void (*check)(const json::Value& config, const std::string& pointer, Findings& findings) = nullptr;
  /// Needs: a config without faults.
  Verdict (*decide)(const json::Value& config, Conversation& conversation) = nullptr;
  /// The parts of a text that decide: what was searched and found. Null for types that quote nothing.
  std::vector<Span> (*spans)(const json::Value& config, std::string_view text,
                             Conversation& conversation) = nullptr;
};

/// All keys that the type accepts: its own, then `scope` and `negate` if they apply.
[[nodiscard]] std::vector<ConfigKey> config_keys(const Kind& kind);

/// The JSON type as written in docs and messages: "string", "string[]", "integer" and so on.
[[nodiscard]] std::string_view type_word(ConfigType type);

/// Adds a fault for each unknown or missing key and each value of the wrong JSON type. The pointers of the
/// faults begin with `pointer`. Needs, here and below: `config` is an object.
void check_keys(const Kind& kind, const json::Value& config, const std::string& pointer, Findings& findings);
/// Adds a fault for each text that is not a keyword of its key.
void check_words(const Kind& kind, const json::Value& config, const std::string& pointer, Findings& findings);
/// Adds a fault for each value that has the right type but is invalid: a bad pattern, an unknown keyword.
void check_values(const Kind& kind, const json::Value& config, const std::string& pointer,
                  Findings& findings);

/// The type's decision with `negate` applied: passed and failed are swapped, error and skipped are unchanged.
/// Needs: a config without faults.
[[nodiscard]] Verdict decide_turned(const Kind& kind, const json::Value& config, Conversation& conversation);

}  // namespace parley::scoring
