#include "convert/promptfoo/template.hpp"

#include <algorithm>

#include "model/json/json_writer.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// Maximum nesting of values that refer to other variables; deeper nesting is treated as a cycle.
constexpr int nesting_max = 4;

bool is_path(std::string_view expression) {
  return !expression.empty() && std::all_of(expression.begin(), expression.end(), [](char c) {
    return ascii::is_letter(c) || ascii::is_digit(c) || c == '_' || c == '.' || c == '[' || c == ']' ||
           c == '-' || (static_cast<unsigned char>(c) & 0x80U) != 0;
  });
}

/// The expression between `{{` and `}}`.
struct Expression {
  std::string_view path;
  bool is_dumped = false;  ///< the value is written as JSON
};

Expression expression_of(std::string_view text) {
  text = ascii::trimmed(text, " \t\n-");
  const std::size_t bar = text.rfind('|');
  if (bar == std::string_view::npos) return {text};
  const std::string_view filter = ascii::trimmed(text.substr(bar + 1));
  const std::string_view path = ascii::trimmed(text.substr(0, bar));
  if (filter == "dump") return {path, true};
  return {filter == "safe" ? path : text};
}

/// The steps of `name.path[0]`.
std::vector<std::string> steps_of(std::string_view expression) {
  std::vector<std::string> steps(1);
  for (const char c : expression) {
    if (c == '.' || c == '[') {
      steps.emplace_back();
    } else if (c != ']') {
      steps.back() += c;
    }
  }
  return steps;
}

const Node* step(const Node* node, const std::string& name) {
  if (node == nullptr) return nullptr;
  const Node* found = node->find(name);
  if (found != nullptr || !node->is_list() || !ascii::is_digits(name) || name.size() > 9) return found;
  const auto index = static_cast<std::size_t>(std::stoul(name));
  return index < node->items.size() ? &node->items[index] : nullptr;
}

/// The value of the variable; null if it is unknown.
const Node* value_at(std::string_view path, const Variables& variables) {
  const std::vector<std::string> steps = steps_of(path);
  const auto found = variables.find(steps.front());
  if (found == variables.end()) return nullptr;
  const Node* node = &found->second;
  for (std::size_t i = 1; i < steps.size(); ++i) node = step(node, steps[i]);
  return node;
}

/// A quoted text as the whole expression, as in `{{ '{{name}}' }}`, which writes braces as they are.
struct Quoted {
  std::string_view text;
  std::size_t end = 0;  ///< position after the closing braces
};

/// Reads the quoted text after the braces at `open`; nullopt if the expression is not a quoted text.
std::optional<Quoted> quoted_at(std::string_view text, std::size_t open) {
  const std::size_t begin = text.find_first_not_of(" \t\n", open + 2);
  if (begin == std::string_view::npos || (text[begin] != '\'' && text[begin] != '"')) return std::nullopt;
  const std::size_t end = text.find(text[begin], begin + 1);
  const std::size_t close = end == std::string_view::npos ? end : text.find_first_not_of(" \t\n", end + 1);
  if (close == std::string_view::npos || !text.substr(close).starts_with("}}")) return std::nullopt;
  const std::string_view inner = text.substr(begin + 1, end - begin - 1);
  return inner.find('\\') == std::string_view::npos ? std::optional(Quoted{inner, close + 2}) : std::nullopt;
}

std::optional<std::string> render(std::string_view text, const Variables& variables, int depth) {
  std::string out;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = text.find('{', at);
    if (open == std::string_view::npos || open + 1 >= text.size()) return out += text.substr(at);
    const char kind = text[open + 1];
    out += text.substr(at, open - at);
    if (kind == '%') return std::nullopt;
    if (kind == '#') {
      const std::size_t close = text.find("#}", open);
      if (close == std::string_view::npos) return std::nullopt;
      at = close + 2;
      continue;
    }
    if (kind != '{') {
      out += '{';
      at = open + 1;
      continue;
    }
    if (const auto quoted = quoted_at(text, open)) {
      out += quoted->text;
      at = quoted->end;
      continue;
    }
    const std::size_t close = text.find("}}", open);
    if (close == std::string_view::npos) return out += text.substr(open);
    const Expression expression = expression_of(text.substr(open + 2, close - open - 2));
    const bool is_environment = expression.path.starts_with("env.") && !variables.contains("env");
    if (is_environment || !is_path(expression.path)) return std::nullopt;
    at = close + 2;
    const Node* node = value_at(expression.path, variables);
    if (node == nullptr) continue;
    std::string value = as_text(*node);
    const bool is_template = value.find("{{") != std::string::npos || value.find("{%") != std::string::npos;
    if (depth < nesting_max && is_template) {
      auto inner = render(value, variables, depth + 1);
      if (!inner) return std::nullopt;
      value = std::move(*inner);
    }
    if (expression.is_dumped && node->is_text()) {
      json::append_quoted(out, value);
    } else {
      out += value;
    }
  }
}

}  // namespace

std::optional<std::string> rendered(std::string_view text, const Variables& variables) {
  return render(text, variables, 0);
}

bool uses_variable(std::string_view text, std::string_view name) {
  for (std::size_t open = text.find("{{"); open != std::string_view::npos; open = text.find("{{", open + 2)) {
    const std::string_view rest = ascii::trimmed(text.substr(open + 2), " \t\n-");
    const std::string_view expression = rest.substr(0, rest.find_first_of(" \t\n.[|}-"));
    if (expression == name) return true;
  }
  return false;
}

std::string with_quoted_dumps(std::string_view prompt) {
  std::string out;
  bool is_quoted = false;
  for (std::size_t at = 0; at < prompt.size(); ++at) {
    const bool is_open = !is_quoted && prompt.substr(at).starts_with("{{");
    const std::size_t close = is_open ? prompt.find("}}", at) : std::string_view::npos;
    const Expression expression =
        close == std::string_view::npos ? Expression{} : expression_of(prompt.substr(at + 2, close - at - 2));
    if (expression.is_dumped && is_path(expression.path)) {
      out += "\"{{" + std::string(expression.path) + "}}\"";
      at = close + 1;
      continue;
    }
    const bool is_escape = is_quoted && prompt[at] == '\\' && at + 1 < prompt.size();
    if (prompt[at] == '"') is_quoted = !is_quoted;
    out += prompt[at];
    if (is_escape) out += prompt[++at];
  }
  return out;
}

std::string without_history_blocks(std::string_view text) {
  std::string out(text);
  while (true) {
    const std::size_t open = out.find("{%");
    if (open == std::string::npos) return out;
    const std::size_t head_end = out.find("%}", open);
    const std::string_view head =
        std::string_view(out).substr(open, head_end == std::string::npos ? 0 : head_end - open);
    if (head.find("for ") == std::string_view::npos || head.find("_conversation") == std::string_view::npos)
      return out;
    const std::size_t end = out.find("endfor", head_end);
    const std::size_t close = end == std::string::npos ? end : out.find("%}", end);
    if (close == std::string::npos) return out;
    out.erase(open, close + 2 - open);
  }
}

}  // namespace parley::convert
