#include "http/protocol/field_grammar.hpp"

#include <algorithm>

namespace parley::http {

std::vector<std::string_view> list_elements(std::string_view value) {
  std::vector<std::string_view> elements;
  for (;;) {
    const auto comma = value.find(',');
    elements.push_back(trimmed(value.substr(0, comma)));
    if (comma == std::string_view::npos) return elements;
    value.remove_prefix(comma + 1);
  }
}

Preferred preferred(std::string_view element) {
  auto end = std::min(element.find(';'), element.size());
  Preferred one{trimmed(element.substr(0, end)), {}};
  while (end < element.size()) {
    element.remove_prefix(end + 1);
    end = std::min(element.find(';'), element.size());
    const std::string_view parameter = trimmed(element.substr(0, end));
    if (parameter.size() < 3 || !same_ignoring_case(parameter.substr(0, 2), "q=")) continue;
    one.weight = parameter.substr(2);
    break;
  }
  return one;
}

}  // namespace parley::http
