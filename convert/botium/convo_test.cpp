#include "convert/botium/convo_test.hpp"

#include <algorithm>
#include <set>

#include "convert/botium/asserters.hpp"
#include "convert/records/escapes.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// Functions that Botium calls while it plays.
const std::set<std::string, std::less<>> functions{
    "now",       "now_EN", "now_DE", "now_ISO",      "date",        "date_EN",     "time",
    "timestamp", "year",   "month",  "day_of_month", "day_of_week", "random",      "random10",
    "uniqid",    "env",    "cap",    "func",         "msg",         "timestamp_ms"};

bool is_name_character(char c) {
  return ascii::is_letter(c) || ascii::is_digit(c) || c == '_';
}

/// The names after `$` in the text, longest first.
std::vector<std::string> variables_in(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && is_name_character(text[end])) ++end;
    if (end > at + 1 && !ascii::is_digit(text[at + 1])) names.emplace_back(text.substr(at + 1, end - at - 1));
  }
  return names;
}

class TestBuilder {
 public:
  TestBuilder(Conversion& conversion, const ConvoLibrary& library, const Convo& convo,
              const Variation& variation)
      : conversion_(conversion),
        library_(library),
        convo_(convo),
        variation_(variation),
        draft_(conversion.begin_test(convo.name, {*convo.source, convo.place})) {}

  void build() {
    for (std::size_t i = 0; i < convo_.steps.size(); ++i) {
      const ConvoStep& step = convo_.steps[i];
      if (step.kind == ConvoStep::Kind::me) add_user(step, i);
      if (step.kind == ConvoStep::Kind::bot) add_bot(step);
      if (step.kind == ConvoStep::Kind::hook) add_hooks(step);
    }
    conversion_.finish(std::move(draft_), {*convo_.source, convo_.place});
  }

 private:
  [[nodiscard]] std::size_t turn() const { return turns_ == 0 ? 0 : turns_ - 1; }
  [[nodiscard]] static At at(const ConvoStep& step, Place place) { return {*step.source, place}; }

  /// Known variables filled in, longest names first.
  std::string filled(std::string text) const {
    std::vector<std::pair<std::string, std::string>> known(variation_.variables.begin(),
                                                           variation_.variables.end());
    std::sort(known.begin(), known.end(),
              [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
    for (const auto& [name, value] : known) {
      if (name.size() < 2) continue;
      for (std::size_t found = text.find(name); found != std::string::npos;
           found = text.find(name, found + value.size())) {
        text.replace(found, name.size(), value);
      }
    }
    return text;
  }

  void lose_hook(const ConvoStep& step, const HookLine& hook, Place place, const std::string& why) {
    conversion_.note(draft_, at(step, place),
                     {.outcome = Outcome::not_mapped, .source = hook.name, .text = hook.rest, .why = why});
  }

  void hook_line(const ConvoStep& step, const HookLine& hook, Place place) {
    if (hook.name == "SET_SCRIPTING_MEMORY" && hook.arguments.size() == 2) {
      conversion_.note(draft_, at(step, place), {.source = hook.name, .text = hook.rest, .became = {"text"}});
      return;
    }
    lose_hook(step, hook, place, "it steers Botium or its connector");
  }

  void add_hooks(const ConvoStep& step) {
    for (const ConvoLine& line : step.lines) {
      if (ascii::trimmed(line.text).empty()) continue;
      const HookLine hook = hook_of(line.text, false);
      if (!hook.name.empty()) {
        hook_line(step, hook, line.place);
      } else {
        conversion_.note(draft_, at(step, line.place),
                         {.outcome = Outcome::not_mapped,
                          .source = cut(hook.rest, 40),
                          .text = hook.rest,
                          .why = "there is no such hook"});
      }
    }
  }

  void add_user(const ConvoStep& step, std::size_t position) {
    bot_steps_ = 0;
    std::string text;
    std::string button;
    bool is_lost = false;
    Place place = step.lines.empty() ? step.place : step.lines.front().place;
    for (const ConvoLine& line : step.lines) {
      const HookLine hook = hook_of(line.text, false);
      if (hook.name.empty()) {
        text += (text.empty() ? "" : "\n") + line.text;
      } else if (hook.name == "BUTTON") {
        button = hook.arguments.empty() ? "" : hook.arguments.front();
      } else if (hook.name == "MEDIA" || hook.name == "FORM" || hook.name == "USER_MEDIA" ||
                 hook.name == "DTMF") {
        is_lost = true;
        lose_hook(step, hook, line.place, "a tester can only say text");
      } else {
        hook_line(step, hook, line.place);
      }
    }
    if (const auto said = variation_.said.find(position); said != variation_.said.end()) text = said->second;
    text = filled(std::string(ascii::trimmed(text, " \t\n")));
    ++turns_;
    say(step, place, text, button, is_lost);
  }

  void say(const ConvoStep& step, Place place, const std::string& text, const std::string& button,
           bool is_lost) {
    if (is_lost && text.empty()) {
      draft_.cannot_play = true;
      --turns_;
      return;
    }
    for (const std::string& name : variables_in(text)) {
      if (!captured_.contains(name) && !functions.contains(name)) continue;
      conversion_.note(draft_, at(step, place),
                       {.kind = ItemKind::turn,
                        .outcome = Outcome::not_mapped,
                        .source = "#me",
                        .text = text,
                        .why = "$" + name + " is known only while it is played"});
      draft_.cannot_play = true;
      --turns_;
      return;
    }
    draft_.cannot_play = draft_.cannot_play || is_lost;
    if (text.empty() && !button.empty()) {
      return conversion_.say(
          draft_, filled(button), at(step, place),
          {.outcome = Outcome::approximated, .source = "BUTTON", .why = "the text of the button is said"});
    }
    conversion_.say(draft_, text, at(step, place), {.source = "#me"});
  }

  void add_bot(const ConvoStep& step) {
    if (++bot_steps_ == 2) {
      conversion_.note(draft_, at(step, step.place),
                       {.outcome = Outcome::approximated,
                        .source = "several bot messages in a turn",
                        .why = "their order and number are not checked"});
    }
    const bool is_optional = std::any_of(step.lines.begin(), step.lines.end(), [](const ConvoLine& line) {
      return hook_of(line.text, true).is_optional;
    });
    if (is_optional) {
      conversion_.lose(draft_, at(step, step.place),
                       {.source = "optional step",
                        .text = step.lines.front().text,
                        .why = "what follows depends on whether it comes"});
    }
    std::string text;
    std::string line_ends;  ///< of the empty lines before this one
    bool is_negated = false;
    bool has_asserter = false;
    Place place = step.place;
    for (const ConvoLine& line : step.lines) {
      line_ends += '\n';
      if (ascii::trimmed(line.text).empty()) continue;
      const HookLine hook = hook_of(line.text, true);
      if (is_asserter(hook.name)) {
        has_asserter = true;
        if (!is_optional) add_asserter(step, hook, line.place);
      } else if (!hook.name.empty()) {
        hook_line(step, hook, line.place);
      } else if (!is_optional) {
        if (text.empty()) {
          place = line.place;
          is_negated = hook.is_negated;
          text = hook.rest;
        } else {
          text += line_ends;
          text += ascii::trimmed(line.text);
        }
        if (looks_like_hook(line.text)) {
          conversion_.note(draft_, at(step, line.place),
                           {.outcome = Outcome::ignored, .source = "word in capitals", .text = line.text});
        }
      }
      line_ends.clear();
    }
    if (is_optional) return;
    if (!text.empty()) return add_text(step, place, filled(text), is_negated);
    if (has_asserter) return;
    conversion_.check(draft_, number_check("min-length", "value", 1, turn_scope(turn())),
                      at(step, step.place), {.source = "any message"});
  }

  /// The arguments with the texts of the utterances that they name.
  [[nodiscard]] std::vector<std::string> with_utterances(const std::vector<std::string>& arguments) const {
    std::vector<std::string> texts;
    for (const std::string& each : arguments) {
      const auto found = library_.utterances.find(each);
      if (found == library_.utterances.end() || found->second.empty()) {
        texts.push_back(each);
      } else {
        texts.insert(texts.end(), found->second.begin(), found->second.end());
      }
    }
    return texts;
  }

  void add_asserter(const ConvoStep& step, const HookLine& hook, Place place) {
    HookLine known = hook;
    if (hook.name.starts_with("TEXT")) known.arguments = with_utterances(known.arguments);
    for (std::string& each : known.arguments) each = filled(each);
    known.rest = filled(known.rest);
    Asserted found = asserted(known, turn());
    Item item{.outcome = found.outcome,
              .source = (hook.is_negated ? "!" : "") + hook.name,
              .text = hook.rest,
              .why = found.why,
              .needs = found.needs};
    if (!found.check) return conversion_.lose(draft_, at(step, place), std::move(item));
    found.check->negate = hook.is_negated;
    conversion_.check(draft_, std::move(*found.check), at(step, place), std::move(item));
  }

  void add_text(const ConvoStep& step, Place place, const std::string& text, bool is_negated) {
    Item item{.source = "text", .text = text};
    Check check = text_or_utterance(text, item);
    check.negate = is_negated;
    if (is_negated) item.source = "!text";
    conversion_.check(draft_, std::move(check), at(step, place), std::move(item));
  }

  Check text_or_utterance(const std::string& text, Item& item) {
    const auto found = library_.utterances.find(text);
    if (found == library_.utterances.end() || found->second.empty()) {
      const std::string pattern = capturing(text, item);
      return pattern == text
                 ? bot_text_check(text, turn())
                 : pattern_check("wildcard", "*" + pattern + "*", turn_scope(turn()), Ignoring::letter_case);
    }
    const std::vector<std::string>& texts = found->second;
    const bool is_plain = std::none_of(texts.begin(), texts.end(), [](const std::string& each) {
      return each.find_first_of("*$") != std::string::npos;
    });
    if (is_plain && texts.size() > 1)
      return texts_check("contains-any", texts, turn_scope(turn()), Ignoring::letter_case);
    std::vector<Check> checks;
    for (const std::string& each : texts) checks.push_back(bot_text_check(filled(each), turn()));
    return checks.size() == 1 ? checks.front() : set_check("any", checks);
  }

  /// The text with `*` for each variable that is captured here; the text itself if it has no variable.
  std::string capturing(const std::string& text, Item& item) {
    const std::vector<std::string> names = variables_in(text);
    if (names.empty()) return text;
    std::string pattern = glob_to_wildcard(text);
    for (const std::string& name : names) {
      captured_.insert(name);
      const std::size_t at_name = pattern.find("$" + name);
      if (at_name != std::string::npos) pattern.replace(at_name, name.size() + 1, "*");
    }
    item.outcome = Outcome::approximated;
    item.why = "the variable takes any text";
    return pattern;
  }

  Conversion& conversion_;
  const ConvoLibrary& library_;
  const Convo& convo_;
  const Variation& variation_;
  TestDraft draft_;
  std::size_t turns_ = 0;
  std::size_t bot_steps_ = 0;
  std::set<std::string, std::less<>> captured_;
};

}  // namespace

void add_convo_test(Conversion& conversion, const ConvoLibrary& library, const Convo& convo,
                    const Variation& variation) {
  TestBuilder(conversion, library, convo, variation).build();
}

}  // namespace parley::convert
