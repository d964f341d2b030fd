#include "convert/promptfoo/promptfoo.hpp"

#include <algorithm>
#include <array>

#include "convert/messages/rows.hpp"
#include "convert/promptfoo/data_files.hpp"
#include "convert/promptfoo/providers.hpp"
#include "convert/promptfoo/references.hpp"
#include "convert/promptfoo/settings.hpp"
#include "convert/promptfoo/suite_reader.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

constexpr std::array<std::string_view, 2> code_keys{"extensions", "nunjucksFilters"};

/// The other keys that are read. All others are reported as ignored.
constexpr std::array<std::string_view, 10> read_keys{
    "description", "prompts",     "providers",  "targets",         "tests",
    "scenarios",   "defaultTest", "extensions", "nunjucksFilters", "$schema"};

constexpr const char* no_match = "no file has such a name";

class ConfigReader {
 public:
  ConfigReader(Conversion& conversion, const Source& source, const Node& config)
      : conversion_(conversion),
        source_(source),
        config_(config),
        suite_(conversion, source, read_prompts(conversion, source, config)) {}

  void read() {
    read_defaults();
    read_providers();
    if (const Node* tests = config_.find("tests")) read_tests(*tests, source_, nullptr);
    read_scenarios();
    if (config_.find("tests") == nullptr && config_.find("scenarios") == nullptr &&
        config_.find("defaultTest") != nullptr) {
      Node test;
      test.kind = Node::Kind::map;
      test.place = config_.find("defaultTest")->place;
      suite_.add(test, source_);
    }
    suite_.finish();
    for (const Node& member : config_.items) {
      const bool is_read = std::find(read_keys.begin(), read_keys.end(), member.key) != read_keys.end();
      if (!is_read && !member.is_null()) note(member, ItemKind::run, Outcome::ignored, member.key, "");
    }
    for (const std::string_view key : code_keys) {
      if (const Node* found = config_.find(key); found != nullptr && !found->items.empty())
        note(*found, ItemKind::run, Outcome::not_mapped, std::string(key), "code is never run");
    }
  }

 private:
  void note(const Node& at, ItemKind kind, Outcome outcome, const std::string& spelled,
            const std::string& why) {
    conversion_.report.add(
        source_, at.place,
        {.kind = kind, .outcome = outcome, .source = spelled, .text = settings_text(at), .why = why});
  }

  void read_defaults() {
    const Node* defaults = config_.find("defaultTest");
    if (defaults == nullptr) return;
    if (defaults->is_map()) return suite_.set_defaults(*defaults, source_);
    if (!defaults->is_text()) return;
    const std::string name = file_name_of(defaults->text);
    if (is_code_file(name))
      return note(*defaults, ItemKind::run, Outcome::not_mapped, "defaultTest", "code is never run");
    auto read = conversion_.inputs.read_beside(source_, defaults->place, name, folder_of(source_));
    if (!read) return;
    const Source& file = suite_.keep(std::move(*read));
    const auto tree = parse_either(file, conversion_.faults);
    if (tree) suite_.set_defaults(*tree, file);
  }

  void read_provider(const Node& provider) {
    const std::string id = provider_id(provider);
    if (id == "promptfoo:simulated-user") return suite_.set_simulated(provider);
    note(provider, ItemKind::agent, Outcome::ignored, "provider", "");
    propose_agent(conversion_.suite(), provider);
    const Node* config = provider.find("config");
    if (config == nullptr) return;
    suite_.add_tools(*config);
    for (const std::string_view key :
         {"transformResponse", "responseParser", "transformRequest", "requestParser"}) {
      if (const Node* found = config->find(key))
        note(*found, ItemKind::agent, Outcome::not_mapped, std::string(key), "code is never run");
    }
    if (const Node* callbacks = config->find("functionToolCallbacks")) {
      for (const Node& each : callbacks->items)
        note(each, ItemKind::agent, Outcome::not_mapped, "functionToolCallbacks", "code is never run");
    }
  }

  void read_providers() {
    const Node* providers = config_.first_of({"providers", "targets"});
    if (providers == nullptr) return;
    if (!providers->is_list()) return read_provider(*providers);
    if (providers->items.size() == 1) {
      if (const Node* allowed = providers->items.front().find("prompts"))
        suite_.set_allowed_prompts(*allowed);
    }
    for (const Node& each : providers->items) read_provider(each);
  }

  void read_scenarios() {
    for (const Node& each : config_.list_of("scenarios")) {
      if (each.is_map()) {
        read_scenario(each, source_);
      } else if (each.is_text()) {
        read_scenario_files(each);
      }
    }
  }

  void read_scenario(const Node& scenario, const Source& source) {
    // A scenario without tests has one test for each of its configurations.
    Node only = holder_node(Node::Kind::list, "tests", scenario.place);
    only.items = {holder_node(Node::Kind::map, "", scenario.place)};
    const Node* listed = scenario.find("tests");
    const Node& tests = listed == nullptr ? only : *listed;
    const Node* configs = scenario.find("config");
    if (configs != nullptr && !configs->is_list()) {
      note(*configs, ItemKind::other, Outcome::not_mapped, "config",
           "name the values in the scenario itself");
    }
    if (configs == nullptr || configs->items.empty()) return read_tests(tests, source, nullptr);
    for (const Node& config : configs->items) {
      const SuiteReader::Scenario one{{&source, config}, ++scenarios_};
      read_tests(tests, source, &one);
    }
  }

  /// Reads `file://scenarios/*.yaml`; each file has one scenario or a list.
  void read_scenario_files(const Node& reference) {
    const std::string name = file_name_of(reference.text);
    if (is_code_file(name))
      return note(reference, ItemKind::other, Outcome::not_mapped, "scenarios", "code is never run");
    const std::vector<std::string> names =
        is_glob(name) ? matching_files(conversion_, source_, name) : std::vector<std::string>{name};
    if (names.empty()) note(reference, ItemKind::other, Outcome::not_mapped, "scenarios", no_match);
    for (const std::string& each : names) {
      auto read = conversion_.inputs.read_beside(source_, reference.place, each, folder_of(source_));
      if (!read) return;
      const Source& file = suite_.keep(std::move(*read));
      const auto tree = parse_either(file, conversion_.faults);
      if (!tree) return;
      if (tree->is_map()) read_scenario(*tree, file);
      if (!tree->is_list()) continue;
      for (const Node& scenario : tree->items) read_scenario(scenario, file);
    }
  }

  /// Reads tests, given as a list of tests and files or as the name of a file.
  void read_tests(const Node& tests, const Source& source, const SuiteReader::Scenario* scenario) {
    if (tests.is_list()) {
      for (const Node& each : tests.items) read_tests_or_test(each, source, scenario);
    } else {
      read_tests_or_test(tests, source, scenario);
    }
  }

  void read_tests_or_test(const Node& test, const Source& source, const SuiteReader::Scenario* scenario) {
    if (test.is_map() && test.text_of("path").empty()) return suite_.add(test, source, scenario);
    const std::string reference = test.is_map() ? test.text_of("path") : test.text;
    if (reference.empty()) return suite_.add(test, source, scenario);
    const std::string name = file_name_of(reference);
    if (is_code_file(name) || reference.find(".py:") != std::string::npos) {
      return note(test, ItemKind::other, Outcome::not_mapped, "tests", "code is never run");
    }
    if (extension_of(name).starts_with(".xls")) {
      return note(test, ItemKind::other, Outcome::not_mapped, "tests",
                  "spreadsheets are not supported; save it as CSV");
    }
    if (reference.find("://") != std::string::npos && !reference.starts_with("file://")) {
      return note(test, ItemKind::other, Outcome::not_mapped, "tests", "nothing is downloaded");
    }
    if (!is_glob(name)) return read_file(source, test.place, name, scenario);
    const std::vector<std::string> names = matching_files(conversion_, source, name);
    if (names.empty()) note(test, ItemKind::other, Outcome::not_mapped, "tests", no_match);
    for (const std::string& each : names) {
      if (is_code_file(each)) {
        note(test, ItemKind::other, Outcome::not_mapped, "tests", "code is never run");
      } else {
        read_file(source, test.place, each, scenario);
      }
    }
  }

  void read_file(const Source& source, Place place, const std::string& name,
                 const SuiteReader::Scenario* scenario) {
    auto read = conversion_.inputs.read_beside(source, place, name, folder_of(source_));
    if (!read) return;
    const Source& file = suite_.keep(std::move(*read));
    const std::string extension = extension_of(name);
    if (extension == ".csv" || extension == ".tsv") {
      const auto table = parse_csv(file, conversion_.faults);
      if (!table) return;
      for (const Node& each : tests_of_table(*table)) suite_.add(each, file, scenario);
    } else if (extension == ".jsonl") {
      for (const Part& part : json_lines(file.text)) {
        const auto row = parse_json(file, part, conversion_.faults);
        if (!row) return;
        suite_.add(*row, file, scenario);
      }
    } else if (const auto tree = parse_either(file, conversion_.faults)) {
      if (tree->is_list()) {
        for (const Node& each : tree->items) suite_.add(each, file, scenario);
      } else {
        suite_.add(*tree, file, scenario);
      }
    }
  }

  Conversion& conversion_;
  const Source& source_;
  const Node& config_;
  SuiteReader suite_;
  std::size_t scenarios_ = 0;  ///< number of configurations of scenarios so far
};

/// Whether the first line of the table has a promptfoo column.
bool has_promptfoo_header(const std::string& path, std::string_view line) {
  const std::string extension = extension_of(path);
  if (extension != ".csv" && extension != ".tsv") return line.find("__expected") != std::string_view::npos;
  Faults spare;
  const auto table = parse_csv({path, std::string(line)}, spare);
  return table && has_promptfoo_columns(*table);
}

bool is_config(const Node& node) {
  return node.first_of({"prompts", "tests", "scenarios", "defaultTest", "providers"}) != nullptr ||
         (node.find("targets") != nullptr && node.find("redteam") != nullptr);
}

void import_config(Conversion& conversion, const Source& source) {
  const auto tree = parse_either(source, conversion.faults);
  if (!tree) return;
  const bool is_list_of_tests =
      tree->is_list() && !tree->items.empty() && tree->items.front().first_of({"vars", "assert"}) != nullptr;
  if (is_list_of_tests) return import_bare_tests(conversion, source, tree->items);
  if (!is_config(*tree) || tree->find("test_cases") != nullptr || tree->find("stories") != nullptr) {
    conversion.faults.add(source, tree->place,
                          "not a promptfoo configuration: it has no \"prompts\", \"tests\" or \"scenarios\"");
    return;
  }
  if (std::string name = tree->text_of("description"); !name.empty())
    conversion.suite().name = cut(name, 200);
  const Node filled = with_references(*tree);
  ConfigReader(conversion, source, filled).read();
}

}  // namespace

void import_bare_tests(Conversion& conversion, const Source& source, std::vector<Node> tests) {
  SuiteReader suite(conversion, source, Prompts{});
  for (const Node& test : tests) suite.add(test, source);
  suite.finish();
}

void import_promptfoo(Conversion& conversion) {
  for_each_source(conversion, [&](const Source& source) {
    const std::string extension = extension_of(source.path);
    if (extension == ".csv" || extension == ".tsv") {
      if (const auto table = parse_csv(source, conversion.faults))
        import_bare_tests(conversion, source, tests_of_table(*table));
    } else if (extension == ".jsonl") {
      std::vector<Node> tests;
      for_each_row(conversion, source, [&](const Node& row) { tests.push_back(row); });
      import_bare_tests(conversion, source, std::move(tests));
    } else {
      import_config(conversion, source);
    }
  });
}

int looks_like_promptfoo(const std::string& path, std::string_view text, const Node* head) {
  if (head == nullptr) return has_promptfoo_header(path, text.substr(0, text.find('\n'))) ? 90 : 0;
  const bool has_tests = head->first_of({"tests", "scenarios", "defaultTest"}) != nullptr;
  if (head->first_of({"prompts", "providers", "targets"}) != nullptr &&
      (has_tests || head->find("redteam") != nullptr))
    return 90;
  const Node* variables = head->find("vars");
  const bool may_be_alone = variables != nullptr && variables->is_map();
  if (variables != nullptr && head->find("assert") != nullptr) return 60;
  if (may_be_alone && (head->items.size() == 1 || head->first_of({"description", "metadata"}) != nullptr))
    return 60;
  return head->is_list() && !head->items.empty() && head->items.front().find("vars") != nullptr ? 60 : 0;
}

}  // namespace parley::convert
