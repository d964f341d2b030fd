#include "client/files/secret_spans.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "model/source/yaml_reader.hpp"
#include "model/text/ascii.hpp"
#include "model/text/nearest.hpp"

namespace parley::client {
namespace {

using source::Node;
using source::NodeKind;
using source::SourceFilePtr;
using source::Span;

constexpr std::size_t nowhere = std::string_view::npos;

/// Keys whose names contain one of these parts have secret values everywhere, so that a misspelled or misplaced key
/// is hidden too.
constexpr std::array<std::string_view, 6> secret_parts{"secret", "password", "authorization",
                                                       "apikey", "api-key",  "api_key"};

/// In tests, `key` names the test or a column of data. Elsewhere it is a secret.
enum class Area : std::uint8_t { settings, tests, secret };

bool is_secret_name(std::string_view name, Area area) {
  const std::string lower = ascii::lower(name);
  if (lower.ends_with("token") || (area != Area::tests && lower == "key")) return true;
  const bool has_part = std::any_of(secret_parts.begin(), secret_parts.end(), [&](std::string_view part) {
    return lower.find(part) != std::string::npos;
  });
  return has_part || !nearest(lower, {"secrets"}).empty();
}

/// Returns the end of the variable name in the `${NAME` that begins at `open`; nowhere if no valid name is there.
std::size_t end_of_name(std::string_view text, std::size_t open) {
  std::size_t end = open + 2;
  while (end < text.size() && (ascii::is_letter(text[end]) || ascii::is_digit(text[end]) || text[end] == '_'))
    ++end;
  const bool is_name = end < text.size() && end > open + 2 && (text[end] == '}' || text[end] == ':');
  return is_name ? end : nowhere;
}

/// Adds the parts of [begin, end) that are outside of `${NAME}`, and the default in `${NAME:-default}`.
void add_literals(std::string_view text, Span at, std::vector<Span>& spans) {
  std::size_t begin = at.begin;
  const auto add = [&](std::size_t end) {
    const std::string_view literal = ascii::trimmed(text.substr(begin, end - begin));
    if (!literal.empty() && literal != "Bearer" && literal != "Basic") spans.push_back({begin, end});
  };
  while (begin < at.end) {
    const std::size_t open = std::min(text.find("${", begin), at.end);
    const std::size_t close = text.find('}', open);
    if (open == at.end || close == nowhere || close >= at.end || end_of_name(text, open) == nowhere)
      return add(at.end);
    add(open);
    const std::size_t usual = std::min(text.find(":-", open), close);
    begin = std::min(usual + 2, close);
    add(close);
    begin = close + 1;
  }
}

/// Returns the text between `://` and the last `@` of the same word, for each URL.
std::vector<Span> users_of_urls(std::string_view text) {
  std::vector<Span> spans;
  for (std::size_t at = text.find("://"); at != nowhere; at = text.find("://", at)) {
    at += 3;
    const std::size_t end = std::min(text.find_first_of(" \t\r\n\"'`<>|", at), text.size());
    const std::size_t sign = text.substr(0, end).rfind('@');
    if (sign != nowhere && sign > at) spans.push_back({at, sign});
  }
  return spans;
}

/// Collects the secret values of a tree.
class TreeWalk {
 public:
  TreeWalk(const SourceFilePtr& file, std::vector<Span>& spans) : text_(file->text()), spans_(spans) {}

  void visit(const Node& node, Area area) {
    if (!seen_.emplace(&node, area).second) return;
    if (node.is_scalar() && area == Area::secret) return add_value(node);
    for (const Node* item : node.items) visit(*item, area);
    for (const source::Member& member : node.members) {
      const bool is_secret = area == Area::secret || is_secret_name(member.name, area);
      const bool is_tests = member.name == "tests" || member.name == "defaults";
      visit(*member.value, is_secret ? Area::secret : is_tests ? Area::tests : area);
      if (member.name == "url" || member.name == "http" || member.name == "openai") add_user(*member.value);
    }
  }

 private:
  /// Excludes the quotation marks, and the path in `file:PATH`.
  void add_value(const Node& node) {
    if (node.text.starts_with("file:")) return;
    Span at = node.at;
    const bool is_quoted =
        node.style == source::Style::single_quoted || node.style == source::Style::double_quoted;
    if (is_quoted && at.end >= at.begin + 2) at = {at.begin + 1, at.end - 1};
    add_literals(text_, at, spans_);
  }

  /// Adds the user of a URL, even if the URL lacks `http://`.
  void add_user(const Node& node) {
    const std::size_t sign = text_.substr(0, node.at.end).rfind('@');
    if (node.is_scalar() && sign != nowhere && sign > node.at.begin &&
        text_.find("://", node.at.begin) > sign)
      spans_.push_back({node.at.begin, sign});
  }

  std::string_view text_;
  std::vector<Span>& spans_;
  std::set<std::pair<const Node*, Area>> seen_;
};

/// Returns where the value of a secret name begins in the line; nowhere if the line has no such name. A name ends
/// with `:`, or with a quotation mark and `:`.
std::size_t secret_value_in(std::string_view line) {
  for (std::size_t colon = line.find(':'); colon != nowhere; colon = line.find(':', colon + 1)) {
    std::string_view name = ascii::trimmed(line.substr(0, colon), " \t\"'");
    name.remove_prefix(name.find_last_of(" \t\"'{[,") + 1);
    if (is_secret_name(name, Area::settings)) return colon + 1;
  }
  return nowhere;
}

/// Searches line by line if there is no complete tree: the rest of the line after a secret name, and all lines that
/// are indented more.
void add_lines(const source::SourceFile& file, std::vector<Span>& spans) {
  std::size_t outer = nowhere;
  for (std::uint32_t number = 1; number <= file.line_count(); ++number) {
    const std::string_view line = file.line(number);
    const std::size_t indent = line.find_first_not_of(" \t\r");
    if (indent == nowhere) continue;
    const bool is_inside = outer != nowhere && indent > outer;
    if (!is_inside) outer = nowhere;
    const std::size_t value = is_inside ? indent : secret_value_in(line);
    if (value == nowhere) continue;
    if (!is_inside) outer = indent;
    const std::size_t begin = file.line_begin(number);
    add_literals(file.text(),
                 {begin + std::min(line.find_first_not_of(' ', value), line.size()), begin + line.size()},
                 spans);
  }
}

std::vector<Span> joined(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
  std::vector<Span> out;
  for (const Span& each : spans) {
    if (!out.empty() && each.begin <= out.back().end)
      out.back().end = std::max(out.back().end, each.end);
    else
      out.push_back(each);
  }
  return out;
}

}  // namespace

std::vector<Span> secret_spans(const SourceFilePtr& file) {
  std::vector<Span> spans;
  const source::ReadTree read = source::read_yaml(file);
  if (read.tree) TreeWalk(file, spans).visit(read.tree->root(), Area::settings);
  // The second value of a duplicate key is missing from the tree.
  if (!read.faults.empty()) add_lines(*file, spans);
  const std::vector<Span> users = users_of_urls(file->text());
  spans.insert(spans.end(), users.begin(), users.end());
  return joined(std::move(spans));
}

void hide_secrets(std::vector<source::SourceFault>& faults) {
  std::map<const source::SourceFile*, std::vector<Span>> known;
  for (source::SourceFault& each : faults) {
    const SourceFilePtr& file = each.place.file;
    if (file == nullptr) continue;
    auto found = known.find(file.get());
    if (found == known.end()) found = known.emplace(file.get(), secret_spans(file)).first;
    // A file in `key: "file:PATH"` is entirely secret, and not-utf8 is the only fault it can have.
    each.hidden = each.code == "not-utf8" ? std::vector<Span>{{0, file->text().size()}} : found->second;
    // This file is not a suite but a text that the suite names, such as a script.
    if (!each.from.empty()) each.hidden = users_of_urls(file->text());
  }
}

bool has_user(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == nowhere) return false;
  const std::string_view rest = url.substr(scheme + 3);
  return rest.substr(0, std::min(rest.find_first_of("/?#"), rest.size())).find('@') != nowhere;
}

}  // namespace parley::client
