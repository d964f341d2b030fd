#include "http/auth/api_key_text.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>

#include "store/engine/encoding.hpp"

namespace parley::http {
namespace {

constexpr std::string_view lead = "parley_";
constexpr std::size_t name_chars = 8;
constexpr std::size_t secret_chars = 43;
constexpr std::size_t secret_bytes = 32;
constexpr std::size_t prefix_chars = lead.size() + name_chars;

bool is_alnum(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool has_usual_form(std::string_view text) {
  if (text.size() != prefix_chars + 1 + secret_chars || text.substr(0, lead.size()) != lead) return false;
  const std::string_view name = text.substr(lead.size(), name_chars);
  return std::all_of(name.begin(), name.end(), is_alnum) && text[prefix_chars] == '_';
}

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  CHECK(RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) == 1);
  return bytes;
}

/// Eight letters and digits. They are a name, not a secret, so the slight bias of `%` does not matter.
std::string random_name() {
  constexpr std::string_view alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::string name = random_bytes(name_chars);
  for (char& c : name) c = alphabet[static_cast<unsigned char>(c) % alphabet.size()];
  return name;
}

}  // namespace

NewKey Keys::make() const {
  std::string text(lead);
  text.append(random_name()).append("_").append(random_secret());
  return adopt(text);
}

std::string Keys::random_secret() {
  return store::base64url(random_bytes(secret_bytes));
}

NewKey Keys::adopt(std::string_view text) const {
  return {std::string(text), prefix_of(text), hash_of(text)};
}

std::string Keys::hash_of(std::string_view text) const {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  CHECK(HMAC(EVP_sha256(), pepper_.data(), static_cast<int>(pepper_.size()),
             reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(),
             &size) != nullptr);
  return store::hex({reinterpret_cast<const char*>(digest.data()), size});
}

std::string Keys::prefix_of(std::string_view text) const {
  if (has_usual_form(text)) return std::string(text.substr(0, prefix_chars));
  return std::string(lead) + hash_of(text).substr(0, name_chars);
}

bool Keys::same_hash(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace parley::http
