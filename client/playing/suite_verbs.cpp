#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "client/commands/families.hpp"
#include "client/files/secret_spans.hpp"
#include "client/gate/exit_code.hpp"
#include "client/remote/private_file.hpp"
#include "client/run/suite_records.hpp"
#include "client/suite/schema_values.hpp"
#include "client/suite/suite_examples.hpp"
#include "client/suite/suite_schema.hpp"
#include "client/verbs/hints.hpp"
#include "client/verbs/sessions.hpp"
#include "client/verbs/suite_loading.hpp"
#include "convert/convert.hpp"
#include "model/json/json_writer.hpp"
#include "model/text/nearest.hpp"
#include "model/text/slug.hpp"

namespace parley::client {
namespace {

namespace fs = std::filesystem;

/// Derives the project name from the name of the folder.
std::string slug_of(const fs::path& folder) {
  constexpr std::size_t bytes_max = 80;
  std::error_code ignored;
  std::string slug = slug_from(fs::weakly_canonical(folder, ignored).filename().string(), bytes_max);
  return slug.empty() ? "my-tests" : slug;
}

/// Returns the example to write: from an option, from a question at the terminal, or the demo.
std::string example_of(const Invocation& call) {
  if (call.has("example")) return call.value("example");
  for (const char* each : {"http", "openai", "exec"})
    if (call.has(each)) return each;
  const bool may_ask = !call.has("no-input") && ::isatty(STDIN_FILENO) != 0 && !call.variable("CI");
  if (!may_ask) return "demo";
  std::string text = "What is your chatbot?\n";
  for (const SuiteExample& each : suite_examples())
    text += "  " + std::string(each.name) + ": " + std::string(each.summary) + "\n";
  write_text(2, text + "[demo] ");
  std::string answer;
  while (std::getline(std::cin, answer) && !answer.empty() && find_example(answer) == nullptr)
    write_text(2, "write one of the words before the colons, or nothing for the demo\n[demo] ");
  return answer.empty() ? "demo" : answer;
}

std::string unknown_example(const std::string& name) {
  std::vector<std::string> names;
  std::string all;
  for (const SuiteExample& each : suite_examples()) {
    names.emplace_back(each.name);
    all.append(all.empty() ? "" : ", ").append(each.name);
  }
  const std::string meant = did_you_mean(name, names);
  return "there is no example \"" + name + "\"" + (meant.empty() ? "; there are " + all : meant);
}

Expected<Done> write_new(const fs::path& file, std::string_view text) {
  std::error_code ignored;
  if (fs::exists(file, ignored)) return problem(ProblemKind::conflict, file.string() + " exists already");
  return write_whole(file, text);
}

/// Where editors find the schema. It is next to the suite, so that it matches this version.
constexpr std::string_view schema_file = ".parley/suite.schema.json";

/// `--from FILE`: creates the suite from a file of another tool.
int init_from(const Invocation& call, const fs::path& folder) {
  convert::Options options;
  options.format = "auto";
  options.paths = {call.value("from")};
  options.folder = folder.string();
  convert::Prepared prepared = convert::prepare(options);
  std::vector<convert::MadeFile*> suites;
  for (convert::MadeFile& each : prepared.files)
    if (each.kind == convert::MadeFile::Kind::suite) suites.push_back(&each);
  const std::string path = (folder / "parley.yaml").string();
  if (suites.size() == 1) suites.front()->path = path;
  const convert::Ended ended = convert::write(std::move(prepared), options);
  write_text(2, ended.err);
  std::string text = ended.out;
  if (ended.exit_code == exit_done && suites.size() == 1) text += "wrote " + path + "\n";
  if (ended.exit_code == exit_done && !suites.empty())
    text += "next: parley run " + shell_word(folder.string()) + "\n";
  write_text(1, text);
  return ended.exit_code;
}

}  // namespace

int init_verb(const Invocation& call) {
  const fs::path folder =
      fs::path(call.arguments().empty() ? "." : call.arguments().front()).lexically_normal();
  std::string kind;
  for (const std::string option : {"from", "example", "http", "openai", "exec"}) {
    if (!call.has(option)) continue;
    if (!kind.empty()) return wrong_use(call, "--" + kind + " and --" + option + " contradict each other");
    kind = option;
  }
  if (call.has("from")) return init_from(call, folder);
  const std::string name = example_of(call);
  const SuiteExample* example = find_example(name);
  if (example == nullptr) return wrong_use(call, unknown_example(name));
  ExampleValues values{slug_of(folder), std::string(example->usual_url), std::string(schema_file)};
  if (call.has(name)) values.url = call.value(name, values.url);
  const bool is_url =
      values.url.empty() || values.url.starts_with("http://") || values.url.starts_with("https://");
  if (!is_url) return wrong_use(call, "--" + name + ": a URL begins with http:// or https://");
  if (has_user(values.url))
    return wrong_use(call, "--" + name + ": a user name or password in the URL is not supported");
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  const fs::path suite = folder / "parley.yaml";
  if (const auto written = write_new(suite, filled_example(*example, values)); !written)
    return failed(call, written.problem());
  for (const ExampleFile& each : example->files)
    if (const auto written = write_new(folder / each.name, each.text); !written)
      return failed(call, written.problem());
  if (const auto made = ProjectFolder(folder).create(); !made) return failed(call, made.problem());
  if (const auto written = write_private(folder / schema_file, indented_json(suite_schema())); !written)
    return failed(call, written.problem());
  const LoadedSuites loaded = loaded_suites(call, {suite.string()});
  static_cast<void>(show_faults(call, loaded, ""));
  const std::string change = folder == "." ? "" : "cd " + shell_word(folder.string()) + " && ";
  write_text(1, "wrote " + suite.lexically_normal().string() +
                    "; results stay in .parley/, which git ignores\nnext: " + change + "parley run\n");
  return exit_done;
}

int schema_verb(const Invocation&) {
  write_text(1, indented_json(suite_schema()));
  return exit_done;
}

int validate_verb(const Invocation& call) {
  const LoadedSuites loaded = loaded_suites(call, call.arguments());
  const std::string form = call.has("json") ? "json" : call.value("format", "text");
  if (form != "text" && form != "json" && form != "github")
    return wrong_use(call, "--format must be text, json or github");
  const auto format = form == "json"     ? source::FaultFormat::json
                      : form == "github" ? source::FaultFormat::github
                                         : source::FaultFormat::text;
  const std::string text = source::report_of(loaded.faults, format);
  const bool is_refused =
      source::has_errors(loaded.faults) || (call.has("deny-warnings") && !loaded.faults.empty());
  if (form != "text" || is_refused || call.count("quiet") < 2) write_text(form == "text" ? 2 : 1, text);
  if (is_refused) return exit_wrong_use;
  if (loaded.suites.empty()) return wrong_use(call, "there is no suite: run `parley init`, or name a file");
  std::int64_t cases = 0;
  std::size_t tests = 0;
  for (const CompiledSuite& each : loaded.suites) {
    cases += case_count(each);
    tests += each.tests.size();
  }
  if (form == "text" && call.count("quiet") == 0)
    write_text(1, "valid: " + std::to_string(tests) + (tests == 1 ? " test, " : " tests, ") +
                      std::to_string(cases) + (cases == 1 ? " case\n" : " cases\n"));
  return exit_done;
}

}  // namespace parley::client
