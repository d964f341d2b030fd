#pragma once
/// The row type of the table of assertion types (D31): the name of a type, the keys of its config, and
/// the pure function that decides it. Rows are constants; any thread may read them.

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
  count,   ///< a whole number from 0 on
  amount,  ///< a number from 0 on
  number,
  share,    ///< a number from 0 to 1
  list,     ///< 1 to items_max values of any type
  objects,  ///< 1 to items_max objects
  object,
  any,  ///< null counts as given
};

/// Strings in a list of a config: each may be searched in 64 MiB of text.
inline constexpr std::size_t config_items_max = 200;
/// Entries that a verdict names as evidence; more would not help a reader.
inline constexpr std::size_t evidence_max = 20;

struct ConfigKey {
  std::string_view name;
  bool needed;
  ConfigType type;
  std::string_view sentence;
  std::size_t items_max = config_items_max;  ///< of a list
  /// What a text, or each text of a list, must be; empty: anything.
  std::span<const std::string_view> words = {};
};

/// An optional text that is one of the keywords if present.
[[nodiscard]] constexpr ConfigKey word_key(std::string_view name, std::span<const std::string_view> words,
                                           std::string_view sentence) {
  return {name, false, ConfigType::text, sentence, config_items_max, words};
}

/// The outcome of a type. `expected` and `found` are clauses without capital and full stop; for error and
/// skipped only `found` is given and is a whole sentence.
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
  std::span<const ConfigKey> keys;  ///< its own keys; config_keys() adds the common ones
  bool scoped = false;              ///< checks texts, so `scope` chooses which
  bool turn_scoped = false;         ///< `scope` chooses a turn; decide() sees the entries of that turn alone
  bool negatable = true;
  /// Rules beyond presence and JSON type of the keys. Must accept keys of the wrong type. Null if there are
  /// no such rules.
  void (*check)(const json::Value& config, const std::string& pointer, Findings& findings) = nullptr;
  /// Needs: a config without faults.
  Verdict (*decide)(const json::Value& config, Conversation& conversation) = nullptr;
  /// The parts of a text that decide: what was searched and found. Null for types that quote nothing.
  std::vector<Span> (*spans)(const json::Value& config, std::string_view text,
                             Conversation& conversation) = nullptr;
};

/// All keys that the type accepts: its own, then `scope` and `negate` if they apply.
[[nodiscard]] std::vector<ConfigKey> config_keys(const Kind& kind);

/// "string", "string[]", "integer" ...: the JSON type in docs and messages.
[[nodiscard]] std::string_view type_word(ConfigType type);

/// Adds a fault for each unknown or missing key and each value of the wrong JSON type, pointed at below
/// `pointer`. Needs: `config` is an object, here and below.
void check_keys(const Kind& kind, const json::Value& config, const std::string& pointer, Findings& findings);
/// Adds a fault for each text that is not a keyword of its key.
void check_words(const Kind& kind, const json::Value& config, const std::string& pointer, Findings& findings);
/// Adds a fault for each value that has the right type and is still invalid: a bad pattern, an unknown
/// keyword.
void check_values(const Kind& kind, const json::Value& config, const std::string& pointer,
                  Findings& findings);

/// The type's decision with `negate` applied: passed and failed are swapped, error and skipped stay. Needs: a
/// config without faults.
[[nodiscard]] Verdict decide_turned(const Kind& kind, const json::Value& config, Conversation& conversation);

}  // namespace parley::scoring
