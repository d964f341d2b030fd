#include "convert/promptfoo/data_files.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <array>

#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

constexpr std::string_view file_scheme = "file://";
constexpr std::array<std::string_view, 8> text_extensions{".txt", ".md",   ".json", ".jsonl",
                                                          ".csv", ".html", ".xml",  ".j2"};

std::optional<std::string> text_of_file(Conversion& conversion, const Source& source, const Node& value) {
  const std::string name = file_name_of(value.text);
  const std::string extension = extension_of(name);
  const bool is_text =
      std::find(text_extensions.begin(), text_extensions.end(), extension) != text_extensions.end();
  if (!is_yaml(name) && !is_text) return std::nullopt;
  const auto file = read_data_file(conversion, source, value.place, name);
  if (!file) return std::nullopt;
  if (!is_yaml(name)) return std::string(ascii::trimmed(file->text, " \t\r\n"));
  const auto tree = parse_yaml(*file, conversion.faults);
  return tree ? std::optional(to_json(*tree)) : std::nullopt;
}

void fill(Conversion& conversion, const Source& source, Node& value) {
  if (!value.is_text() || !is_file_reference(value.text)) return;
  if (auto text = text_of_file(conversion, source, value)) value.text = std::move(*text);
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
  std::vector<std::string> names;
  const std::filesystem::path folder = folder_of(source);
  for (const std::string& file : conversion.inputs.files_below(folder.string())) {
    const std::string name = std::filesystem::path(file).lexically_relative(folder).string();
    if (::fnmatch(pattern.c_str(), name.c_str(), FNM_PATHNAME) == 0) names.push_back(name);
  }
  return names;
}

std::optional<Source> read_data_file(Conversion& conversion, const Source& source, Place place,
                                     const std::string& name) {
  const auto inside = std::filesystem::path(name).lexically_normal();
  const bool leads_out = inside.is_absolute() || *inside.begin() == "..";
  // A name that leads out of the folder is a fault, whether or not the file is there.
  if (!leads_out && !conversion.inputs.has_beside(source.path, name)) return std::nullopt;
  return conversion.inputs.read_beside(source, place, name, folder_of(source));
}

bool is_file_reference(std::string_view text) {
  return text.starts_with(file_scheme);
}

void fill_file_variables(Conversion& conversion, const Source& source, Variables& variables) {
  for (auto& [key, value] : variables) {
    fill(conversion, source, value);
    if (!value.is_list()) continue;
    for (Node& item : value.items) fill(conversion, source, item);
  }
}

void fill_file_values(Conversion& conversion, const Source& source, Node& assertion) {
  for (Node& member : assertion.items) {
    if (member.key == "value") fill(conversion, source, member);
    if (member.key != "assert") continue;
    for (Node& inner : member.items) fill_file_values(conversion, source, inner);
  }
}

}  // namespace parley::convert
