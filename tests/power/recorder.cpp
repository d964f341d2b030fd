// Loaded into the server with LD_PRELOAD: records what the server does to the files of one directory (trace.hpp),
// without changing it. PARLEY_POWER_DIRECTORY is that directory, PARLEY_POWER_TRACE the file that events are appended
// to. LMDB's lock file is left out: it is mapped memory, and LMDB recreates it when no process holds it.

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "tests/power/trace.hpp"

namespace parley::power {
namespace {

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

using Open = int (*)(const char*, int, ...);
using Write = ssize_t (*)(int, const void*, std::size_t);
using WriteAt = ssize_t (*)(int, const void*, std::size_t, off_t);
using WriteParts = ssize_t (*)(int, const iovec*, int);
using OfFile = int (*)(int);

/// An open descriptor of the directory, or of a file in it.
struct File {
  std::string name;  ///< empty if not in the directory
  bool is_directory = false;
  bool is_dsync = false;
};

class Recorder {
 public:
  Recorder() {
    const char* directory = std::getenv("PARLEY_POWER_DIRECTORY");
    const char* trace = std::getenv("PARLEY_POWER_TRACE");
    if (directory == nullptr || trace == nullptr) return;
    directory_ = directory;
    trace_ = next<Open>("open")(trace, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }

  /// The name inside the directory; empty for every other path. "." is the directory itself.
  [[nodiscard]] std::string inside(std::string_view path) const {
    if (trace_ < 0 || !path.starts_with(directory_)) return {};
    path.remove_prefix(directory_.size());
    if (path.empty() || path == "/") return ".";
    if (path.front() != '/' || path == "/lock.mdb") return {};
    return std::string(path.substr(1));
  }

  void note(Kind kind, const std::string& name, std::uint64_t offset = 0, std::string_view bytes = {},
            std::uint64_t size = 0) {
    EventHead head{kind,
                   static_cast<std::uint8_t>(name.size()),
                   {},
                   offset,
                   kind == Kind::truncate ? size : bytes.size()};
    std::string text(reinterpret_cast<const char*>(&head), sizeof head);
    text += name;
    text += bytes;
    // One write, so that a kill leaves whole events, and events stay in the order in which clients see their effects.
    if (next<Write>("write")(trace_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
      std::abort();
  }

  File& file(int descriptor) {
    static File none;
    return descriptor >= 0 && static_cast<std::size_t>(descriptor) < files_.size()
               ? files_[static_cast<std::size_t>(descriptor)]
               : none;
  }

  pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

 private:
  std::string directory_;
  int trace_ = -1;
  std::array<File, 65'536> files_;
};

Recorder& recorder() {
  static Recorder* const one = new Recorder;  // must outlive the last close of a descriptor
  return *one;
}

class Lock {
 public:
  Lock() { pthread_mutex_lock(&recorder().mutex); }
  ~Lock() { pthread_mutex_unlock(&recorder().mutex); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

int open_and_note(const char* name, const char* path, int flags, mode_t mode) {
  const Open real = next<Open>(name);
  const std::string inside = recorder().inside(path);
  if (inside.empty()) return real(path, flags, mode);
  const Lock lock;
  const bool was_there = access(path, F_OK) == 0;
  const int descriptor = real(path, flags, mode);
  if (descriptor < 0) return descriptor;
  struct stat status {};
  fstat(descriptor, &status);
  recorder().file(descriptor) = {inside, S_ISDIR(status.st_mode), (flags & O_DSYNC) != 0};
  if (!was_there) recorder().note(Kind::create, inside);
  if (was_there && (flags & O_TRUNC) != 0) recorder().note(Kind::truncate, inside);
  return descriptor;
}

ssize_t write_and_note(int descriptor, std::string_view bytes, off_t offset, auto&& really) {
  const File& file = recorder().file(descriptor);
  if (file.name.empty()) return really();
  const Lock lock;
  recorder().note(Kind::write, file.name, static_cast<std::uint64_t>(offset), bytes);
  const ssize_t written = really();
  if (written != static_cast<ssize_t>(bytes.size())) std::abort();  // the trace would be wrong
  if (file.is_dsync) recorder().note(Kind::durable, file.name);
  return written;
}

int sync_and_note(const char* name, int descriptor) {
  const OfFile real = next<OfFile>(name);
  const File& file = recorder().file(descriptor);
  if (file.name.empty()) return real(descriptor);
  const Lock lock;
  if (!file.is_directory) recorder().note(Kind::sync_begin, file.name);
  const int code = real(descriptor);
  if (code == 0) recorder().note(file.is_directory ? Kind::sync_directory : Kind::sync_end, file.name);
  return code;
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? static_cast<mode_t>(va_arg(arguments, unsigned)) : 0;
}

}  // namespace
}  // namespace parley::power

namespace power = parley::power;

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = power::mode_of(flags, arguments);
  va_end(arguments);
  return power::open_and_note("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = power::mode_of(flags, arguments);
  va_end(arguments);
  return power::open_and_note("open64", path, flags, mode);
}

int close(int descriptor) {
  {
    power::File& file = power::recorder().file(descriptor);
    if (!file.name.empty()) file = {};
  }
  return power::next<power::OfFile>("close")(descriptor);
}

ssize_t write(int descriptor, const void* bytes, std::size_t length) {
  const auto real = power::next<power::Write>("write");
  if (power::recorder().file(descriptor).name.empty()) return real(descriptor, bytes, length);
  const off_t offset = lseek(descriptor, 0, SEEK_CUR);
  return power::write_and_note(descriptor, {static_cast<const char*>(bytes), length}, offset,
                               [&] { return real(descriptor, bytes, length); });
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  const auto real = power::next<power::WriteParts>("writev");
  if (power::recorder().file(descriptor).name.empty()) return real(descriptor, parts, count);
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
  const off_t offset = lseek(descriptor, 0, SEEK_CUR);
  return power::write_and_note(descriptor, bytes, offset, [&] { return real(descriptor, parts, count); });
}

ssize_t pwrite(int descriptor, const void* bytes, std::size_t length, off_t offset) {
  const auto real = power::next<power::WriteAt>("pwrite");
  return power::write_and_note(descriptor, {static_cast<const char*>(bytes), length}, offset,
                               [&] { return real(descriptor, bytes, length, offset); });
}

ssize_t pwrite64(int descriptor, const void* bytes, std::size_t length, off_t offset) {
  const auto real = power::next<power::WriteAt>("pwrite64");
  return power::write_and_note(descriptor, {static_cast<const char*>(bytes), length}, offset,
                               [&] { return real(descriptor, bytes, length, offset); });
}

int ftruncate(int descriptor, off_t length) noexcept {
  const auto real = power::next<int (*)(int, off_t)>("ftruncate");
  const power::File& file = power::recorder().file(descriptor);
  if (!file.name.empty()) {
    const power::Lock lock;
    power::recorder().note(power::Kind::truncate, file.name, 0, {}, static_cast<std::uint64_t>(length));
  }
  return real(descriptor, length);
}

int fsync(int descriptor) {
  return power::sync_and_note("fsync", descriptor);
}
int fdatasync(int descriptor) {
  return power::sync_and_note("fdatasync", descriptor);
}

int rename(const char* from, const char* to) noexcept {
  const int code = power::next<int (*)(const char*, const char*)>("rename")(from, to);
  const std::string old_name = power::recorder().inside(from);
  const std::string new_name = power::recorder().inside(to);
  if (code == 0 && !old_name.empty() && !new_name.empty()) {
    const power::Lock lock;
    power::recorder().note(power::Kind::rename, old_name, 0, new_name);
  }
  return code;
}

int unlink(const char* path) noexcept {
  const int code = power::next<int (*)(const char*)>("unlink")(path);
  const std::string name = power::recorder().inside(path);
  if (code == 0 && !name.empty()) {
    const power::Lock lock;
    power::recorder().note(power::Kind::remove, name);
  }
  return code;
}

}  // extern "C"
