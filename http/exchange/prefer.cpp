#include "http/exchange/prefer.hpp"

#include <algorithm>
#include <charconv>

#include "http/protocol/field_grammar.hpp"

namespace parley::http {
namespace {

constexpr int wait_s_max = 60;

struct Preference {
  std::string_view name;
  std::string_view value;
};

/// One element of the list: `name [= value]` before any parameter. Quotes around the value are removed.
Preference preference_of(std::string_view element) {
  element = trimmed(element.substr(0, element.find(';')));
  const auto equals = element.find('=');
  if (equals == std::string_view::npos) return {element, {}};
  std::string_view value = trimmed(element.substr(equals + 1));
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
    value = value.substr(1, value.size() - 2);
  return {trimmed(element.substr(0, equals)), value};
}

std::optional<std::chrono::seconds> wait_of(std::string_view value) {
  if (!is_digits(value)) return std::nullopt;
  int seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error != std::errc{}) seconds = wait_s_max;  // more digits than fit into an int: use the maximum
  return std::chrono::seconds{std::min(seconds, wait_s_max)};
}

}  // namespace

Prefer prefer_of(const Request& request) {
  Prefer prefer;
  bool has_handling = false;
  bool has_return = false;
  for (const Field& field : request.fields) {
    if (!same_ignoring_case(field.name, "Prefer")) continue;
    for (const std::string_view element : list_elements(field.value)) {
      const Preference preference = preference_of(element);
      if (same_ignoring_case(preference.name, "handling") && !has_handling) {
        has_handling = true;
        prefer.is_strict = same_ignoring_case(preference.value, "strict");
        prefer.is_lenient = same_ignoring_case(preference.value, "lenient");
      } else if (same_ignoring_case(preference.name, "return") && !has_return) {
        has_return = true;
        prefer.is_minimal = same_ignoring_case(preference.value, "minimal");
      } else if (same_ignoring_case(preference.name, "wait") && !prefer.wait) {
        prefer.wait = wait_of(preference.value);
      }
    }
  }
  return prefer;
}

}  // namespace parley::http
