#include "store/engine/unique_name.hpp"

#include "store/engine/encoding.hpp"

namespace parley::store {

std::string unique_name(std::string_view text) {
  constexpr std::size_t short_bytes_max = 255;
  if (text.size() <= short_bytes_max) return "=" + std::string(text);
  return "#" + sha256(text);
}

}  // namespace parley::store
