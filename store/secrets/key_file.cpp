#include "store/secrets/key_file.hpp"

#include <fcntl.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "model/check.hpp"
#include "store/engine/encoding.hpp"
#include "store/secrets/secrets.hpp"
#include "store/snapshot.hpp"

namespace parley::store {
namespace {

Problem refused(const std::filesystem::path& file, const std::string& why) {
  return problem(ProblemKind::store_refuses, file.string() + ": " + why);
}

/// A file descriptor that the destructor closes.
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

constexpr std::size_t fingerprint_bytes = 16;

}  // namespace

std::optional<Key256> key_from_hex(std::string_view text) {
  constexpr std::string_view hex_digits = "0123456789abcdef";
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

Expected<Done> write_private_file(const std::filesystem::path& file, std::string_view text) {
  std::filesystem::path fresh = file;
  fresh += ".new";
  {
    const File out(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    // The mode in open() applies only to a new file; a file left by a crash may have another mode.
    if (out.descriptor < 0 || ::fchmod(out.descriptor, 0600) != 0 || !write_all(out.descriptor, text) ||
        ::fsync(out.descriptor) != 0) {
      return refused(fresh, std::strerror(errno));
    }
  }
  if (::rename(fresh.c_str(), file.c_str()) != 0) return refused(file, std::strerror(errno));
  const std::filesystem::path parent = file.has_parent_path() ? file.parent_path() : ".";
  const File directory(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.descriptor < 0 || ::fsync(directory.descriptor) != 0)
    return refused(file, std::strerror(errno));
  return Done{};
}

Expected<std::optional<Key256>> read_key(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    if (errno != ENOENT) return refused(file, std::strerror(errno));
    return std::optional<Key256>();
  }
  if ((status.st_mode & 077) != 0) return refused(file, "is open to other users; run chmod 600 on it");
  std::ifstream in(file);
  if (!in) return refused(file, std::strerror(errno));
  std::string line;
  std::getline(in, line);
  const auto key = key_from_hex(line);
  if (!key) return refused(file, "is not a key of 64 hex digits; restore it from a backup");
  return key;
}

Expected<Key256> read_or_make_key(const std::filesystem::path& file) {
  TRY(known, read_key(file));
  if (known) return *known;
  Key256 fresh{};
  CHECK(RAND_bytes(fresh.data(), static_cast<int>(fresh.size())) == 1);
  const std::string text = hex({reinterpret_cast<const char*>(fresh.data()), fresh.size()});
  if (auto written = write_private_file(file, text + "\n"); !written) return std::move(written).problem();
  return fresh;
}

std::string fingerprint_of(const Secrets& key) {
  const Key256 derived = key.derived("fingerprint");
  return {reinterpret_cast<const char*>(derived.data()), fingerprint_bytes};
}

Expected<std::optional<std::string>> known_fingerprint(const Snapshot& snapshot, std::string_view name) {
  TRY(stored, snapshot.value(TableId::meta, name));
  return stored ? std::optional(std::string(stored->payload)) : std::nullopt;
}

}  // namespace parley::store
