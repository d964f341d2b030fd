#include "store/secrets/secrets.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <memory>

#include "store/engine/encoding.hpp"

namespace parley::store {
namespace {

constexpr std::size_t nonce_bytes = 12;
constexpr std::size_t tag_bytes = 16;
constexpr std::string_view version = "v1:";

using Cipher = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

Cipher make_cipher() {
  Cipher cipher(EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free);
  CHECK(cipher != nullptr);
  return cipher;
}

const unsigned char* octets_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* octets_of(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

/// The associated data of a sealed value. Ids have a fixed length, so different pairs never give the same data.
std::string associated(const Id& record, std::string_view name) {
  return std::string(record.key()).append(name);
}

}  // namespace

Secrets::~Secrets() {
  OPENSSL_cleanse(key_.data(), key_.size());
}

Expected<std::optional<Key256>> find_master_key(const std::filesystem::path& directory,
                                                const std::optional<std::string>& given) {
  if (!given) return read_key(directory / "secrets.key");
  const auto key = key_from_hex(*given);
  if (key) return key;
  return problem(
      ProblemKind::store_refuses,
      "PARLEY_SECRETS_KEY must be 64 lower-case hex digits, such as `openssl rand -hex 32` prints");
}

Expected<Secrets> Secrets::open(const std::filesystem::path& directory,
                                const std::optional<std::string>& given) {
  TRY(held, find_master_key(directory, given));
  TRY(key, held ? Expected<Key256>(*held) : read_or_make_key(directory / "secrets.key"));
  return Secrets(key);
}

Key256 Secrets::derived(std::string_view purpose) const {
  Key256 key{};
  unsigned int size = 0;
  CHECK(HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()), octets_of(purpose), purpose.size(),
             key.data(), &size) != nullptr);
  return key;
}

std::string Secrets::seal(const Id& record, std::string_view name, std::string_view plain) const {
  std::string nonce(nonce_bytes, '\0');
  CHECK(RAND_bytes(octets_of(nonce), static_cast<int>(nonce.size())) == 1);
  const std::string bound = associated(record, name);
  std::string sealed = nonce + std::string(plain.size() + tag_bytes, '\0');
  const Cipher cipher = make_cipher();
  int written = 0;
  bool fine =
      EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key_.data(), octets_of(nonce)) == 1;
  fine = fine && EVP_EncryptUpdate(cipher.get(), nullptr, &written, octets_of(bound),
                                   static_cast<int>(bound.size())) == 1;
  fine = fine && EVP_EncryptUpdate(cipher.get(), octets_of(sealed) + nonce_bytes, &written, octets_of(plain),
                                   static_cast<int>(plain.size())) == 1;
  unsigned char* tag = octets_of(sealed) + nonce_bytes + plain.size();
  fine = fine && EVP_EncryptFinal_ex(cipher.get(), tag, &written) == 1;
  fine =
      fine && EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, static_cast<int>(tag_bytes), tag) == 1;
  CHECK(fine);
  return std::string(version) + base64url(sealed);
}

Expected<std::string> Secrets::unseal(const Id& record, std::string_view name,
                                      std::string_view sealed) const {
  const Problem broken = problem(ProblemKind::internal,
                                 "a stored secret cannot be opened; write it again, or "
                                 "start with the secrets.key it was sealed with");
  if (sealed.substr(0, version.size()) != version) return broken;
  auto bytes = from_base64url(sealed.substr(version.size()));
  if (!bytes || bytes->size() < nonce_bytes + tag_bytes) return broken;
  const std::size_t size = bytes->size() - nonce_bytes - tag_bytes;
  const std::string bound = associated(record, name);
  std::string plain(size, '\0');
  const Cipher cipher = make_cipher();
  int written = 0;
  unsigned char* tag = octets_of(*bytes) + nonce_bytes + size;
  bool fine =
      EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key_.data(), octets_of(*bytes)) == 1;
  fine = fine && EVP_DecryptUpdate(cipher.get(), nullptr, &written, octets_of(bound),
                                   static_cast<int>(bound.size())) == 1;
  fine = fine && EVP_DecryptUpdate(cipher.get(), octets_of(plain), &written, octets_of(*bytes) + nonce_bytes,
                                   static_cast<int>(size)) == 1;
  fine =
      fine && EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, static_cast<int>(tag_bytes), tag) == 1;
  fine = fine && EVP_DecryptFinal_ex(cipher.get(), tag, &written) == 1;
  if (!fine) return broken;
  return plain;
}

}  // namespace parley::store
