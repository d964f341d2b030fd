#include "store/engine/data_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace parley::store {
namespace {

/// The content of the lock file during and after the creation of the store. Both marks have the same length, so
/// that one replaces the other within one sector.
constexpr std::string_view started_mark = "parley begun\n";
constexpr std::string_view settled_mark = "parley store\n";
static_assert(started_mark.size() == settled_mark.size());

Problem failed_to(std::string_view doing, const std::filesystem::path& path, int error) {
  return store::cannot(doing, path, std::strerror(error));
}

Expected<Done> sync_directory(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return failed_to("open", path, errno);
  const int error = ::fsync(fd) == 0 ? 0 : errno;
  ::close(fd);
  if (error != 0) return failed_to("sync", path, error);
  return Done{};
}

/// Only the last directory is made private; its parents get the user's default mode.
Expected<Done> make_directory(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return Done{};
  error.clear();  // a missing directory is not an error
  const std::filesystem::path parent = path.parent_path();
  if (!parent.empty()) std::filesystem::create_directories(parent, error);
  if (error) return cannot("create", parent, error.message());
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return failed_to("create", path, errno);
  return sync_directory(parent.empty() ? "." : parent);
}

/// Files that a directory may contain before parley first starts in it: keys that the operator supplies, files
/// of a new file system, and LMDB's lock file, which a power loss during the first start may leave.
constexpr std::array<std::string_view, 5> expected_names{"secrets.key", "pepper.key", "admin.key",
                                                         "lost+found", "lock.mdb"};

Problem unusable(const std::filesystem::path& path, const std::string& why) {
  return problem(ProblemKind::invalid_parameter, "The data directory " + path.string() + " " + why);
}

/// D106: a mistyped --data must not mix the store with other files, and no other user may replace the
/// directory. Checked only before the first start, so that an update never refuses an existing store.
Expected<Done> check_usable(const std::filesystem::path& path) {
  std::error_code error;
  const bool is_known = std::filesystem::exists(path / "parley.lock", error) ||
                        std::filesystem::exists(path / "data.mdb", error);
  struct stat status {};
  if (is_known || ::stat(path.c_str(), &status) != 0) return Done{};
  if (!S_ISDIR(status.st_mode)) return unusable(path, "is not a directory.");
  if ((status.st_mode & 022) != 0)
    return unusable(path, "can be written by other users: run chmod go-w on it, or choose another one.");
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
    const std::string name = entry.path().filename().string();
    if (std::find(expected_names.begin(), expected_names.end(), name) != expected_names.end()) continue;
    return unusable(path, "holds " + name + ", which parley did not write: choose an empty or a new one.");
  }
  return Done{};
}

}  // namespace

Problem cannot(std::string_view doing, const std::filesystem::path& path, std::string_view why) {
  return problem(ProblemKind::store_refuses,
                 "Cannot " + std::string(doing) + " " + path.string() + ": " + std::string(why) + ".");
}

Problem damaged_file(const std::filesystem::path& path, std::string_view why) {
  return problem(ProblemKind::internal,
                 path.string() + " is damaged or not parley's: " + std::string(why) + ".");
}

Expected<Directory> Directory::open(const std::filesystem::path& given) {
  // "data/" and "data" name the same directory and have the same parent.
  const std::filesystem::path path = given.has_filename() ? given : given.parent_path();
  TRY_DONE(check_usable(path));
  TRY(made, make_directory(path));
  const std::filesystem::path lock_path = path / "parley.lock";
  const int fd = ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return failed_to("open", lock_path, errno);
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    ::close(fd);
    if (error != EWOULDBLOCK) return failed_to("lock", lock_path, error);
    return problem(ProblemKind::store_refuses, "The data directory " + path.string() +
                                                   " is in use by another parley process. Stop it, or choose "
                                                   "another directory.");
  }
  return Directory(path, fd);
}

Directory::~Directory() {
  if (lock_ >= 0) ::close(lock_);
}

Directory::Directory(Directory&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

bool Directory::has_mark(std::string_view mark) const {
  std::string found(mark.size(), '\0');
  return ::pread(lock_, found.data(), found.size(), 0) == static_cast<ssize_t>(mark.size()) && found == mark;
}

Expected<Done> Directory::put_mark(std::string_view mark) const {
  const ssize_t written = ::pwrite(lock_, mark.data(), mark.size(), 0);
  if (written != static_cast<ssize_t>(mark.size()) || ::fsync(lock_) != 0) {
    return failed_to("write", path_ / "parley.lock", errno);
  }
  return Done{};
}

bool Directory::has_started() const {
  return has_mark(started_mark);
}

bool Directory::stat_file_system(struct statvfs& status) const {
  return ::fstatvfs(lock_, &status) == 0;
}

bool Directory::is_settled() const {
  return has_mark(settled_mark);
}

Expected<Done> Directory::begin() const {
  TRY(marked, put_mark(started_mark));
  return sync_directory(path_);
}

Expected<Done> Directory::settle() const {
  // The file names must be on disk before the mark: with the mark, a missing data file counts as a loss.
  TRY(named, sync_directory(path_));
  if (is_settled()) return Done{};
  return put_mark(settled_mark);
}

Expected<Done> sync_path(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return cannot("open", path, std::strerror(errno));
  const int error = ::fsync(fd) == 0 ? 0 : errno;
  ::close(fd);
  if (error != 0) return cannot("sync", path, std::strerror(error));
  return Done{};
}

}  // namespace parley::store
