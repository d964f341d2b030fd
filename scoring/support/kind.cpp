#include "scoring/support/kind.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "scoring/support/config.hpp"
#include "scoring/support/scope.hpp"

namespace parley::scoring {
namespace {

constexpr std::array scope_keys{
    ConfigKey{"scope", false, ConfigType::text,
              "Which texts are checked: any (default), all, first, last or turn:N."},
    word_key("target", target_words,
             "Whose texts: messages (of the chatbot, default), tools, events or actions."),
    ConfigKey{"pointer", false, ConfigType::text,
              "RFC 6901 pointer to the text in the entry's metadata; absent: what the message says."},
    ConfigKey{"name", false, ConfigType::text, "Only tools, events or actions of this name."},
};
constexpr ConfigKey turn_scope_key{"scope", false, ConfigType::text,
                                   "Only this turn: turn:N, first or last; absent: the whole conversation."};
constexpr ConfigKey negate_key{"negate", false, ConfigType::flag,
                               "true inverts the verdict; error and skipped stay."};

/// The allowed number of values in a list.
struct Sizes {
  std::size_t least;
  std::size_t most;
};

void check_texts(const json::Value& value, const Sizes& sizes, const std::string& pointer,
                 Findings& findings) {
  if (!value.is(json::Kind::array)) return findings.add(pointer, "must be an array of strings");
  if (value.size() < sizes.least) return findings.add(pointer, "must hold at least one string");
  if (value.size() > sizes.most) {
    return findings.add(pointer, "must hold at most " + std::to_string(sizes.most) + " strings");
  }
  std::size_t index = 0;
  for (const json::Value& item : value.children()) {
    if (!item.is(json::Kind::string)) findings.add(pointer + "/" + std::to_string(index), "must be a string");
    ++index;
  }
}

void check_number(const json::Value& value, bool whole, bool from_zero, const std::string& pointer,
                  Findings& findings) {
  if (!value.is(json::Kind::number))
    return findings.add(pointer, whole ? "must be an integer" : "must be a number");
  if (!std::isfinite(value.number())) return findings.add(pointer, "is out of range");
  if (whole && !value.integer()) return findings.add(pointer, "must be an integer");
  if (from_zero && value.number() < 0) findings.add(pointer, "must be 0 or more");
}

/// A list of `noun` with at least one item.
struct List {
  std::optional<json::Kind> kind;
  std::string noun;
  std::size_t most;
};

void check_list(const json::Value& value, const List& list, const std::string& pointer, Findings& findings) {
  if (!value.is(json::Kind::array)) return findings.add(pointer, "must be an array of " + list.noun);
  if (value.size() == 0 || value.size() > list.most) {
    return findings.add(pointer, "must hold 1 to " + std::to_string(list.most) + " " + list.noun);
  }
  std::size_t index = 0;
  for (const json::Value& item : value.children()) {
    if (list.kind && !item.is(*list.kind))
      findings.add(pointer + "/" + std::to_string(index), "must be an object");
    ++index;
  }
}

void check_kind(const json::Value& value, json::Kind kind, const std::string& detail,
                const std::string& pointer, Findings& findings) {
  if (!value.is(kind)) findings.add(pointer, detail);
}

void check_type(const json::Value& value, const ConfigKey& key, const std::string& pointer,
                Findings& findings) {
  switch (key.type) {
    case ConfigType::text:
      return check_kind(value, json::Kind::string, "must be a string", pointer, findings);
    case ConfigType::texts: return check_texts(value, {1, key.items_max}, pointer, findings);
    case ConfigType::names: return check_texts(value, {0, key.items_max}, pointer, findings);
    case ConfigType::flag:
      return check_kind(value, json::Kind::boolean, "must be a boolean", pointer, findings);
    case ConfigType::count: return check_number(value, true, true, pointer, findings);
    case ConfigType::amount: return check_number(value, false, true, pointer, findings);
    case ConfigType::number: return check_number(value, false, false, pointer, findings);
    case ConfigType::share:
      check_number(value, false, true, pointer, findings);
      if (value.is(json::Kind::number) && value.number() > 1) findings.add(pointer, "must be at most 1");
      return;
    case ConfigType::list: return check_list(value, {{}, "values", key.items_max}, pointer, findings);
    case ConfigType::objects:
      return check_list(value, {json::Kind::object, "objects", key.items_max}, pointer, findings);
    case ConfigType::object:
      return check_kind(value, json::Kind::object, "must be an object", pointer, findings);
    case ConfigType::any: return;
  }
}

/// "must be any, all or none"
std::string one_of(std::span<const std::string_view> words) {
  std::string text = "must be ";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

void check_word(const json::Value& value, const ConfigKey& key, const std::string& pointer,
                Findings& findings) {
  if (!value.is(json::Kind::string)) return;
  if (std::find(key.words.begin(), key.words.end(), value.string()) == key.words.end())
    findings.add(pointer, one_of(key.words));
}

AssertionStatus turned_round(AssertionStatus status) {
  if (status == AssertionStatus::passed) return AssertionStatus::failed;
  return status == AssertionStatus::failed ? AssertionStatus::passed : status;
}

/// Decides on the turn that the config selects, or on the whole conversation. A turn in which the chatbot
/// recorded nothing satisfies nothing.
Verdict decide_in_scope(const Kind& kind, const json::Value& config, Conversation& conversation) {
  const auto scope = kind.turn_scoped ? turn_scope_of(config, conversation) : std::nullopt;
  if (!scope) return kind.decide(config, conversation);
  const bool exists = scope->turn && conversation.select_turn(*scope->turn);
  Verdict verdict{AssertionStatus::failed,
                  "the chatbot does something in " + scope->phrase,
                  "it recorded nothing there",
                  {}};
  if (exists) {
    verdict = kind.decide(config, conversation);
    if (!verdict.expected.empty()) verdict.expected += " in " + scope->phrase;
  }
  conversation.select_all();
  return verdict;
}

std::string listed(const std::vector<ConfigKey>& keys) {
  if (keys.empty()) return "this type takes none";
  std::string text = "its keys are";
  for (std::size_t i = 0; i < keys.size(); ++i) {
    text += i == 0 ? " " : ", ";
    text += keys[i].name;
  }
  return text;
}

}  // namespace

std::vector<ConfigKey> config_keys(const Kind& kind) {
  std::vector<ConfigKey> keys(kind.keys.begin(), kind.keys.end());
  if (kind.scoped) keys.insert(keys.end(), scope_keys.begin(), scope_keys.end());
  if (kind.turn_scoped) keys.push_back(turn_scope_key);
  if (kind.negatable) keys.push_back(negate_key);
  return keys;
}

std::string_view type_word(ConfigType type) {
  switch (type) {
    case ConfigType::text: return "string";
    case ConfigType::texts:
    case ConfigType::names: return "string[]";
    case ConfigType::flag: return "boolean";
    case ConfigType::count: return "integer";
    case ConfigType::amount:
    case ConfigType::number:
    case ConfigType::share: return "number";
    case ConfigType::list: return "any[]";
    case ConfigType::objects: return "object[]";
    case ConfigType::object: return "object";
    case ConfigType::any: return "any";
  }
  return "any";
}

void check_keys(const Kind& kind, const json::Value& config, const std::string& pointer, Findings& findings) {
  const auto keys = config_keys(kind);
  for (const json::Value& member : config.children()) {
    const std::string at = pointer + "/" + json::pointer_token(member.key());
    const auto key =
        std::find_if(keys.begin(), keys.end(), [&](const auto& row) { return row.name == member.key(); });
    if (key == keys.end()) {
      findings.add(at, "is not a config key of the type " + std::string(kind.name) + "; " + listed(keys));
    } else if (!member.is(json::Kind::null)) {
      check_type(member, *key, at, findings);
    }
  }
  for (const ConfigKey& key : keys) {
    if (!key.needed) continue;
    const bool is_given =
        key.type == ConfigType::any ? config.find(key.name).has_value() : given(config, key.name).has_value();
    if (!is_given) findings.add(pointer + "/" + std::string(key.name), "is required");
  }
}

void check_words(const Kind& kind, const json::Value& config, const std::string& pointer,
                 Findings& findings) {
  for (const ConfigKey& key : config_keys(kind)) {
    const auto value = config.find(key.name);
    if (key.words.empty() || !value) continue;
    const std::string at = pointer + "/" + std::string(key.name);
    check_word(*value, key, at, findings);
    std::size_t index = 0;
    for (const json::Value& item : items_at(config, key.name))
      check_word(item, key, at + "/" + std::to_string(index++), findings);
  }
}

void check_values(const Kind& kind, const json::Value& config, const std::string& pointer,
                  Findings& findings) {
  if (kind.scoped) check_scope(config, pointer, findings);
  if (kind.turn_scoped) check_turn_scope(config, pointer, findings);
  if (kind.check != nullptr) kind.check(config, pointer, findings);
  check_words(kind, config, pointer, findings);
}

Verdict decide_turned(const Kind& kind, const json::Value& config, Conversation& conversation) {
  Verdict verdict = decide_in_scope(kind, config, conversation);
  if (conversation.work().end_assertion()) return {.found = std::string(too_much_work)};
  if (flag_at(config, "negate")) verdict.status = turned_round(verdict.status);
  return verdict;
}

}  // namespace parley::scoring
