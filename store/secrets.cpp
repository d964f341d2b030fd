#include "store/secrets.hpp"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

namespace parley::store {
namespace {

constexpr std::size_t nonce_bytes = 12;
constexpr std::size_t tag_bytes = 16;
constexpr std::string_view version = "v1:";
constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

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

/// What a sealed value is bound to. Ids have a fixed length, so that no two pairs read alike.
std::string associated(const Id& record, std::string_view name) {
  return std::string(record.key()).append(name);
}

Problem refused(const std::filesystem::path& file, const std::string& why) {
  return problem(ProblemKind::store_refuses, file.string() + ": " + why);
}

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  CHECK(RAND_bytes(octets_of(bytes), static_cast<int>(count)) == 1);
  return bytes;
}

std::optional<Key256> key_from_hex(std::string_view text) {
  Key256 key{};
  if (text.size() != 2 * key.size()) return std::nullopt;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const auto high = hex_digits.find(text[2 * i]);
    const auto low = hex_digits.find(text[2 * i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    key[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return key;
}

/// A descriptor that closes itself.
struct File {
  int descriptor = -1;
  explicit File(int opened) : descriptor(opened) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor >= 0) ::close(descriptor);
  }
};

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

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
  Key256 digest{};
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
    buffer &= 63;  // at most 5 bits are still owed
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

Result<Done> write_private_file(const std::filesystem::path& file, std::string_view text) {
  std::filesystem::path fresh = file;
  fresh += ".new";
  {
    const File out(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    // The mode of open() holds only for a new file; a left-over of a crash may have another one.
    if (out.descriptor < 0 || ::fchmod(out.descriptor, 0600) != 0 || !write_all(out.descriptor, text) ||
        ::fsync(out.descriptor) != 0) {
      return refused(fresh, std::strerror(errno));
    }
  }
  if (::rename(fresh.c_str(), file.c_str()) != 0) return refused(file, std::strerror(errno));
  const File directory(::open(file.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.descriptor < 0 || ::fsync(directory.descriptor) != 0)
    return refused(file, std::strerror(errno));
  return Done{};
}

Result<Key256> read_or_make_key(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    if (errno != ENOENT) return refused(file, std::strerror(errno));
    const std::string text = hex(random_bytes(Key256{}.size()));
    if (auto written = write_private_file(file, text + "\n"); !written) return std::move(written).problem();
    return *key_from_hex(text);
  }
  if ((status.st_mode & 077) != 0) return refused(file, "is open to other users; run chmod 600 on it");
  std::ifstream in(file);
  if (!in) return refused(file, std::strerror(errno));
  std::string line;
  std::getline(in, line);
  const auto key = key_from_hex(line);
  if (!key) return refused(file, "is not a key of 64 hex digits; restore it from a backup");
  return *key;
}

Secrets::~Secrets() {
  OPENSSL_cleanse(key_.data(), key_.size());
}

Result<Secrets> Secrets::open(const std::filesystem::path& directory,
                              const std::optional<std::string>& given) {
  if (given) {
    const auto key = key_from_hex(*given);
    if (!key)
      return problem(
          ProblemKind::store_refuses,
          "PARLEY_SECRETS_KEY must be 64 lower-case hex digits, such as `openssl rand -hex 32` prints");
    return Secrets(*key);
  }
  TRY(key, read_or_make_key(directory / "secrets.key"));
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
  const std::string nonce = random_bytes(nonce_bytes);
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

Result<std::string> Secrets::unseal(const Id& record, std::string_view name, std::string_view sealed) const {
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
