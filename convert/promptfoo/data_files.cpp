#include "convert/promptfoo/data_files.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <array>

#include "convert/promptfoo/merged_maps.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

constexpr std::string_view file_scheme = "file://";
constexpr std::array<std::string_view, 8> text_extensions{".txt", ".md",   ".json", ".jsonl",
                                                          ".csv", ".html", ".xml",  ".j2"};

/// The file that the value names; nullopt if it is missing, or neither text nor YAML.
std::optional<Source> text_file(Conversion& conversion, const Source& source, const At& at,
                                const Node& value) {
  const std::string name = file_name_of(value.text);
  const std::string extension = extension_of(name);
  const bool is_text =
      std::find(text_extensions.begin(), text_extensions.end(), extension) != text_extensions.end();
  return is_yaml(name) || is_text ? read_data_file(conversion, source, at, name) : std::nullopt;
}

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  for (const auto& part : std::filesystem::path(path).lexically_normal()) parts.push_back(part.string());
  return parts;
}

/// Whether a path matches the parts of a glob, in which `**` matches any number of folders.
bool fits(const std::vector<std::string>& glob, const std::vector<std::string>& name) {
  std::size_t at = 0;
  std::size_t after_stars = 0;  ///< position after the last `**`; 0: none so far
  std::size_t taken = 0;        ///< where the parts after `**` are tried in `name`
  std::size_t i = 0;
  while (i < name.size()) {
    if (at < glob.size() && glob[at] == "**") {
      after_stars = ++at;
      taken = i;
    } else if (at < glob.size() && ::fnmatch(glob[at].c_str(), name[i].c_str(), FNM_PERIOD) == 0) {
      ++at;
      ++i;
    } else if (after_stars > 0 && !name[taken].starts_with('.')) {
      at = after_stars;
      i = ++taken;
    } else {
      return false;
    }
  }
  while (at < glob.size() && glob[at] == "**") ++at;
  return at == glob.size();
}

/// The globs that `{a,b}` expands to.
std::vector<std::string> choices_of(const std::string& pattern) {
  const std::size_t open = pattern.find('{');
  const std::size_t close = open == std::string::npos ? open : pattern.find('}', open);
  if (close == std::string::npos) return {pattern};
  std::vector<std::string> choices;
  std::size_t at = open + 1;
  while (true) {
    const std::size_t end = std::min(pattern.find(',', at), close);
    choices.push_back(pattern.substr(0, open) + pattern.substr(at, end - at) + pattern.substr(close + 1));
    if (end == close) return choices;
    at = end + 1;
  }
}

/// Replaces `file://docs/*.txt` with a list of the matching files; unchanged if no file matches.
void list_matches(Conversion& conversion, const Source& source, Node& value) {
  if (!value.is_text() || !is_file_reference(value.text) || !is_glob(value.text)) return;
  Node list = holder_node(Node::Kind::list, value.key, value.place);
  for (const std::string& name : matching_files(conversion, source, file_name_of(value.text)))
    list.items.push_back(text_node("", std::string(file_scheme) + name, value.place));
  if (!list.items.empty()) value = std::move(list);
}

void fill(Conversion& conversion, const Source& source, const Source& from, Node& value) {
  if (!value.is_text() || !is_file_reference(value.text)) return;
  const auto file = text_file(conversion, source, {from, value.place}, value);
  if (!file) return;
  if (!is_yaml(file->path)) {
    value.text = ascii::trimmed(file->text, " \t\r\n");
  } else if (const auto tree = parse_yaml(*file, conversion.faults)) {
    value.text = to_json(*tree);
  }
}

/// Replaces the value of an assertion. Its place stays that of the reference.
void fill_value(Conversion& conversion, const Source& source, const Source& from, Node& value) {
  if (value.is_list()) {
    for (Node& item : value.items) fill_value(conversion, source, from, item);
  }
  if (!value.is_text() || !is_file_reference(value.text)) return;
  const bool is_tree = is_yaml(value.text) || extension_of(value.text) == ".json";
  if (!is_tree) return fill(conversion, source, from, value);
  const auto file = text_file(conversion, source, {from, value.place}, value);
  auto tree = file ? parse_either(*file, conversion.faults) : std::nullopt;
  if (!tree) return;
  tree->key = value.key;
  tree->place = value.place;
  value = std::move(*tree);
}

/// The files that a test of `source` names, relative to the folder of the configuration.
std::vector<std::string> named_files(Conversion& conversion, const Source& configuration,
                                     const Source& source, const std::string& name) {
  if (std::filesystem::path(name).is_absolute()) return {name};
  // A test in another file names files relative to the folder of that file.
  const std::filesystem::path path = (folder_of(source) / name).lexically_normal();
  const std::string inside = path.lexically_relative(folder_of(configuration).lexically_normal()).string();
  return is_glob(name) ? matching_files(conversion, configuration, inside) : std::vector<std::string>{inside};
}

}  // namespace

bool is_code_file(std::string_view name) {
  constexpr std::array<std::string_view, 11> extensions{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts",
                                                        ".py", ".rb",  ".go",  ".sh", ".exe"};
  const std::string extension = extension_of(std::string(name));
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

std::string file_name_of(std::string_view reference) {
  if (is_file_reference(reference)) reference.remove_prefix(file_scheme.size());
  const std::size_t colon = reference.rfind(':');
  if (colon != std::string_view::npos && colon > 1 && is_code_file(reference.substr(0, colon)))
    reference = reference.substr(0, colon);
  return std::string(reference);
}

std::filesystem::path folder_of(const Source& source) {
  const std::filesystem::path folder = std::filesystem::path(source.path).parent_path();
  return folder.empty() ? std::filesystem::path(".") : folder;
}

std::vector<std::string> matching_files(Conversion& conversion, const Source& source,
                                        const std::string& pattern) {
  std::vector<std::vector<std::string>> globs;
  for (const std::string& choice : choices_of(pattern)) globs.push_back(parts_of(choice));
  std::vector<std::string> names;
  const std::filesystem::path folder = folder_of(source);
  for (const std::string& file : conversion.inputs.files_below(folder.string())) {
    const std::string name = std::filesystem::path(file).lexically_relative(folder).string();
    const std::vector<std::string> parts = parts_of(name);
    const auto fits_name = [&](const std::vector<std::string>& glob) { return fits(glob, parts); };
    if (std::any_of(globs.begin(), globs.end(), fits_name)) names.push_back(name);
  }
  return names;
}

std::optional<Source> read_data_file(Conversion& conversion, const Source& source, const At& at,
                                     const std::string& name) {
  const auto inside = std::filesystem::path(name).lexically_normal();
  const bool leads_out = inside.is_absolute() || *inside.begin() == "..";
  // A name that leads out of the folder is a fault, even if the file does not exist.
  if (leads_out) {
    conversion.inputs.refuse_outside(at.source, at.place, name);
    return std::nullopt;
  }
  if (!conversion.inputs.has_beside(source.path, name)) return std::nullopt;
  return conversion.inputs.read_beside(source, at.place, name, folder_of(source));
}

bool is_glob(std::string_view name) {
  return name.find_first_of("*?{") != std::string_view::npos;
}

bool is_file_reference(std::string_view text) {
  return text.starts_with(file_scheme);
}

void fill_file_variable(Conversion& conversion, const Source& source, const Source& from, Node& value) {
  list_matches(conversion, source, value);
  fill(conversion, source, from, value);
  if (!value.is_list()) return;
  for (Node& item : value.items) fill(conversion, source, from, item);
}

void fill_file_values(Conversion& conversion, const Source& source, const Source& from, Node& assertion) {
  for (Node& member : assertion.items) {
    if (member.key == "value") fill_value(conversion, source, from, member);
    if (member.key != "assert") continue;
    for (Node& inner : member.items) fill_file_values(conversion, source, from, inner);
  }
}

void drop_line_ends(Variables& variables) {
  const auto drop = [](Node& value) {
    if (value.is_text() && value.text.ends_with('\n')) value.text.pop_back();
  };
  for (auto& [key, value] : variables) {
    drop(value);
    if (value.is_list()) std::for_each(value.items.begin(), value.items.end(), drop);
  }
}

Node with_named_variables(Conversion& conversion, const Source& configuration, const Source& source,
                          const Node& test) {
  const Node* references = test.find("vars");
  if (references == nullptr || (!references->is_text() && !references->is_list())) return test;
  const std::vector<Node> list = references->is_list() ? references->items : std::vector<Node>{*references};
  Node variables = holder_node(Node::Kind::map, "vars", references->place);
  for (const Node& reference : list) {
    const std::string name = file_name_of(as_text(reference));
    const bool is_code = is_code_file(name);
    bool is_read = false;
    for (const std::string& each :
         is_code ? std::vector<std::string>{} : named_files(conversion, configuration, source, name)) {
      const auto file = read_data_file(conversion, configuration, {source, reference.place}, each);
      const auto tree = file ? parse_either(*file, conversion.faults) : std::nullopt;
      if (!tree || !tree->is_map()) continue;
      variables = merged(&variables, &*tree);
      is_read = true;
    }
    if (is_read) continue;
    conversion.report.add(source, reference.place,
                          {.outcome = Outcome::not_mapped,
                           .source = "vars",
                           .text = as_text(reference),
                           .why = is_code ? "code is never run" : "no file with variables has such a name"});
  }
  Node out = test;
  set_member(out, "vars", std::move(variables));
  return out;
}

}  // namespace parley::convert
