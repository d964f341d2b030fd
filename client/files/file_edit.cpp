#include "client/files/file_edit.hpp"

#include <algorithm>
#include <functional>

#include "model/json/json_writer.hpp"

namespace parley::client {
namespace {

using source::Member;
using source::Node;

Problem cannot(const std::string& why) {
  return problem(ProblemKind::invalid_parameter, why);
}

/// Doubles each dollar, because a dollar begins a variable.
std::string with_dollars(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '$' ? std::string("$$") : std::string(1, c);
  return out;
}

bool is_plain(std::string_view text) {
  const bool is_text = source::kind_of_plain(text) == source::NodeKind::string;
  const bool is_edged = text.empty() || text.front() == ' ' || text.back() == ' ' || text.back() == ':';
  if (!is_text || is_edged) return false;
  if (text.starts_with("file:") ||
      std::string_view("-?:,[]{}#&*!|>'\"%@`").find(text.front()) != std::string_view::npos)
    return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || std::string_view(",[]{}").find(text[i]) != std::string_view::npos) return false;
    if (i > 0 && text[i] == '#' && text[i - 1] == ' ') return false;
    if (text[i] == ':' && i + 1 < text.size() && text[i + 1] == ' ') return false;
  }
  return true;
}

bool is_block(const Node& node) {
  return node.style == source::Style::literal || node.style == source::Style::folded;
}

}  // namespace

std::string scalar_text(std::string_view value) {
  if (is_plain(value)) return with_dollars(value);
  json::Writer out;
  out.string(value);
  return with_dollars(std::move(out).text());
}

std::string flow_text(std::string_view json) {
  std::string out;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    out += c;
    if (c == '$') out += '$';
    if (c == '\\' && in_string && i + 1 < json.size()) out += json[++i];
    if (c == '"') in_string = !in_string;
    if (!in_string && (c == ':' || c == ',')) out += ' ';
  }
  return out;
}

Expected<FileEdit> FileEdit::of(std::string name, std::string text) {
  auto file = source::source_file(std::move(name), std::move(text));
  auto read = source::read_yaml(file);
  if (!read.tree || source::has_errors(read.faults)) return cannot(file->name() + " is not valid YAML");
  return FileEdit(std::move(file), std::move(read.tree));
}

const Node* FileEdit::mapping_at(std::uint32_t line, std::uint32_t column) const {
  const source::Position wanted{line, column};
  const Node* found = nullptr;
  const std::function<void(const Node&)> visit = [&](const Node& node) {
    for (const Node* each : node.items) visit(*each);
    for (const Member& each : node.members) {
      if (found != nullptr || each.is_merged) continue;
      const bool is_name = each.name == "name" && file_->position(each.value->at.begin) == wanted;
      if (is_name) found = &node;
      if (file_->position(each.name_at.begin) == wanted && each.value->is(source::NodeKind::mapping))
        found = each.value;
      if (found == nullptr) visit(*each.value);
    }
  };
  visit(tree_->root());
  return found;
}

FileEdit::Change FileEdit::block_change(const Member& member, std::string_view value) const {
  const std::uint32_t key_line = file_->position(member.name_at.begin).line;
  const std::string_view head = file_->line(key_line);
  const std::size_t column = member.name_at.begin - file_->line_begin(key_line);
  std::uint32_t last = key_line;
  std::size_t indent = 0;
  for (std::uint32_t number = key_line + 1; number <= file_->line_count(); ++number) {
    const std::string_view line = file_->line(number);
    const std::size_t first = line.find_first_not_of(" \r");
    if (first == std::string_view::npos) continue;
    if (first <= column) break;
    if (indent == 0) indent = first;
    last = number;
  }
  if (indent == 0) indent = column + 2;
  std::string text(head.substr(0, head.find_first_of("|>", column)));
  text += value.ends_with('\n') || value.empty() ? "|\n" : "|-\n";
  for (std::size_t begin = 0; begin < value.size();) {
    const std::size_t end = std::min(value.find('\n', begin), value.size());
    const std::string line = with_dollars(value.substr(begin, end - begin));
    text += (line.empty() ? "" : std::string(indent, ' ') + line) + "\n";
    begin = end + 1;
  }
  text.pop_back();
  return {file_->line_begin(key_line), file_->line_begin(last) + file_->line(last).size(), std::move(text)};
}

Expected<Done> FileEdit::set(const Node& mapping, std::string_view member, const std::string& flow,
                             std::string_view block) {
  const std::string name(member);
  const Member* found = mapping.find(member);
  if (found == nullptr) {
    if (mapping.members.empty() || file_->text()[mapping.at.begin] == '{')
      return cannot("\"" + name + "\" is not in the file");
    const Member& first = mapping.members.front();
    const std::uint32_t line = file_->position(first.name_at.begin).line;
    const std::size_t column = first.name_at.begin - file_->line_begin(line);
    changes_.push_back(
        {first.name_at.begin, first.name_at.begin, name + ": " + flow + "\n" + std::string(column, ' ')});
    return Done{};
  }
  const Node& value = *found->value;
  const std::string_view written = file_->text().substr(value.at.begin, value.at.end - value.at.begin);
  if (found->is_merged || written.find("${") != std::string_view::npos || value.text.starts_with("file:"))
    return cannot("\"" + name + "\" comes from a variable, a file or an alias");
  if (is_block(value) && value.is(source::NodeKind::string)) {
    changes_.push_back(block_change(*found, block));
  } else if (value.is_scalar() || written.starts_with('[') || written.starts_with('{')) {
    changes_.push_back({value.at.begin, value.at.end, flow});
  } else {
    return cannot("\"" + name + "\" is written over several lines");
  }
  return Done{};
}

Expected<Done> FileEdit::set_text(const Node& mapping, std::string_view member, std::string_view value) {
  return set(mapping, member, scalar_text(value), value);
}

Expected<Done> FileEdit::set_json(const Node& mapping, std::string_view member, std::string_view value) {
  return set(mapping, member, flow_text(value), value);
}

std::string FileEdit::text() const {
  std::vector<Change> changes = changes_;
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.begin > b.begin; });
  std::string text(file_->text());
  for (const Change& each : changes) text.replace(each.begin, each.end - each.begin, each.text);
  return text;
}

}  // namespace parley::client
