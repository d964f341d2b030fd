#include "convert/rasa/rasa.hpp"

#include "convert/messages/rows.hpp"
#include "convert/rasa/e2e.hpp"
#include "convert/rasa/story.hpp"

namespace parley::convert {
namespace {

/// The text without the sections that are training data.
std::string without_training_data(std::string_view text) {
  std::string out;
  bool is_training_data = false;
  for (const std::string_view line : lines_of(text)) {
    if (line.starts_with('#')) is_training_data = is_training_heading(line);
    if (!is_training_data) out.append(line) += '\n';
  }
  return out;
}

/// Whether the text has stories. Their headings begin with `##`, but any heading may have steps.
bool is_markdown_story(std::string_view whole) {
  const std::string text = without_training_data(whole);
  const auto has = [&](std::string_view part) { return text.find(part) != std::string::npos; };
  if (text.starts_with("## ") || has("\n## ")) return has("\n* ") || has("\n  - ");
  return (text.starts_with('#') || has("\n#")) && has("\n* ") && has("- utter_");
}

bool is_markdown(const std::string& path) {
  return extension_of(path) == ".md";
}

/// Whether the importer reads a file of a folder.
bool is_read(const std::string& path) {
  return is_yaml(path) || is_markdown(path);
}

/// Adds one file. False: it has neither tests nor stories.
bool add_file(Conversion& conversion, const Source& source, const Domain& domain) {
  if (is_markdown(source.path)) {
    if (!is_markdown_story(source.text)) return false;
    add_markdown_stories(conversion, source, domain);
    return true;
  }
  const auto tree = parse_yaml(source, conversion.faults);
  if (!tree) return true;
  bool found = false;
  if (!tree->list_of("test_cases").empty()) {
    add_test_cases(conversion, source, *tree, domain);
    found = true;
  }
  for (const std::string_view key : {"stories", "rules"}) {
    const Node* stories = tree->find(key);
    if (stories == nullptr || !stories->is_list()) continue;
    add_stories(conversion, source, *stories, domain);
    found = true;
  }
  return found;
}

void add_folder(Conversion& conversion, const std::string& path, const Domain& domain) {
  conversion.begin_output(path, stem_of(path));
  const std::size_t items = conversion.report.items();
  for (const std::string& file : conversion.inputs.files_below(path, is_read)) {
    if (!is_read(file)) continue;
    const auto source = conversion.inputs.read(file);
    if (source) add_file(conversion, *source, domain);
  }
  if (conversion.report.items() == items && conversion.faults.empty()) {
    conversion.faults.add(path, "no test cases and no stories are in the folder");
  }
}

/// Whether a line of a YAML file in the folder begins with a key of tests or stories, or a Markdown file has stories
/// with responses. Without a response, it may be any Markdown file.
bool has_tests(const std::string& folder) {
  Faults spare;
  Inputs inputs(spare);
  for (const std::string& file : inputs.files_below(folder, is_read)) {
    if (!is_read(file)) continue;
    const auto bytes = inputs.bytes_of(file);
    if (!bytes) continue;
    if (is_markdown(file)) {
      if (bytes->find("- utter_") != std::string::npos && is_markdown_story(*bytes)) return true;
      continue;
    }
    for (const std::string_view line : lines_of(*bytes)) {
      if (line.starts_with("test_cases:") || line.starts_with("stories:")) return true;
    }
  }
  return false;
}

}  // namespace

void import_rasa(Conversion& conversion) {
  const Domain domain = Domain::read(conversion);
  for (const std::string& path : conversion.options.paths) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
      add_folder(conversion, path, domain);
      continue;
    }
    const auto source = conversion.inputs.read(path);
    if (!source) continue;
    conversion.begin_output(path, stem_of(path));
    read_output(conversion, *source, [&] {
      const std::size_t faults = conversion.faults.count();
      if (add_file(conversion, *source, domain) || conversion.faults.count() > faults) return;
      conversion.faults.add(*source, {1, 1},
                            "not a test file of Rasa: it has neither \"test_cases\" nor \"stories\"");
    });
  }
}

int looks_like_rasa(const std::string& path, std::string_view text, const Node* head) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return has_tests(path) ? 75 : 0;
  if (head != nullptr && (head->find("test_cases") != nullptr || head->find("stories") != nullptr)) return 90;
  const std::vector<Node>& rules = head == nullptr ? no_node().items : head->list_of("rules");
  if (!rules.empty() && rules.front().find("rule") != nullptr && rules.front().find("steps") != nullptr)
    return 90;
  return head == nullptr && is_markdown(path) && is_markdown_story(text) ? 50 : 0;
}

}  // namespace parley::convert
