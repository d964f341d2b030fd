#include "client/verbs/command_words.hpp"

#include "model/text/nearest.hpp"

namespace parley::client {
namespace {

Problem wrong(const std::string& what) {
  return problem(ProblemKind::invalid_parameter, what);
}

std::string unknown_option(const VerbSpec& verb, const std::string& name) {
  std::vector<std::string> names;
  for (const OptionSpec& each : own_options_of(verb)) names.emplace_back(each.name);
  for (const OptionSpec& each : global_options()) names.emplace_back(each.name);
  const std::string meant = nearest(name, names);
  return "unknown option '--" + name + "'" + (meant.empty() ? "" : "; did you mean '--" + meant + "'?");
}

}  // namespace

class WordReader {
 public:
  WordReader(const VerbSpec& verb, const Surroundings& around) : call_(verb, around) {}

  Expected<Invocation> read(const std::vector<std::string>& words) {
    call_.words_ = words;
    bool only_arguments = false;
    for (std::size_t at = 1; at < words.size(); ++at) {
      const std::string& word = words[at];
      if (only_arguments || word == "-" || !word.starts_with("-")) {
        call_.arguments_.push_back(word);
      } else if (word == "--") {
        only_arguments = true;
      } else if (word.starts_with("--")) {
        TRY_DONE(take_long(words, at));
      } else {
        TRY_DONE(take_short(words, at));
      }
    }
    if (call_.arguments_.size() > call_.verb().arguments_max)
      return wrong("unexpected argument '" + call_.arguments_[call_.verb().arguments_max] + "'");
    return std::move(call_);
  }

 private:
  Expected<Done> set(const OptionSpec& option, const std::string& shown, std::string value) {
    if (!option.may_repeat && call_.has(option.name)) return wrong("'" + shown + "' is given twice");
    call_.options_.emplace(option.name, std::move(value));
    return Done{};
  }

  Expected<Done> take_long(const std::vector<std::string>& words, std::size_t& at) {
    const std::string& word = words[at];
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    const OptionSpec* option = find_option(call_.verb(), name);
    if (option == nullptr) return wrong(unknown_option(call_.verb(), name));
    if (equals != std::string::npos) {
      if (option->takes == Takes::nothing) return wrong("the option '--" + name + "' takes no value");
      if (equals + 1 == word.size() && !option->may_be_empty)
        return wrong("the option '--" + name + "' has an empty value");
      return set(*option, "--" + name, word.substr(equals + 1));
    }
    return take_value(*option, "--" + name, words, at);
  }

  Expected<Done> take_value(const OptionSpec& option, const std::string& shown,
                            const std::vector<std::string>& words, std::size_t& at) {
    if (option.takes != Takes::value) return set(option, shown, "");
    if (at + 1 >= words.size()) return wrong("the option '" + shown + "' needs a value");
    const std::string& value = words[++at];
    if (value.empty() && !option.may_be_empty) return wrong("the option '" + shown + "' has an empty value");
    return set(option, shown, value);
  }

  Expected<Done> take_short(const std::vector<std::string>& words, std::size_t& at) {
    const std::string& word = words[at];
    for (std::size_t i = 1; i < word.size(); ++i) {
      const OptionSpec* option = find_option(call_.verb(), word[i]);
      const std::string shown = std::string("-") + word[i];
      if (option == nullptr) return wrong("unknown option '" + shown + "'");
      if (option->takes == Takes::value && i + 1 < word.size())
        return set(*option, shown, word.substr(i + 1));
      TRY_DONE(take_value(*option, shown, words, at));
    }
    return Done{};
  }

  Invocation call_;
};

Expected<Invocation> read_words(const VerbSpec& verb, const std::vector<std::string>& words,
                                const Surroundings& around) {
  return WordReader(verb, around).read(words);
}

}  // namespace parley::client
