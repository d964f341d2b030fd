#include "model/text/slug.hpp"

#include "model/text/ascii.hpp"

namespace parley {

std::string slug_from(std::string_view text, std::size_t bytes_max) {
  std::string slug;
  for (const char c : ascii::lower(text)) {
    if (slug.size() == bytes_max) break;
    if (ascii::is_lower(c) || ascii::is_digit(c)) {
      slug += c;
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  if (slug.ends_with('-')) slug.pop_back();
  return slug;
}

}  // namespace parley
