#include "convert/promptfoo/template.hpp"

#include <algorithm>

#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// Values may name other variables; deeper nesting than this is treated as a cycle.
constexpr int nesting_max = 4;

bool is_path(std::string_view expression) {
  return !expression.empty() && std::all_of(expression.begin(), expression.end(), [](char c) {
    return ascii::is_letter(c) || ascii::is_digit(c) || c == '_' || c == '.' || c == '[' || c == ']' ||
           c == '-' || (static_cast<unsigned char>(c) & 0x80U) != 0;
  });
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

std::string value_at(std::string_view expression, const Variables& variables) {
  const std::vector<std::string> steps = steps_of(expression);
  const auto found = variables.find(steps.front());
  if (found == variables.end()) return {};
  const Node* node = &found->second;
  for (std::size_t i = 1; i < steps.size(); ++i) node = step(node, steps[i]);
  return node == nullptr ? std::string() : as_text(*node);
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
    const std::size_t close = text.find("}}", open);
    if (close == std::string_view::npos) return out += text.substr(open);
    const std::string_view expression = ascii::trimmed(text.substr(open + 2, close - open - 2), " \t\n-");
    const bool is_environment = expression.starts_with("env.") && !variables.contains("env");
    if (is_environment || !is_path(expression)) return std::nullopt;
    std::string value = value_at(expression, variables);
    if (depth < nesting_max && value.find("{{") != std::string::npos) {
      value = render(value, variables, depth + 1).value_or(value);
    }
    out += value;
    at = close + 2;
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
