#include "client/files/snapshot_file.hpp"

#include <algorithm>

#include "client/files/file_edit.hpp"
#include "model/json/json.hpp"
#include "model/json/json_writer.hpp"
#include "model/source/yaml_reader.hpp"

namespace parley::client {
namespace {

constexpr std::size_t compared_max = 2'000;  ///< items per side; the cost is the product of both sides
constexpr std::size_t context_lines = 3;

using Lines = std::vector<std::string>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Returns the pairs of equal items, in order: a longest common subsequence.
template <class Item>
std::vector<std::pair<std::size_t, std::size_t>> common(const std::vector<Item>& a,
                                                        const std::vector<Item>& b) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  if (a.size() > compared_max || b.size() > compared_max) return pairs;
  std::vector<std::vector<std::uint16_t>> longest(a.size() + 1, std::vector<std::uint16_t>(b.size() + 1));
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      longest[i][j] = a[i] == b[j] ? static_cast<std::uint16_t>(longest[i + 1][j + 1] + 1)
                                   : std::max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      pairs.emplace_back(i++, j++);
    } else if (longest[i + 1][j] >= longest[i][j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return pairs;
}

Lines call_lines(const SnapshotCall& call) {
  Lines lines{"  - name: " + scalar_text(call.name)};
  if (call.arguments != "{}") lines.push_back("    arguments: " + flow_text(call.arguments));
  return lines;
}

std::size_t indent_of(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

bool is_comment(const std::string& line) {
  const std::size_t at = indent_of(line);
  return at == line.size() || line[at] == '#';
}

/// A call in the old file, with the comments above it.
struct Chunk {
  Lines comments;
  Lines lines;
};

/// The old file: the text above the calls, and each call. Without chunks, no list item was found below `calls:`.
struct OldFile {
  Lines head;
  std::vector<Chunk> chunks;
  Lines rest;  ///< comments at the end
};

OldFile split(const Lines& lines) {
  OldFile file;
  std::size_t at = 0;
  while (at < lines.size() && !lines[at].starts_with("calls:")) file.head.push_back(lines[at++]);
  if (at == lines.size()) return file;
  file.head.push_back(lines[at].find('[') == std::string::npos ? lines[at] : "calls:");
  ++at;
  std::size_t indent = std::string::npos;
  Lines comments;
  for (; at < lines.size(); ++at) {
    const std::string& line = lines[at];
    if (is_comment(line)) {
      comments.push_back(line);
      continue;
    }
    const bool is_item = line.compare(indent_of(line), 2, "- ") == 0;
    if (is_item && indent == std::string::npos) indent = indent_of(line);
    if (is_item && indent_of(line) == indent) {
      file.chunks.push_back({std::move(comments), {line}});
      comments = {};
    } else if (!file.chunks.empty()) {
      Lines& own = file.chunks.back().lines;
      own.insert(own.end(), comments.begin(), comments.end());
      own.push_back(line);
      comments.clear();
    }
  }
  file.rest = std::move(comments);
  return file;
}

void append(std::string& out, const Lines& lines) {
  for (const std::string& each : lines) out += each + "\n";
}

}  // namespace

std::vector<SnapshotCall> snapshot_calls(std::string_view file) {
  std::vector<SnapshotCall> calls;
  const auto read = source::read_yaml(std::make_shared<source::SourceFile>("snapshot", std::string(file)));
  if (!read.faults.empty() || !read.tree->root().is(source::NodeKind::mapping)) return calls;
  const source::Member* list = read.tree->root().find("calls");
  if (list == nullptr || !list->value->is(source::NodeKind::sequence)) return calls;
  const auto without_dollars = [](std::string text) {
    for (std::size_t at = text.find("$$"); at != std::string::npos; at = text.find("$$", at + 1))
      text.erase(at, 1);
    return text;
  };
  for (const source::Node* item : list->value->items) {
    SnapshotCall call;
    const source::Member* name = item->find("name");
    if (name != nullptr) call.name = without_dollars(name->value->text);
    if (const source::Member* arguments = item->find("arguments")) {
      json::Writer out;
      source::write_json(out, *arguments->value);
      call.arguments = without_dollars(std::move(out).text());
    }
    calls.push_back(std::move(call));
  }
  return calls;
}

std::string snapshot_text(std::string_view test, const std::vector<SnapshotCall>& calls,
                          std::string_view old_file) {
  OldFile old = split(lines_of(old_file));
  std::vector<SnapshotCall> before = snapshot_calls(old_file);
  if (old.chunks.size() != before.size()) {
    old.chunks.clear();
    before.clear();
  }
  if (old.head.empty() || !old.head.back().starts_with("calls:")) {
    old.head = {"# Tool calls of \"" + std::string(test) + "\", accepted by `parley run --update`.",
                "calls:"};
  }
  std::string out;
  old.head.back() = calls.empty() ? "calls: []" : "calls:";
  append(out, old.head);
  auto pairs = common(before, calls);
  pairs.emplace_back(before.size(), calls.size());
  std::size_t i = 0;
  std::size_t j = 0;
  for (const auto& [same_old, same_new] : pairs) {
    for (; j < same_new; ++j) {
      // A call that replaces a call with the same name keeps the comments above it.
      if (i < same_old && before[i].name == calls[j].name) append(out, old.chunks[i].comments);
      if (i < same_old) ++i;
      append(out, call_lines(calls[j]));
    }
    i = same_old;
    if (same_old == before.size()) break;
    append(out, old.chunks[i].comments);
    append(out, old.chunks[i].lines);
    ++i;
    ++j;
  }
  append(out, old.rest);
  return out;
}

std::string line_diff(std::string_view before, std::string_view after) {
  if (before == after) return "";
  const Lines a = lines_of(before);
  const Lines b = lines_of(after);
  std::vector<std::pair<char, std::string>> rows;
  auto pairs = common(a, b);
  pairs.emplace_back(a.size(), b.size());
  std::size_t i = 0;
  std::size_t j = 0;
  for (const auto& [same_a, same_b] : pairs) {
    for (; i < same_a; ++i) rows.emplace_back('-', a[i]);
    for (; j < same_b; ++j) rows.emplace_back('+', b[j]);
    if (same_a < a.size()) rows.emplace_back(' ', a[same_a]);
    ++i;
    ++j;
  }
  std::string out;
  bool is_cut = false;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const std::size_t first = at >= context_lines ? at - context_lines : 0;
    const std::size_t last = std::min(at + context_lines + 1, rows.size());
    const bool is_near = std::any_of(rows.begin() + static_cast<std::ptrdiff_t>(first),
                                     rows.begin() + static_cast<std::ptrdiff_t>(last),
                                     [](const auto& row) { return row.first != ' '; });
    if (is_near) {
      if (is_cut) out += "  ...\n";
      is_cut = false;
      out += std::string(1, rows[at].first) + " " + rows[at].second + "\n";
    } else {
      is_cut = true;
    }
  }
  return out;
}

}  // namespace parley::client
