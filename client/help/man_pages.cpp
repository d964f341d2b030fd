#include "client/commands/families.hpp"
#include "client/gate/exit_code.hpp"
#include "client/suite/schema_values.hpp"

// Generates roff from the tables, so that a man page cannot differ from --help.

namespace parley::client {
namespace {

/// Escapes text for roff: backslashes, dashes, and a leading dot or quote, which would begin a request.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) {
      out += std::string("\\&") + c;
    } else {
      out += c;
    }
  }
  return out;
}

void add_option_rows(std::string& page, std::span<const OptionSpec> options) {
  for (const OptionSpec& each : options) {
    page += ".TP\n.B ";
    if (each.letter != '\0') page += roff(std::string("-") + each.letter + ", ");
    page += roff("--" + std::string(each.name));
    if (each.takes == Takes::value) page += " " + roff(each.placeholder);
    if (each.takes == Takes::optional_value) page += roff("[=" + std::string(each.placeholder) + "]");
    page += "\n" + roff(each.help) + ".\n";
  }
}

void add_exit_codes(std::string& page) {
  page += ".SH EXIT STATUS\n";
  for (const ExitCodeRow& each : exit_code_rows())
    page += ".TP\n.B " + std::to_string(each.code) + "\n" + roff(each.meaning) + ".\n";
}

std::string page_of_verb(const VerbSpec& verb) {
  std::string name = "parley-" + std::string(verb.name);
  std::string title = name;
  for (char& c : title) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  std::string page = ".TH " + roff(title) + " 1 \"\" parley\n.SH NAME\n" + roff(name) + " \\- " +
                     roff(verb.summary) + "\n.SH SYNOPSIS\n.B parley " + roff(verb.name) + "\n[OPTIONS]";
  if (!verb.arguments.empty()) page += " " + roff(verb.arguments);
  page += "\n";
  if (!verb.details.empty()) page += ".SH DESCRIPTION\n" + roff(verb.details) + "\n";
  page += ".SH OPTIONS\n";
  add_option_rows(page, own_options_of(verb));
  add_option_rows(page, global_options());
  add_exit_codes(page);
  return page + ".SH SEE ALSO\n.BR parley (1)\n";
}

/// Removes backquotes, because the sentences of the tables are Markdown.
std::string without_marks(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != '`') out += c;
  return out;
}

std::string page_of_suite_files() {
  std::string page =
      ".TH PARLEY.YAML 5 \"\" parley\n.SH NAME\nparley.yaml \\- tests of a chatbot as a file\n"
      ".SH DESCRIPTION\nA suite says which chatbots are tested, what the tester says and what must be true "
      "afterwards. It is a YAML file.\n.B parley validate\nchecks it,\n.B parley schema\nprints its JSON "
      "Schema, and\n.B parley init\nwrites a first one.\nUnknown keys are errors.\n"
      ".SH EXAMPLE\n.nf\nversion: 1\nproject: coffee\n"
      "agents: {shop: {http: \"http://127.0.0.1:8000/turn\"}}\ntests:\n  \\- name: Knows the price\n"
      "    script: |\n      say: What does a latte cost?\n    must: [{contains: \"4.50\"}]\n.fi\n"
      ".SH KEYS\n";
  for (const FileSection* section : file_sections()) {
    page += ".SS " + roff(without_marks(section->path)) + "\n";
    for (const FileKey& key : section->keys) {
      page += ".TP\n.B " + roff(key.name) + "\n" + roff(without_marks(key.sentence)) + "\n";
      page += "Value: " + roff(without_marks(value_words(key))) + (key.is_required ? "; required.\n" : ".\n");
      if (!key.only_for.empty()) page += "Only of agents of the kind " + roff(key.only_for) + ".\n";
    }
  }
  return page + ".SH SEE ALSO\n.BR parley (1),\n.BR parley\\-validate (1)\n";
}

std::string page_of_all() {
  std::string page =
      ".TH PARLEY 1 \"\" parley\n.SH NAME\nparley \\- test chatbots and AI agents by talking to them\n"
      ".SH SYNOPSIS\n.B parley\nCOMMAND [OPTIONS]\n.SH DESCRIPTION\n"
      "parley plays tests against a chatbot, records every message and tool call, and decides by assertions "
      "and judges.\n"
      "Without\n.B \\-\\-server\na command starts the server in its own process and keeps its data in "
      ".parley/ next to the suite.\n"
      ".SH COMMANDS\n";
  for (const VerbSpec& each : verbs()) {
    if (each.name.starts_with("__")) continue;
    page += ".TP\n.B " + roff(each.name) + " " + roff(each.arguments) + "\n" + roff(each.summary) + ".\n";
  }
  page += ".TP\n.B " + roff(fmt::format("{}", fmt::join(server_commands, ", "))) +
          "\nCommands of the server; see\n.B parley \\-\\-help\n.SH OPTIONS\n";
  add_option_rows(page, global_options());
  page +=
      ".SH ENVIRONMENT\n.TP\n.B PARLEY_URL\nThe server to use.\n.TP\n.B PARLEY_KEY\nIts key.\n.TP\n.B "
      "NO_COLOR, CLICOLOR_FORCE\n"
      "No color, and color also without a terminal.\n.TP\n.B CI\nLines instead of live progress; snapshots "
      "are not written.\n.TP\n.B PAGER\nThe command through which\n.B parley show\nwrites to a terminal.\n"
      ".SH FILES\n.TP\n.I .parley/\nLocal results of a project.\n.TP\n.I ~/.config/parley/credentials\nKeys "
      "of\n.BR \"parley login\" .\n";
  add_exit_codes(page);
  return page + ".SH SEE ALSO\n.BR parley.yaml (5)\n";
}

}  // namespace

std::string man_page_of(std::string_view name) {
  if (name.empty()) return page_of_all();
  if (name == "parley.yaml") return page_of_suite_files();
  const VerbSpec* verb = find_verb(name);
  return verb == nullptr ? "" : page_of_verb(*verb);
}

}  // namespace parley::client
