#include "client/files/suite_sources.hpp"

#include <glob.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "model/json/json_number.hpp"
#include "model/source/yaml_reader.hpp"
#include "model/text/ascii.hpp"
#include "model/text/utf8.hpp"

namespace parley::client {

namespace fs = std::filesystem;
using source::Node;
using source::NodeKind;
using source::Place;
using source::SourceFilePtr;
using source::Span;

// Views.

View View::at(std::string_view key) const {
  const source::Member* member = node == nullptr ? nullptr : node->find(key);
  if (member == nullptr || member->value->is(NodeKind::null)) return {nullptr, file};
  return {member->value, file};
}

std::vector<View> View::items() const {
  std::vector<View> views;
  if (node == nullptr) return views;
  for (const Node* item : node->items) views.push_back({item, file});
  return views;
}

Place View::key_place(std::string_view key) const {
  const source::Member* member = node->find(key);
  return {file, member == nullptr ? node->at : member->name_at};
}

Place place_in(View value, std::string_view pointer, Place last, bool is_of_key) {
  while (pointer.starts_with('/')) {
    pointer.remove_prefix(1);
    const std::string token(pointer.substr(0, pointer.find('/')));
    pointer.remove_prefix(token.size());
    if (value.node->is(NodeKind::sequence)) {
      const auto items = value.items();
      const std::size_t index = token.empty() || token.size() > 5 ? items.size() : std::stoul("0" + token);
      if (index >= items.size()) return last;
      value = items[index];
      last = value.place();
      continue;
    }
    const source::Member* member = value.node->find(token);
    if (member == nullptr) return last;
    last = {value.file, member->name_at};
    value = {member->value, value.file};
    if (!is_of_key && value.node->is_scalar() && pointer.empty() && !value.node->is(NodeKind::null))
      last = value.place();
  }
  return last;
}

namespace {

/// The kind of a value that may be a number or a flag. fill() makes a quoted `${NAME}` a plain scalar, but keeps it a
/// string.
NodeKind plain_kind(const Node* node) {
  if (node == nullptr) return NodeKind::null;
  const bool is_plain_text = node->is(NodeKind::string) && node->style == source::Style::plain;
  return is_plain_text ? source::kind_of_plain(node->text) : node->kind;
}

/// Whether the scalar is quoted and consists of one variable.
bool is_quoted_variable(const Node& scalar) {
  const bool is_quoted =
      scalar.style == source::Style::single_quoted || scalar.style == source::Style::double_quoted;
  return is_quoted && scalar.text.starts_with("${") && scalar.text.find('}') + 1 == scalar.text.size();
}

}  // namespace

bool View::is_flag() const {
  return plain_kind(node) == NodeKind::boolean;
}

std::optional<std::int64_t> View::whole() const {
  if (plain_kind(node) != NodeKind::number) return std::nullopt;
  return json::to_integer(node->text);
}

std::optional<double> View::number() const {
  if (plain_kind(node) != NodeKind::number) return std::nullopt;
  return json::to_double(node->text);
}

bool View::flag() const {
  return is_flag() && ascii::lower(node->text) == "true";
}

std::vector<View> View::names() const {
  if (node == nullptr || !node->is_scalar()) return items();
  return {*this};
}

std::string View::json() const {
  json::Writer out;
  source::write_json(out, *node);
  return std::move(out).text();
}

Place PlacedText::place_of_line(std::uint32_t line, std::size_t column) const {
  if (content) {
    const std::uint32_t number = std::clamp(line, 1U, content->line_count());
    const std::string_view whole = content->line(number);
    const std::size_t begin = content->line_begin(number);
    return {content, {begin + std::min(column, whole.size()), begin + whole.size()}};
  }
  std::size_t begin = 0;
  for (std::uint32_t number = 1; number < line && begin != std::string::npos; ++number) {
    begin = text.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (begin == std::string::npos) return view.place();
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  return {view.file, source::span_in(*view.file, *view.node, {std::min(begin + column, end), end})};
}

std::vector<Place> PlacedText::from() const {
  return content ? std::vector<Place>{view.place()} : std::vector<Place>{};
}

// Files.

SuiteSources::SuiteSources(fs::path folder, std::map<std::string, std::string> environment)
    : folder_(std::move(folder)), environment_(std::move(environment)) {}

void SuiteSources::error(std::string code, std::string message, Place at) {
  faults_.push_back({source::Level::error, std::move(code), std::move(message), std::move(at)});
}

void SuiteSources::warning(std::string code, std::string message, Place at) {
  faults_.push_back({source::Level::warning, std::move(code), std::move(message), std::move(at)});
}

fs::path SuiteSources::folder_of(const SourceFilePtr& file) const {
  const auto found = paths_.find(file.get());
  return found == paths_.end() ? folder_ : found->second.parent_path();
}

std::optional<fs::path> SuiteSources::inside(const std::string& path, const View& named_by) {
  std::error_code failed;
  const fs::path whole = fs::weakly_canonical(folder_of(named_by.file) / path, failed);
  if (failed) {
    error("no-file", "cannot read the file \"" + path + "\": " + failed.message(), named_by.place());
    return std::nullopt;
  }
  const auto [end, rest] = std::mismatch(folder_.begin(), folder_.end(), whole.begin(), whole.end());
  if (end == folder_.end()) return whole;
  error("outside-project", "\"" + path + "\" is outside of the project folder " + folder_.string(),
        named_by.place());
  return std::nullopt;
}

SourceFilePtr SuiteSources::read_file(const fs::path& path, const Place& named_at) {
  if (const auto known = read_.find(path); known != read_.end()) return known->second;
  files_.push_back(path);
  std::error_code failed;
  fs::path nearby = fs::proximate(path, failed);
  const std::string shown = failed ? path.string() : nearby.string();
  const fs::file_status status = fs::status(path, failed);
  // Opening a pipe would wait for its writer.
  std::ifstream in;
  if (fs::is_regular_file(status)) in.open(path, std::ios::binary);
  const auto size = in.is_open() ? fs::file_size(path, failed) : 0;
  if (!in.is_open() || failed) {
    error("no-file",
          status.type() == fs::file_type::not_found ? "there is no file " + shown
          : fs::exists(status) && !fs::is_regular_file(status)
              ? shown + " is not a regular file"
              : "cannot read the file " + shown + ": check its permissions",
          named_at);
    return nullptr;
  }
  if (size > suite_bytes_max) {
    error("file-too-large", shown + " is larger than 8 MiB", named_at);
    return nullptr;
  }
  std::ostringstream content;
  content << in.rdbuf();
  const SourceFilePtr file = source::source_file(shown, std::move(content).str());
  read_[path] = file;
  paths_[file.get()] = path;
  return file;
}

PlacedText SuiteSources::text_of(const View& value) {
  PlacedText placed{value.text(), nullptr, value};
  if (!value || !is_file_reference(value)) return placed;
  const auto path = inside(placed.text.substr(5), value);
  placed.content = path ? read_file(*path, value.place()) : nullptr;
  placed.text = placed.content ? std::string(placed.content->text()) : "";
  if (placed.content && !is_utf8(placed.text)) {
    const std::size_t bad = utf8_fault(placed.text);
    error("not-utf8", "the file is not UTF-8; save it as UTF-8", {placed.content, {bad, bad + 1}});
    placed.text.clear();
  }
  return placed;
}

std::vector<fs::path> SuiteSources::matching(const View& value) {
  const std::string pattern = (folder_of(value.file) / value.text()).string();
  glob_t found{};
  std::vector<fs::path> paths;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    for (std::size_t i = 0; i < found.gl_pathc; ++i) {
      if (auto path = inside(found.gl_pathv[i], value)) paths.push_back(std::move(*path));
    }
  } else {
    error("no-file", "no file matches \"" + value.text() + "\"", value.place());
  }
  ::globfree(&found);
  return paths;
}

View SuiteSources::read_suite(const fs::path& path, const Place& named_at) {
  const SourceFilePtr file = read_file(path, named_at);
  if (!file) return {};
  source::ReadTree read = source::read_yaml(file);
  faults_.insert(faults_.end(), read.faults.begin(), read.faults.end());
  if (!read.tree) return {};
  Filling filling{read.tree.get(), std::make_shared<source::Tree>(file), {}};
  const Node* root = fill(filling, read.tree->root(), "");
  filling.to->set_root(*root);
  trees_.push_back(filling.to);
  return {root, file};
}

// Variables.

const Node* SuiteSources::fill(Filling& filling, const Node& node, const std::string& path) {
  if (const auto done = filling.done.find(&node); done != filling.done.end()) return done->second;
  Node copy = node;
  bool has_variable = false;
  if (node.is_scalar() && node.text.find('$') != std::string::npos) {
    copy.text = filled(filling, node, path, has_variable);
    if (node.style == source::Style::plain) copy.kind = source::kind_of_plain(copy.text);
    if (copy.kind == NodeKind::null) copy.kind = NodeKind::string;
    if (is_quoted_variable(node)) copy.style = source::Style::plain;
  }
  for (std::size_t i = 0; i < copy.items.size(); ++i) {
    copy.items[i] = fill(filling, *copy.items[i], path + "[" + std::to_string(i) + "]");
  }
  for (source::Member& member : copy.members) {
    member.value = fill(filling, *member.value, path.empty() ? member.name : path + "." + member.name);
  }
  const Node* added = &filling.to->add(std::move(copy));
  if (has_variable) with_variables_.insert(added);
  if (has_variable && !node.text.starts_with("file:")) made_by_variable_.insert(added);
  filling.done.emplace(&node, added);
  return added;
}

/// Fills in the variables of a scalar: `${NAME}`, `${NAME:-default}` and `${NAME:?why}`. `$$` becomes a dollar; any
/// other dollar is kept.
std::string SuiteSources::filled(const Filling& filling, const Node& scalar, const std::string& path,
                                 bool& has_variable) {
  const std::string_view text = scalar.text;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '$' || at + 1 == text.size() || (text[at + 1] != '$' && text[at + 1] != '{')) {
      out.push_back(text[at++]);
    } else if (text[at + 1] == '$') {
      out.push_back('$');
      at += 2;
    } else {
      const std::size_t close = text.find('}', at);
      const std::size_t end = close == std::string_view::npos ? text.size() : close + 1;
      has_variable = true;
      if (close == std::string_view::npos) {
        error("variable", "\"${\" without its \"}\"; write \"$$\" for a dollar",
              {filling.from->file(), source::span_in(*filling.from->file(), scalar, {at, end})});
      } else if (const auto value = value_of(filling, scalar, {at, end}, path)) {
        out += *value;
      }
      at = end;
    }
  }
  return out;
}

std::optional<std::string> SuiteSources::value_of(const Filling& filling, const Node& scalar, Span at,
                                                  const std::string& path) {
  const SourceFilePtr& file = filling.from->file();
  const std::string_view inner = std::string_view(scalar.text).substr(at.begin + 2, at.end - at.begin - 3);
  const std::size_t name_end = std::min(inner.find(':'), inner.size());
  const std::string name(inner.substr(0, name_end));
  const std::string_view rest = inner.substr(name_end);
  const bool is_name =
      !name.empty() && !ascii::is_digit(name.front()) && std::all_of(name.begin(), name.end(), [](char c) {
        return ascii::is_letter(c) || ascii::is_digit(c) || c == '_';
      });
  const Place place{file, source::span_in(*file, scalar, at)};
  if (!is_name || (!rest.empty() && !rest.starts_with(":-") && !rest.starts_with(":?"))) {
    // The message omits the text, which may be a secret in braces.
    error("variable", "a variable must be ${NAME}, ${NAME:-default} or ${NAME:?why}", place);
    return std::nullopt;
  }
  if (rest.find("${") != std::string_view::npos) {
    error("variable", "the default of " + name + " cannot contain another variable; write a plain text",
          place);
    return std::nullopt;
  }
  const auto found = environment_.find(name);
  // As in a shell, `:-` and `:?` treat an empty value as missing.
  if (found != environment_.end() && (rest.empty() || !found->second.empty())) return found->second;
  if (rest.starts_with(":-")) return std::string(rest.substr(2));
  const std::string why = rest.size() > 2 ? ": " + std::string(rest.substr(2)) : " (needed by " + path + ")";
  error("missing-variable", name + " is not set" + why, place);
  return std::nullopt;
}

}  // namespace parley::client
