#include "convert/botium/convo_test.hpp"

#include <algorithm>
#include <set>

#include "convert/botium/asserters.hpp"
#include "convert/botium/utterances.hpp"
#include "convert/botium/variables.hpp"
#include "convert/records/escapes.hpp"
#include "model/json/json.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

class TestBuilder {
 public:
  TestBuilder(Conversion& conversion, const ConvoLibrary& library, const Convo& convo,
              const Variation& variation)
      : conversion_(conversion),
        library_(library),
        convo_(convo),
        variation_(variation),
        draft_(conversion.begin_test(variation.name, {*convo.source, convo.place})) {}

  void build() {
    draft_.test.description = cut(convo_.description, 2'000);
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

  /// The text with known variables replaced, longest names first.
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
    if (hook.name == "ASSIGN_SCRIPTING_MEMORY" && !hook.arguments.empty())
      captured_.insert(hook.arguments.front());
    if (hook.name == "SET_SCRIPTING_MEMORY" && hook.arguments.size() == 2) {
      conversion_.note(draft_, at(step, place), {.source = hook.name, .text = hook.rest, .became = {"text"}});
      return;
    }
    lose_hook(step, hook, place,
              hook.is_custom ? "code is never run" : "it controls Botium or its connector");
  }

  [[nodiscard]] HookLine hook_in(const ConvoLine& line, bool is_bot) const {
    return hook_of(line.text, is_bot, library_.custom);
  }

  /// Warns of a line that may be an asserter or a hook. It is a text, because no file registers its first word.
  void warn_of_capitals(const ConvoStep& step, const ConvoLine& line) {
    if (!looks_like_hook(line.text) || !utterances_of(library_, line.text).empty()) return;
    conversion_.note(draft_, at(step, line.place),
                     {.outcome = Outcome::ignored, .source = "word in capitals", .text = line.text});
  }

  void add_hooks(const ConvoStep& step) {
    for (const ConvoLine& line : step.lines) {
      if (ascii::trimmed(line.text).empty()) continue;
      const HookLine hook = hook_in(line, true);
      if (hook.is_asserter) {
        conversion_.lose(draft_, at(step, line.place),
                         {.source = (hook.is_negated ? "!" : "") + hook.name,
                          .text = hook.rest,
                          .why = "it applies to the whole conversation"});
      } else if (!hook.name.empty()) {
        hook_line(step, hook, line.place);
      } else {
        conversion_.note(draft_, at(step, line.place),
                         {.outcome = Outcome::not_mapped,
                          .source = hook_word(line.text),
                          .text = hook.rest,
                          .why = "there is no such hook"});
      }
    }
  }

  void add_user(const ConvoStep& step, std::size_t position) {
    bot_steps_ = 0;
    has_user_ = true;
    std::string text;
    std::string button;
    bool is_lost = false;
    Place place = step.lines.empty() ? step.place : step.lines.front().place;
    for (const ConvoLine& line : step.lines) {
      const HookLine hook = hook_in(line, false);
      if (hook.name.empty() && is_hook_after_utterance(library_, text, line.text)) {
        conversion_.note(draft_, at(step, line.place),
                         {.outcome = Outcome::not_mapped,
                          .source = hook_word(line.text),
                          .text = line.text,
                          .why = "there is no such hook"});
      } else if (hook.name.empty()) {
        if (ascii::trimmed(text, " \t\n").empty()) place = line.place;
        text += (text.empty() ? "" : "\n") + line.text;
        warn_of_capitals(step, line);
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
    draft_.cannot_play = draft_.cannot_play || is_lost;
    const bool is_button = text.empty() && !button.empty();
    const std::string said = is_button ? filled(button) : text;
    Item item{.source = is_button ? "BUTTON" : "#me"};
    if (is_button) {
      item.outcome = Outcome::approximated;
      item.why = "the user says the text of the button";
    }
    if (const std::string unknown = unknown_in(said); !unknown.empty()) {
      draft_.cannot_play = true;
      item.outcome = Outcome::not_mapped;
      item.why = "$" + unknown + " is known only at run time";
    }
    conversion_.say(draft_, said, at(step, place), std::move(item));
  }

  /// The first variable of the text whose value is known only while Botium plays; empty if the text has none.
  [[nodiscard]] std::string unknown_in(const std::string& text) const {
    for (const std::string& name : variables_in(text)) {
      if (captured_.contains(name) || is_botium_function(name)) return name;
    }
    return {};
  }

  /// Reports an optional or conditional step as one lost check. False: the step is neither.
  bool lose_step(const ConvoStep& step) {
    const auto has = [&](const auto& is_wanted) {
      return std::any_of(step.lines.begin(), step.lines.end(),
                         [&](const ConvoLine& line) { return is_wanted(hook_in(line, true)); });
    };
    const bool is_optional = has([](const HookLine& hook) { return hook.is_optional; });
    const bool is_conditional =
        has([](const HookLine& hook) { return hook.name.starts_with("CONDITIONAL_STEP"); });
    if (!is_optional && !is_conditional) return false;
    conversion_.lose(draft_, at(step, step.place),
                     {.source = is_optional ? "optional step" : "conditional step",
                      .text = step.lines.front().text,
                      .why = is_optional ? "the following steps depend on whether this message arrives"
                                         : "it is checked only if its condition holds"});
    return true;
  }

  void add_bot(const ConvoStep& step) {
    if (!has_user_) conversion_.note_agent_begins(draft_, at(step, step.place));
    if (++bot_steps_ == 2) {
      conversion_.note(draft_, at(step, step.place),
                       {.outcome = Outcome::approximated,
                        .source = "several bot messages in a turn",
                        .why = "their order and number are not checked"});
    }
    const bool is_lost = lose_step(step);
    std::string text;
    std::string line_ends;  ///< line ends since the last non-empty line
    bool is_negated = false;
    bool has_asserter = false;
    Place place = step.place;
    for (const ConvoLine& line : step.lines) {
      line_ends += '\n';
      if (ascii::trimmed(line.text).empty()) continue;
      const HookLine hook = hook_in(line, true);
      if (hook.is_asserter) {
        has_asserter = true;
        if (!is_lost) add_asserter(step, hook, line.place);
      } else if (!hook.name.empty()) {
        hook_line(step, hook, line.place);
      } else if (!is_lost && is_hook_after_utterance(library_, text, line.text)) {
        conversion_.lose(
            draft_, at(step, line.place),
            {.source = hook_word(line.text), .text = line.text, .why = "there is no such asserter"});
      } else if (!is_lost) {
        if (text.empty()) {
          place = line.place;
          is_negated = hook.is_negated;
          text = hook.rest;
        } else {
          text += line_ends;
          text += ascii::trimmed(line.text);
        }
        warn_of_capitals(step, line);
      }
      line_ends.clear();
    }
    if (is_lost) return;
    if (!text.empty()) return add_text(step, place, filled(text), is_negated);
    if (has_asserter) return;
    conversion_.check(draft_, number_check("min-length", "value", 1, turn_scope(turn())),
                      at(step, step.place), {.source = "any message"});
  }

  /// The arguments, with names of utterances replaced by their texts.
  [[nodiscard]] std::vector<std::string> with_utterances(const std::vector<std::string>& arguments) const {
    std::vector<std::string> texts;
    for (const std::string& each : arguments) {
      const std::vector<std::string> found = utterances_of(library_, each);
      if (found.empty()) texts.push_back(each);
      texts.insert(texts.end(), found.begin(), found.end());
    }
    return texts;
  }

  /// The first variable without a value in the arguments; empty if all variables have values.
  [[nodiscard]] static std::string unknown_in(const HookLine& hook) {
    for (const std::string& each : hook.arguments) {
      if (const std::vector<std::string> names = variables_in(each); !names.empty()) return names.front();
    }
    return {};
  }

  void add_asserter(const ConvoStep& step, const HookLine& hook, Place place) {
    HookLine known = hook;
    if (hook.name.starts_with("TEXT")) known.arguments = with_utterances(known.arguments);
    for (std::string& each : known.arguments) each = filled(each);
    known.rest = filled(known.rest);
    Asserted found = asserted(known, turn());
    if (const std::string unknown = unknown_in(known); !unknown.empty() && found.check)
      found = {std::nullopt, Outcome::not_mapped, "$" + unknown + " is known only at run time"};
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
    Item item{.source = is_negated ? "!text" : "text", .text = text};
    const std::vector<std::string> names = variables_in(text);
    const auto document = json::parse(text);
    if (is_negated && !names.empty()) {
      item.why = "$" + names.front() + " is known only at run time";
    } else if (document.ok() &&
               (document->root().is(json::Kind::object) || document->root().is(json::Kind::array))) {
      item.why = "JSON is compared with the data of the connector";
    }
    if (!item.why.empty()) return conversion_.lose(draft_, at(step, place), std::move(item));
    Check check = text_or_utterance(text, item);
    check.negate = is_negated;
    conversion_.check(draft_, std::move(check), at(step, place), std::move(item));
  }

  Check text_or_utterance(const std::string& text, Item& item) {
    const std::vector<std::string> texts = utterances_of(library_, text);
    if (texts.empty()) return one_text(text, item);
    const bool is_plain = std::none_of(texts.begin(), texts.end(), [](const std::string& each) {
      return each.find_first_of("*$") != std::string::npos;
    });
    if (is_plain && texts.size() > 1) {
      std::string all;
      for (const std::string& each : texts) all += each;
      return texts_check("contains-any", texts, turn_scope(turn()), ignoring_for(all, true));
    }
    std::vector<Check> checks;
    for (const std::string& each : texts) checks.push_back(one_text(filled(each), item));
    return checks.size() == 1 ? checks.front() : set_check("any", checks);
  }

  /// The check for a text. Each variable is captured and becomes a `*`, because it matches any text.
  Check one_text(const std::string& text, Item& item) {
    const std::vector<std::string> names = variables_in(text);
    if (names.empty()) return bot_text_check(text, turn());
    std::string pattern = glob_to_wildcard(text);
    for (const std::string& name : names) {
      captured_.insert(name);
      const std::size_t at_name = pattern.find("$" + name);
      if (at_name != std::string::npos) pattern.replace(at_name, name.size() + 1, "*");
    }
    item.outcome = Outcome::approximated;
    item.why = "the variable takes any text";
    return bot_pattern_check(pattern, turn());
  }

  Conversion& conversion_;
  const ConvoLibrary& library_;
  const Convo& convo_;
  const Variation& variation_;
  TestDraft draft_;
  std::size_t turns_ = 0;
  std::size_t bot_steps_ = 0;
  bool has_user_ = false;  ///< a user step was seen
  std::set<std::string, std::less<>> captured_;
};

}  // namespace

void add_convo_test(Conversion& conversion, const ConvoLibrary& library, const Convo& convo,
                    const Variation& variation) {
  TestBuilder(conversion, library, convo, variation).build();
}

}  // namespace parley::convert
