#include "client/remote/private_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace parley::client {
namespace {

namespace fs = std::filesystem;

Problem refused(const fs::path& file, int error) {
  return problem(ProblemKind::invalid_parameter,
                 file.string() + " cannot be written: " + std::strerror(error));
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool is_device(const fs::path& file) {
  std::error_code ignored;
  const auto status = fs::status(file, ignored);
  return fs::exists(status) && !fs::is_regular_file(status);
}

Expected<Done> replace(const fs::path& file, std::string_view text, mode_t mode) {
  // A device such as /dev/stdout cannot be replaced by a rename, so it is written directly.
  const bool is_direct = is_device(file);
  const std::string name =
      is_direct ? file.string() : file.string() + "." + std::to_string(::getpid()) + ".tmp";
  const int flags = O_WRONLY | O_CLOEXEC | (is_direct ? 0 : O_CREAT | O_TRUNC | O_NOFOLLOW);
  const int descriptor = ::open(name.c_str(), flags, mode);
  if (descriptor < 0) return refused(file, errno);
  const bool is_written = write_all(descriptor, text);
  const int error = errno;
  ::close(descriptor);
  if (!is_written) {
    if (!is_direct) ::unlink(name.c_str());
    return refused(file, error);
  }
  if (!is_direct && ::rename(name.c_str(), file.c_str()) != 0) {
    const int why = errno;
    ::unlink(name.c_str());
    return refused(file, why);
  }
  return Done{};
}

}  // namespace

Expected<Done> write_private(const fs::path& file, std::string_view text) {
  return replace(file, text, 0600);
}

Expected<Done> write_whole(const fs::path& file, std::string_view text) {
  std::error_code error;
  if (file.has_parent_path() && !fs::create_directories(file.parent_path(), error) && error)
    return refused(file, error.value());
  return replace(file, text, 0666);
}

Expected<Done> create_private_folder(const fs::path& folder) {
  std::error_code error;
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return refused(folder, errno);
  return Done{};
}

std::optional<std::string> content_of(const fs::path& file, std::size_t bytes_max) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  // Reads in pieces, because the bound may be a gigabyte and allocating that much takes a second.
  std::array<char, 65'536> piece{};
  std::string text;
  while (text.size() <= bytes_max) {
    stream.read(piece.data(), piece.size());
    if (stream.gcount() == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(stream.gcount()));
  }
  return std::nullopt;
}

}  // namespace parley::client
