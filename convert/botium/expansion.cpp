#include "convert/botium/expansion.hpp"

#include <algorithm>
#include <set>

#include "convert/botium/asserters.hpp"
#include "convert/botium/utterances.hpp"
#include "convert/botium/variables.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

constexpr std::size_t variations_max = 20'000;
/// Maximum number of steps in a conversation after inlining.
constexpr std::size_t steps_max = 10'000;

class Inliner {
 public:
  Inliner(Conversion& conversion, const ConvoLibrary& library) : conversion_(conversion), library_(library) {}

  bool add(const Convo& convo, std::vector<ConvoStep>& out) {
    for (const ConvoStep& step : convo.steps) {
      if (!add_step(step, out)) return false;
    }
    return true;
  }

 private:
  bool add_step(const ConvoStep& step, std::vector<ConvoStep>& out) {
    if (out.size() > steps_max) return fault(step, step.place, "the conversation has more than 10,000 steps");
    if (step.kind == ConvoStep::Kind::include) {
      for (const ConvoLine& line : step.lines) {
        const std::string name(ascii::trimmed(line.text));
        if (!name.empty() && !include(name, step, line.place, out)) return false;
      }
      return true;
    }
    ConvoStep own = step;
    own.lines.clear();
    std::vector<const ConvoLine*> includes;
    for (const ConvoLine& line : step.lines) {
      const HookLine hook = hook_of(line.text, step.kind == ConvoStep::Kind::bot, library_.custom);
      if (hook.name == "INCLUDE") {
        includes.push_back(&line);
      } else {
        own.lines.push_back(line);
      }
    }
    const bool is_only_includes =
        !includes.empty() && std::all_of(own.lines.begin(), own.lines.end(), [](const ConvoLine& line) {
          return ascii::trimmed(line.text).empty();
        });
    if (!is_only_includes) out.push_back(std::move(own));
    for (const ConvoLine* line : includes) {
      for (const std::string& name : hook_of(line->text, false, library_.custom).arguments) {
        if (!include(name, step, line->place, out)) return false;
      }
    }
    return true;
  }

  bool include(const std::string& name, const ConvoStep& step, Place place, std::vector<ConvoStep>& out) {
    if (name.find('/') != std::string::npos || name.find("..") != std::string::npos) {
      return fault(step, place,
                   "INCLUDE takes the name of a partial conversation in the folder, not a path: " + name);
    }
    const auto found = library_.partial.find(name);
    if (found == library_.partial.end())
      return fault(step, place, "there is no partial conversation \"" + name + "\"");
    if (std::find(open_.begin(), open_.end(), name) != open_.end())
      return fault(step, place, "\"" + name + "\" includes itself");
    if (open_.size() >= levels_max) return fault(step, place, "INCLUDE is nested more than 64 levels deep");
    open_.push_back(name);
    const bool is_done = add(found->second, out);
    open_.pop_back();
    return is_done;
  }

  bool fault(const ConvoStep& step, Place place, const std::string& message) {
    conversion_.faults.add(*step.source, place, message);
    return false;
  }

  Conversion& conversion_;
  const ConvoLibrary& library_;
  std::vector<std::string> open_;
};

/// The user's text in the step: its lines without hooks.
std::string words_said(const ConvoLibrary& library, const ConvoStep& step) {
  std::string text;
  for (const ConvoLine& line : step.lines) {
    const bool is_text = hook_of(line.text, false, library.custom).name.empty() &&
                         !is_hook_after_utterance(library, text, line.text);
    if (is_text) text += (text.empty() ? "" : "\n") + line.text;
  }
  return std::string(ascii::trimmed(text, " \t\n"));
}

/// The variables in the lines and in the texts of the utterances that the lines name.
std::set<std::string> variables_used(const ConvoLibrary& library, const Convo& convo) {
  std::set<std::string> used;
  const auto add = [&](const std::string& text) {
    for (std::string& name : variables_in(text)) used.insert("$" + std::move(name));
  };
  for (const ConvoStep& step : convo.steps) {
    for (const ConvoLine& line : step.lines) {
      add(line.text);
      const HookLine hook = hook_of(line.text, step.kind == ConvoStep::Kind::bot, library.custom);
      for (const std::string& text : utterances_of(library, hook.rest)) add(text);
      for (const std::string& argument : hook.arguments) {
        for (const std::string& text : utterances_of(library, argument)) add(text);
      }
    }
  }
  return used;
}

/// The variables set by `SET_SCRIPTING_MEMORY name|value` in the conversation.
std::map<std::string, std::string> set_variables(const ConvoLibrary& library, const Convo& convo) {
  std::map<std::string, std::string> variables;
  for (const ConvoStep& step : convo.steps) {
    for (const ConvoLine& line : step.lines) {
      const HookLine hook = hook_of(line.text, step.kind == ConvoStep::Kind::bot, library.custom);
      if (hook.name == "SET_SCRIPTING_MEMORY" && hook.arguments.size() == 2)
        variables["$" + hook.arguments[0]] = hook.arguments[1];
    }
  }
  return variables;
}

}  // namespace

std::optional<Convo> inlined(Conversion& conversion, const ConvoLibrary& library, const Convo& convo) {
  Convo out = convo;
  out.steps.clear();
  if (!Inliner(conversion, library).add(convo, out.steps)) return std::nullopt;
  return out;
}

std::vector<Variation> variations_of(Conversion& conversion, const ConvoLibrary& library,
                                     const Convo& convo) {
  std::vector<Variation> all(1);
  all.front().name = convo.name;
  all.front().variables = set_variables(library, convo);
  const std::set<std::string> used = variables_used(library, convo);
  const bool only_first = conversion.options.utterances == "first";
  const auto multiply = [&](std::size_t choices, const std::function<void(Variation&, std::size_t)>& choose) {
    if (all.size() * choices > variations_max) {
      conversion.faults.add(
          *convo.source, convo.place,
          "\"" + convo.name + "\" is more than 20,000 tests with its utterances; use --utterances first");
      return false;
    }
    std::vector<Variation> next;
    for (const Variation& each : all) {
      for (std::size_t i = 0; i < choices; ++i) {
        next.push_back(each);
        choose(next.back(), i);
      }
    }
    all = std::move(next);
    return true;
  };
  for (const std::vector<MemoryRow>& rows : library.memory) {
    const auto is_used = [&](const auto& each) { return used.contains(each.first); };
    if (!std::any_of(rows.front().values.begin(), rows.front().values.end(), is_used)) continue;
    const auto choose = [&](Variation& each, std::size_t i) {
      if (!rows[i].name.empty()) each.name += "." + rows[i].name;
      for (const auto& [variable, value] : rows[i].values) {
        if (!value.empty()) each.variables.emplace(variable, value);
      }
    };
    if (!multiply(rows.size(), choose)) return {};
  }
  for (std::size_t at = 0; at < convo.steps.size(); ++at) {
    if (convo.steps[at].kind != ConvoStep::Kind::me) continue;
    const std::vector<std::string> texts = utterances_of(library, words_said(library, convo.steps[at]));
    if (texts.empty()) continue;
    const auto choose = [&](Variation& each, std::size_t i) { each.said[at] = texts[i]; };
    if (!multiply(only_first ? 1 : texts.size(), choose)) return {};
  }
  return all;
}

}  // namespace parley::convert
