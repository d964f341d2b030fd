#include "store/unique_name.hpp"

#include <openssl/evp.h>

#include <array>

#include "model/check.hpp"

namespace parley::store {

std::string unique_name(std::string_view text) {
  constexpr std::size_t short_bytes_max = 255;
  if (text.size() <= short_bytes_max) return "=" + std::string(text);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  CHECK(EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) == 1);
  std::string name = "#";
  name.append(reinterpret_cast<const char*>(digest.data()), size);
  return name;
}

}  // namespace parley::store
