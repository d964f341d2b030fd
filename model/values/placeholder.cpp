#include "model/values/placeholder.hpp"

#include <algorithm>

namespace parley {
namespace {

/// A placeholder's key without the blanks around it; a line end does not count as a blank here.
std::string_view key_in(std::string_view text) {
  constexpr std::string_view spaces = " \t";
  const auto begin = text.find_first_not_of(spaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(spaces) - begin + 1);
}

}  // namespace

// Each character is read once or twice.
std::optional<Placeholder> next_placeholder(std::string_view text, std::size_t at) {
  for (auto begin = text.find("{{", at); begin != std::string_view::npos; begin = text.find("{{", begin)) {
    const auto brace = text.find_first_of("{}", begin + 2);
    if (brace == std::string_view::npos) return std::nullopt;
    const std::string_view key = key_in(text.substr(begin + 2, brace - begin - 2));
    if (text.substr(brace, 2) == "}}" && !key.empty()) return Placeholder{begin, brace + 2, key};
    begin = std::max(begin + 1, brace == begin + 2 ? begin + 1 : brace);
  }
  return std::nullopt;
}

bool has_placeholder(std::string_view text) {
  return next_placeholder(text).has_value();
}

bool has_placeholder(const json::Value& value) {
  if (value.is(json::Kind::string)) return has_placeholder(value.string());
  if (!value.is(json::Kind::array) && !value.is(json::Kind::object)) return false;
  const auto children = value.children();
  return std::any_of(children.begin(), children.end(),
                     [](const json::Value& child) { return has_placeholder(child); });
}

}  // namespace parley
