#include "convert/records/suite_text.hpp"

#include <algorithm>
#include <array>

#include "convert/reading/source.hpp"
#include "convert/records/escapes.hpp"
#include "model/json/json.hpp"

namespace parley::convert {
namespace {

/// JSON as a YAML flow value.
void write_flow(std::string& out, const json::Value& value) {
  if (value.kind() == json::Kind::string) {
    out += value_of(value.string());
    return;
  }
  const bool is_object = value.kind() == json::Kind::object;
  if (!is_object && value.kind() != json::Kind::array) {
    out += value.raw();
    return;
  }
  out += is_object ? '{' : '[';
  bool is_first = true;
  for (const json::Value& item : value.children()) {
    if (!is_first) out += ", ";
    is_first = false;
    if (is_object) out += quoted_text(item.key()) + ": ";
    write_flow(out, item);
  }
  out += is_object ? '}' : ']';
}

void write_check(Lines& out, int indent, const Check& check) {
  if (check.type == "criteria") {
    std::string value = value_of(check.criteria);
    if (check.config != "{}") value = "{\"text\": " + value + ", " + flow_of(check.config).substr(1);
    out.line(indent, "- criteria: " + value);
  } else {
    out.line(indent, "- " + check.type + ": " + flow_of(check.config));
  }
  if (!check.id.empty()) out.line(indent + 2, "id: " + value_of(check.id));
  if (!check.name.empty()) out.line(indent + 2, "name: " + value_of(check.name));
  if (check.negate) out.line(indent + 2, "not: true");
  if (check.weight) out.line(indent + 2, "weight: " + std::to_string(*check.weight));
}

/// Whether the text reads back unchanged from a literal block.
bool fits_block(std::string_view text) {
  if (text.empty() || text.front() == ' ' || text.front() == '\n' || text.front() == '\t' ||
      text.back() == '\n')
    return false;
  if (quoted_text(text).find("\\u") != std::string::npos || text.find('\0') != std::string_view::npos)
    return false;
  return text.find('\r') == std::string_view::npos && text.find('\t') == std::string_view::npos;
}

}  // namespace

std::string value_of(std::string_view text) {
  std::string safe = dollars_doubled(text);
  if (safe.starts_with("file:")) safe = "${PARLEY_NOTHING:-}" + safe;
  return quoted_text(safe);
}

std::string flow_of(const std::string& json) {
  std::string out;
  const auto document = json::parse(json);
  if (document.ok()) write_flow(out, document->root());
  return out;
}

std::string list_of(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& each : texts) out += (out.empty() ? "" : ", ") + value_of(each);
  return "[" + out + "]";
}

void Lines::line(int indent, const std::string& text) {
  out_.append(static_cast<std::size_t>(indent), ' ');
  out_ += text;
  out_ += '\n';
}

void write_block(Lines& out, int indent, const std::string& key, std::string_view text) {
  std::string_view body = text;
  if (body.ends_with('\n')) body.remove_suffix(1);
  if (!fits_block(body) || text.starts_with("file:")) return out.line(indent, key + ": " + value_of(text));
  out.line(indent, key + (body.size() < text.size() ? ": |" : ": |-"));
  for (const std::string_view line : lines_of(body)) {
    if (line.empty()) {
      out.line(0, "");
    } else {
      out.line(indent + 2, dollars_doubled(line));
    }
  }
}

void write_checks(Lines& out, int indent, const std::vector<Check>& checks) {
  constexpr std::array<std::string_view, 3> levels{"must", "should", "could"};
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const auto is_of = [&](const Check& check) { return static_cast<std::size_t>(check.severity) == level; };
    if (!std::any_of(checks.begin(), checks.end(), is_of)) continue;
    out.line(indent, std::string(levels[level]) + ":");
    for (const Check& check : checks) {
      if (is_of(check)) write_check(out, indent + 2, check);
    }
  }
}

}  // namespace parley::convert
