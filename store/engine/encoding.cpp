#include "store/engine/encoding.hpp"

#include <openssl/evp.h>

#include <array>
#include <cstdint>

#include "model/check.hpp"

namespace parley::store {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string hex(std::string_view bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += hex_digits[byte >> 4];
    text += hex_digits[byte & 15];
  }
  return text;
}

std::string sha256(std::string_view bytes) {
  std::array<std::uint8_t, 32> digest{};
  unsigned int size = 0;
  CHECK(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) == 1);
  return {reinterpret_cast<const char*>(digest.data()), size};
}

std::string base64url(std::string_view bytes) {
  std::string text;
  std::uint32_t buffer = 0;
  int bits = 0;
  for (const char c : bytes) {
    buffer = (buffer << 8) | static_cast<unsigned char>(c);
    for (bits += 8; bits >= 6;) {
      bits -= 6;
      text += alphabet[(buffer >> bits) & 63];
    }
    buffer &= 63;  // at most 5 bits are pending
  }
  if (bits > 0) text += alphabet[(buffer << (6 - bits)) & 63];
  return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
  std::string bytes;
  std::uint32_t buffer = 0;
  int bits = 0;
  for (const char c : text) {
    const auto digit = alphabet.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    buffer = ((buffer << 6) | static_cast<std::uint32_t>(digit)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>((buffer >> bits) & 0xff);
  }
  return bytes;
}

std::string unique_name(std::string_view text) {
  constexpr std::size_t short_bytes_max = 255;
  if (text.size() <= short_bytes_max) return "=" + std::string(text);
  return "#" + sha256(text);
}

std::string applied_name(int kind, std::string_view project, std::string_view key) {
  return unique_name(std::to_string(kind) + " " + std::string(project) + " " + std::string(key));
}

}  // namespace parley::store
