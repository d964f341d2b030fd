#include "client/verbs/verb.hpp"

#include <algorithm>
#include <array>
#include <system_error>

#include "client/gate/exit_code.hpp"
#include "client/screen/terminal.hpp"
#include "client/verbs/command_words.hpp"
#include "client/verbs/sessions.hpp"

namespace parley::client {
namespace {

constexpr OptionSpec all_options[] = {
    {"server", 0, Takes::value, "URL", "the server to use; its key is PARLEY_KEY or that of `parley login`"},
    {"profile", 0, Takes::value, "NAME", "the profile of `parley login` to use"},
    {"project", 0, Takes::value, "DIR",
     "folder of the project (this one, or the nearest parent with a parley.yaml)"},
    {"quiet", 'q', Takes::nothing, "", "less output; twice: none", true},
    {"verbose", 'v', Takes::nothing, "",
     "more output; twice: the calls to the server, without bodies and keys", true},
    {"color", 0, Takes::value, "WHEN", "auto, always or never (auto)"},
    {"json", 0, Takes::optional_value, "FIELDS",
     "print JSON, of a list only FIELDS; without FIELDS, list their names"},
    {"no-input", 0, Takes::nothing, "", "never ask"},
    {"timeout", 0, Takes::value, "DURATION", "how long to retry while a server is busy or unreachable (10s)"},
    {"help", 'h', Takes::nothing, "", "show this help"},
};

constexpr OptionLists lists_of_all{all_options};

/// Verbs that print no data: --json would change nothing, so it is an error.
constexpr std::array<std::string_view, 12> verbs_without_json{"init",   "watch", "view",   "tail",
                                                              "chat",   "retry", "cancel", "rescore",
                                                              "review", "clean", "login",  "logout"};

bool prints_json(const VerbSpec& verb) {
  return std::find(verbs_without_json.begin(), verbs_without_json.end(), verb.name) ==
         verbs_without_json.end();
}

constexpr std::size_t help_columns = 80;

/// Wraps the text between words at help_columns, and indents the lines after the first. Ends with a line end.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const bool is_first = column == indent;
    if (!is_first && column + 1 + word.size() > help_columns) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!is_first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    begin = end + 1;
  }
  return out + "\n";
}

void append_options(std::string& out, std::span<const OptionSpec> options) {
  for (const OptionSpec& each : options) {
    std::string left = each.letter != '\0' ? std::string("-") + each.letter + ", " : "    ";
    left += "--" + std::string(each.name);
    if (each.takes == Takes::value) left += " " + std::string(each.placeholder);
    if (each.takes == Takes::optional_value) left += "[=" + std::string(each.placeholder) + "]";
    constexpr std::size_t column = 30;
    out += "  " + left +
           (left.size() + 2 < column ? std::string(column - left.size() - 2, ' ')
                                     : "\n" + std::string(column, ' '));
    out += wrapped(each.help, column);
  }
}

/// If output was lost, replaces exit_done, because lost output must not look like success. Other codes are kept.
int code_after_output(const Invocation& call, int code) {
  const int error = take_output_error();
  if (error == 0) return code;
  const std::string_view verb = call.verb().name;
  write_text(2, "parley " + std::string(verb) +
                    ": standard output cannot be written: " + std::generic_category().message(error) + "\n");
  if (code != exit_done) return code;
  return verb == "run" || verb == "gate" ? exit_undecided : exit_wrong_use;
}

}  // namespace

std::optional<std::string> Invocation::find(std::string_view option) const {
  const auto [begin, end] = options_.equal_range(std::string(option));
  return begin == end ? std::nullopt : std::optional(std::prev(end)->second);
}

std::vector<std::string> Invocation::values(std::string_view option) const {
  std::vector<std::string> found;
  const auto [begin, end] = options_.equal_range(std::string(option));
  for (auto each = begin; each != end; ++each) found.push_back(each->second);
  return found;
}

ConnectionFlags Invocation::connection_flags() const {
  return {value("server"), value("profile"), value("project")};
}

std::span<const OptionSpec> global_options() {
  return all_options;
}

std::vector<OptionSpec> own_options_of(const VerbSpec& verb) {
  std::vector<OptionSpec> options;
  for (const auto& list : verb.options) options.insert(options.end(), list.begin(), list.end());
  return options;
}

const OptionSpec* find_option(const VerbSpec& verb, std::string_view name) {
  for (const OptionLists* lists : {&verb.options, &lists_of_all})
    for (const auto& list : *lists)
      for (const OptionSpec& each : list)
        if (each.name == name) return &each;
  return nullptr;
}

const OptionSpec* find_option(const VerbSpec& verb, char letter) {
  for (const OptionLists* lists : {&verb.options, &lists_of_all})
    for (const auto& list : *lists)
      for (const OptionSpec& each : list)
        if (each.letter == letter) return &each;
  return nullptr;
}

const VerbSpec* find_verb(std::string_view name) {
  for (const VerbSpec& each : verbs())
    if (each.name == name) return &each;
  return nullptr;
}

int run_verb(const std::vector<std::string>& words, const Surroundings& around) {
  const VerbSpec& verb = *find_verb(words.front());
  // Words to complete are always arguments, even if they look like options.
  std::vector<std::string> given = words;
  if (verb.name == "__complete") given.insert(given.begin() + 1, "--");
  const auto read = read_words(verb, given, around);
  if (!read) {
    write_text(2, "parley " + std::string(verb.name) + ": " + read.problem().detail + "\n");
    return exit_wrong_use;
  }
  if (read->has("help")) {
    write_text(1, help_of(verb));
    return code_after_output(*read, exit_done);
  }
  if (const auto wish = color_of(*read); !wish) return wrong_use(*read, wish.problem().detail);
  if (read->has("json") && !prints_json(verb)) return wrong_use(*read, "--json: this command prints no JSON");
  if (const std::string fields = read->value("json"); !fields.empty() && !verb.selects_fields)
    return wrong_use(*read, "--json=" + fields + ": this command has no fields to select: write --json");
  return code_after_output(*read, verb.run(*read));
}

std::string help_of(const VerbSpec& verb) {
  std::string out = "parley " + std::string(verb.name) + ": " + std::string(verb.summary) +
                    "\n\nUsage: parley " + std::string(verb.name) + " [OPTIONS]";
  if (!verb.arguments.empty()) out += " " + std::string(verb.arguments);
  out += "\n";
  if (!verb.details.empty()) out += "\n" + wrapped(verb.details, 0);
  if (const auto options = own_options_of(verb); !options.empty()) {
    out += "\nOptions:\n";
    append_options(out, options);
  }
  out += "\nOptions of every command:\n";
  for (const OptionSpec& each : global_options())
    if (prints_json(verb) || each.name != "json") append_options(out, {&each, 1});
  out += "\nExit codes:\n";
  for (const ExitCodeRow& each : exit_code_rows()) {
    const std::string code = std::to_string(each.code);
    out += "  " + code + std::string(5 - code.size(), ' ') + wrapped(each.meaning, 7);
  }
  return out;
}

std::string help_of_all() {
  std::string out;
  for (const VerbSpec& each : verbs()) {
    if (each.name.starts_with("__")) continue;
    out += "  " + std::string(each.name) +
           std::string(each.name.size() < 14 ? 14 - each.name.size() : 1, ' ') + std::string(each.summary) +
           "\n";
  }
  return out;
}

int wrong_use(const Invocation& call, std::string_view why) {
  write_text(2, "parley " + std::string(call.verb().name) + ": " + std::string(why) + "\n");
  return exit_wrong_use;
}

int failed(const Invocation& call, const Problem& problem) {
  write_text(2, "parley " + std::string(call.verb().name) + ": " + problem.detail + "\n");
  return exit_code_of(problem);
}

int done_or_failed(const Invocation& call, const Expected<Done>& done) {
  return done ? exit_done : failed(call, done.problem());
}

}  // namespace parley::client
