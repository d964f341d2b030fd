#include "http/protocol/request.hpp"

#include <algorithm>

#include "http/protocol/field_grammar.hpp"

namespace parley::http {

const Field* Request::find(std::string_view name) const {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const Field& field) { return same_ignoring_case(field.name, name); });
  return found == fields.end() ? nullptr : &*found;
}

std::size_t Request::count(std::string_view name) const {
  const auto found = std::count_if(fields.begin(), fields.end(),
                                   [&](const Field& field) { return same_ignoring_case(field.name, name); });
  return static_cast<std::size_t>(found);
}

std::string Request::text(std::string_view name) const {
  const Field* field = find(name);
  return field == nullptr ? std::string() : std::string(field->value);
}

std::string Request::joined(std::string_view name) const {
  std::string all;
  for (const Field& field : fields) {
    if (same_ignoring_case(field.name, name)) all.append(all.empty() ? "" : ", ").append(field.value);
  }
  return all;
}

bool Request::lists(std::string_view name, std::string_view token) const {
  return std::any_of(fields.begin(), fields.end(), [&](const Field& field) {
    if (!same_ignoring_case(field.name, name)) return false;
    const auto elements = list_elements(field.value);
    return std::any_of(elements.begin(), elements.end(),
                       [&](std::string_view element) { return same_ignoring_case(element, token); });
  });
}

}  // namespace parley::http
