#include "convert/botium/asserters.hpp"

#include <algorithm>
#include <array>

#include "convert/records/escapes.hpp"
#include "convert/records/log_draft.hpp"
#include "model/json/json.hpp"
#include "model/json/json_writer.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// List asserters, and the pointer to the list whose JSON text is compared.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> lists{
    {{"BUTTONS", "/buttons"},
     {"CARDS", "/cards"},
     {"MEDIA", "/media"},
     {"FORMS", "/forms"},
     {"ENTITIES", "/nlp/entities"},
     {"ENTITY_VALUES", "/nlp/entities"},
     {"ENTITY_CONTENT", "/nlp/entities"}}};
constexpr std::array<std::string_view, 22> unmapped_asserters{"INTENT_UNIQUE",
                                                              "RESPONSE_LENGTH",
                                                              "HAS_LINK",
                                                              "CHECKLINK",
                                                              "BASICLINK",
                                                              "BOT_CONSUMED",
                                                              "BOT_UNCONSUMED_COUNT",
                                                              "BUTTONS_COUNT",
                                                              "BUTTONS_COUNT_REC",
                                                              "CARDS_COUNT",
                                                              "CARDS_COUNT_REC",
                                                              "MEDIA_COUNT",
                                                              "MEDIA_COUNT_REC",
                                                              "JSON_PATH_COUNT",
                                                              "PAUSE_ASSERTER",
                                                              "GUI_ASSERT",
                                                              "TEXT_WER",
                                                              "TEXT_WORD_COUNT",
                                                              "TOKENCOUNT",
                                                              "LATENCY",
                                                              "NLU_ASSERT",
                                                              "VOID"};
constexpr std::array<std::string_view, 20> hooks{"INCLUDE",
                                                 "PAUSE",
                                                 "UPDATE_CUSTOM",
                                                 "SET_SCRIPTING_MEMORY",
                                                 "CLEAR_SCRIPTING_MEMORY",
                                                 "ASSIGN_SCRIPTING_MEMORY",
                                                 "WAITFORBOT",
                                                 "CONVO_STEP_PARAMETERS",
                                                 "CONDITIONAL_STEP_TIME_BASED",
                                                 "CONDITIONAL_STEP_BUSINESS_HOURS",
                                                 "CONDITIONAL_STEP_CAPABILITY_VALUE_BASED",
                                                 "CONDITIONAL_STEP_JSON_PATH_BASED",
                                                 "ORDERED_LIST_TO_BUTTON",
                                                 "SKIP_BOT_UNCONSUMED",
                                                 "MUTE_MESSAGE",
                                                 "BUTTON",
                                                 "FORM",
                                                 "USER_MEDIA",
                                                 "DTMF",
                                                 "LISTEN"};

template <class List>
bool has_word(const List& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_text_asserter(std::string_view name) {
  return name == "TEXT" || name == "TEXT_IC" || name.starts_with("TEXT_CONTAINS") ||
         name.starts_with("TEXT_REGEXP") || name.starts_with("TEXT_WILDCARD") ||
         name.starts_with("TEXT_EQUALS");
}

/// Checks that the value at the pointer is not null.
Check is_there(const std::string& pointer, std::size_t turn) {
  return json_check({pointer, "messages", {}, "notEquals", "null", turn_scope(turn)});
}

/// An RE2 pattern that matches as Botium does: letter case is ignored, and `*` is a wildcard.
std::string matching(std::string_view text) {
  std::string pattern = "(?is)";
  while (true) {
    const std::size_t star = text.find('*');
    pattern += escaped_for_pattern(text.substr(0, star));
    if (star == std::string_view::npos) return pattern;
    pattern += ".*";
    text.remove_prefix(star + 1);
  }
}

Asserted list_check(const HookLine& hook, std::string_view pointer, std::size_t turn) {
  std::vector<std::string> values;
  for (const std::string& each : hook.arguments) {
    if (each != ".." && each != "..." && !each.empty()) values.push_back(each);
  }
  const std::string needs = "messages carry " + std::string(pointer);
  if (values.empty())
    return {is_there(std::string(pointer), turn), Outcome::approximated,
            "checks that there is one, not how many", needs};
  Check check = texts_check("contains-all", values, turn_scope(turn));
  check.config.insert(check.config.size() - 1, ",\"pointer\":" + json_text(pointer));
  return {std::move(check), Outcome::approximated, "compared with the JSON text of the list", needs};
}

/// Converts a path such as `$.a.b[0]['c d']` to a pointer; nullopt for a path that selects or calculates.
std::optional<std::string> pointer_of(std::string_view path) {
  if (!path.starts_with('$')) return std::nullopt;
  std::string pointer;
  std::size_t at = 1;
  while (at < path.size()) {
    std::string token;
    if (path[at] == '.') {
      const std::size_t end = std::min(path.find_first_of(".[", at + 1), path.size());
      token = path.substr(at + 1, end - at - 1);
      at = end;
    } else if (path[at] == '[') {
      const std::size_t end = path.find(']', at);
      if (end == std::string_view::npos) return std::nullopt;
      token = ascii::trimmed(path.substr(at + 1, end - at - 1), "'\"");
      at = end + 1;
    } else {
      return std::nullopt;
    }
    if (token.empty() || token.find_first_of("*?@:()") != std::string::npos) return std::nullopt;
    pointer += "/" + json::pointer_token(token);
  }
  return pointer;
}

Asserted path_check(const HookLine& hook, std::size_t turn) {
  const auto pointer = hook.arguments.empty() ? std::nullopt : pointer_of(hook.arguments.front());
  if (!pointer || pointer->empty()) return {std::nullopt, Outcome::not_mapped, "only plain paths are mapped"};
  const std::string needs = "messages carry " + pointer->substr(0, pointer->find('/', 1));
  if (hook.arguments.size() < 2) return {is_there(*pointer, turn), Outcome::exact, {}, needs};
  const std::string& value = hook.arguments[1];
  const auto document = json::parse(value);
  const bool is_plain =
      document.ok() && (document->root().is(json::Kind::number) || document->root().is(json::Kind::boolean));
  const std::string expected =
      is_plain ? "[" + json_text(value) + "," + value + "]" : json_text(matching(value));
  return {json_check({*pointer, "messages", {}, is_plain ? "oneOf" : "matches", expected, turn_scope(turn)}),
          Outcome::exact,
          {},
          needs};
}

/// A pattern check for the asserter `name`. For TEXT_WILDCARDEXACT the pattern must match the whole text.
Check pattern_of(const std::string& value, std::string_view name, bool ignores_case, std::size_t turn) {
  if (name.starts_with("TEXT_REGEXP"))
    return pattern_check("regex", (ignores_case ? "(?i)" : "") + value, turn_scope(turn));
  const std::string around = name.starts_with("TEXT_WILDCARDEXACT") ? "" : "*";
  return pattern_check("wildcard", around + glob_to_wildcard(value) + around, turn_scope(turn),
                       ignoring_for(value, ignores_case));
}

Asserted text_asserter(const HookLine& hook, std::size_t turn) {
  std::string name = hook.name;
  const bool ignores_case = name.ends_with("_IC");
  if (ignores_case) name.resize(name.size() - 3);
  const bool is_any = name.ends_with("_ANY");
  const bool compares = name.starts_with("TEXT_EQUALS") || name == "TEXT";
  if (hook.arguments.empty() && compares)  // any text
    return {number_check("min-length", "value", 1, turn_scope(turn))};
  if (hook.arguments.empty()) return {std::nullopt, Outcome::not_mapped, "it has no text"};
  if (compares) {
    std::vector<Check> checks;
    for (const std::string& each : hook.arguments)
      checks.push_back(text_check("equals", each, turn_scope(turn), ignoring_for(each, ignores_case)));
    if (checks.size() == 1) return {std::move(checks.front())};
    return {set_check("any", checks)};
  }
  if (name.starts_with("TEXT_CONTAINS")) {
    std::string all;
    for (const std::string& each : hook.arguments) all += each;
    return {texts_check(is_any ? "contains-any" : "contains-all", hook.arguments, turn_scope(turn),
                        ignoring_for(all, ignores_case))};
  }
  std::vector<Check> checks;
  for (const std::string& each : hook.arguments) checks.push_back(pattern_of(each, name, ignores_case, turn));
  if (checks.size() == 1) return {std::move(checks.front())};
  return {set_check(is_any ? "any" : "all", checks)};
}

std::string first_word(std::string_view line) {
  return std::string(line.substr(0, line.find_first_of(" \t")));
}

/// The arguments separated by `|`; `\|` is a literal `|`.
std::vector<std::string> arguments_of(std::string_view rest) {
  std::vector<std::string> arguments;
  std::string argument;
  for (std::size_t at = 0; at < rest.size(); ++at) {
    if (rest.substr(at).starts_with("\\|")) {
      argument += '|';
      ++at;
    } else if (rest[at] == '|') {
      arguments.emplace_back(ascii::trimmed(argument));
      argument.clear();
    } else {
      argument += rest[at];
    }
  }
  if (!argument.empty()) arguments.emplace_back(ascii::trimmed(argument));
  return arguments;
}

bool is_asserter(std::string_view name) {
  const bool is_list =
      std::any_of(lists.begin(), lists.end(), [&](const auto& each) { return each.first == name; });
  return is_list || name == "INTENT" || name == "INTENT_CONFIDENCE" || name == "JSON_PATH" ||
         is_text_asserter(name) || has_word(unmapped_asserters, name);
}

}  // namespace

std::string hook_word(std::string_view line) {
  line = ascii::trimmed(line);
  const std::size_t begin = line.find_first_not_of("?! ");
  return begin == std::string_view::npos ? std::string() : first_word(line.substr(begin));
}

bool looks_like_hook(const std::string& line) {
  const std::string word = hook_word(line);
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (std::count_if(word.begin(), word.end(), is_capital) < 3) return false;
  const bool has_arguments = ascii::trimmed(line).find_first_of(" \t") != std::string_view::npos;
  if (word.find('_') == std::string::npos && !has_arguments) return false;
  return std::all_of(word.begin(), word.end(),
                     [&](char c) { return is_capital(c) || c == '_' || ascii::is_digit(c); });
}

HookLine hook_of(const std::string& line, bool is_bot, const CustomHooks& custom) {
  HookLine hook;
  std::string_view text = ascii::trimmed(line);
  // A doubled mark is a literal character of the text.
  if (is_bot && text.starts_with('?')) {
    hook.is_optional = !text.starts_with("??");
    text = ascii::trimmed(text.substr(1));
  }
  if (is_bot && text.starts_with('!')) {
    hook.is_negated = !text.starts_with("!!");
    text = ascii::trimmed(text.substr(1));
  }
  const std::string word = first_word(text);
  hook.rest = text;
  const bool is_built_in =
      has_word(hooks, word) || (is_bot && is_asserter(word)) || (!is_bot && word == "MEDIA");
  hook.is_asserter = is_bot && (is_asserter(word) || custom.asserters.contains(word));
  hook.is_custom = !is_built_in && (hook.is_asserter || custom.logic_hooks.contains(word));
  if (!is_built_in && !hook.is_custom) return hook;
  hook.name = word;
  hook.rest = ascii::trimmed(text.substr(word.size()));
  hook.arguments = arguments_of(hook.rest);
  return hook;
}

Asserted asserted(const HookLine& hook, std::size_t turn) {
  for (const auto& [name, pointer] : lists) {
    if (hook.name == name) return list_check(hook, pointer, turn);
  }
  if (hook.name == "INTENT" && !hook.rest.empty()) {
    return {
        json_check({"/nlp/intent/name", "messages", {}, "equals", json_text(hook.rest), turn_scope(turn)}),
        Outcome::exact,
        {},
        "messages carry /nlp/intent"};
  }
  if (hook.name == "INTENT_CONFIDENCE" && ascii::is_digits(hook.rest) && hook.rest.size() < 4) {
    const double share = std::stod(hook.rest) / 100;
    return {json_check({"/nlp/intent/confidence",
                        "messages",
                        {},
                        "greaterOrEqual",
                        json::number_text(share),
                        turn_scope(turn)}),
            Outcome::exact,
            {},
            "messages carry /nlp/intent"};
  }
  if (hook.name == "INTENT" || hook.name == "INTENT_CONFIDENCE") {
    return {std::nullopt, Outcome::not_mapped,
            hook.name == "INTENT" ? "it names no intent" : "the value is not a number from 0 to 999"};
  }
  if (hook.is_custom) return {std::nullopt, Outcome::not_mapped, "code is never run"};
  if (hook.name == "JSON_PATH") return path_check(hook, turn);
  if (is_text_asserter(hook.name)) return text_asserter(hook, turn);
  return {std::nullopt, Outcome::not_mapped, "parley has no such assertion type"};
}

Ignoring ignoring_for(std::string_view text, bool ignores_case) {
  const bool has_blanks = text.find_first_of(" \t\n") != std::string_view::npos;
  if (has_blanks) return ignores_case ? Ignoring::case_and_whitespace : Ignoring::whitespace;
  return ignores_case ? Ignoring::letter_case : Ignoring::nothing;
}

Check bot_pattern_check(const std::string& pattern, std::size_t turn) {
  const bool takes_any_text = pattern.find_first_not_of("* \t\n") == std::string::npos;
  if (takes_any_text) return number_check("min-length", "value", 1, turn_scope(turn));
  return pattern_check("wildcard", "*" + pattern + "*", turn_scope(turn), ignoring_for(pattern, true));
}

Check bot_text_check(const std::string& text, std::size_t turn) {
  if (text.find('*') != std::string::npos) return bot_pattern_check(glob_to_wildcard(text), turn);
  const Ignoring ignoring = ignoring_for(text, false);
  return text_check("icontains", text, turn_scope(turn),
                    ignoring == Ignoring::nothing ? Ignoring::fixed : ignoring);
}

}  // namespace parley::convert
