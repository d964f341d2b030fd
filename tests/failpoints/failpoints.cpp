// Loaded into the real server with LD_PRELOAD. Every system call that makes a step of the server visible outside is a
// place where the server can fail: before the call, after it, or during it. The program itself is the shipped one.
//
//   PARLEY_FAIL_DIRECTORY   the data directory
//   PARLEY_FAIL_AT          place:when:nth[:errno], when = before | after (SIGKILL there) | error | short (a write
//                           takes only the first half of its bytes); absent: nothing fails
//   PARLEY_FAIL_COUNTS      a file with one u32 per place, in the order of `place_names`: how often it was passed
//
//   commit: store.write store.sync store.meta
//   key files: file.open file.read file.write file.sync file.rename directory.sync
//   clients: client.accept client.read client.answer     agents and models: call.connect call.send call.read

#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>

namespace parley::failpoints {
namespace {

enum class Place : std::uint8_t {
  store_write,
  store_sync,
  store_meta,
  file_open,
  file_read,
  file_write,
  file_sync,
  file_rename,
  directory_sync,
  client_accept,
  client_read,
  client_answer,
  call_connect,
  call_send,
  call_read,
  none
};
constexpr std::size_t places = static_cast<std::size_t>(Place::none);
constexpr std::array<std::string_view, places> place_names{
    "store.write", "store.sync",    "store.meta",   "file.open",      "file.read",
    "file.write",  "file.sync",     "file.rename",  "directory.sync", "client.accept",
    "client.read", "client.answer", "call.connect", "call.send",      "call.read"};

/// The kind of a descriptor. Atomic and one byte, because any thread uses descriptors.
enum class Sort : std::uint8_t { other, data, meta, file, directory, client, call };

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

struct Plan {
  std::string directory;
  Place place = Place::none;
  std::string when;
  std::uint32_t nth = 0;
  int error = EIO;
};

class Points {
 public:
  Points() {
    const char* directory = std::getenv("PARLEY_FAIL_DIRECTORY");
    if (directory != nullptr) plan_.directory = directory;
    if (const char* counts = std::getenv("PARLEY_FAIL_COUNTS")) share(counts);
    if (const char* at = std::getenv("PARLEY_FAIL_AT")) read(at);
  }

  [[nodiscard]] const std::string& directory() const { return plan_.directory; }
  std::atomic<Sort>& sort(int descriptor) {
    static std::atomic<Sort> none{Sort::other};
    return descriptor >= 0 && static_cast<std::size_t>(descriptor) < sorts_.size()
               ? sorts_[static_cast<std::size_t>(descriptor)]
               : none;
  }

  /// Counts the call. Returns true if the call must fail with errno.
  bool pass(Place place) {
    const std::uint32_t count = ++counts_[static_cast<std::size_t>(place)];
    is_hit_ = plan_.place == place && plan_.nth == count;
    if (!is_hit_ || plan_.when == "after" || plan_.when == "short") return false;
    if (plan_.when == "before") die();
    errno = plan_.error;
    return true;
  }
  /// The number of bytes that the call must transfer. Precondition: pass() for this call on this thread.
  [[nodiscard]] std::size_t taken(std::size_t length) const {
    return is_hit_ && plan_.when == "short" && length > 1 ? length / 2 : length;
  }
  /// Precondition: pass() for this call on this thread.
  void passed() {
    const int error = errno;
    if (is_hit_ && plan_.when == "after") die();
    errno = error;
  }

 private:
  [[noreturn]] static void die() {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
  }

  void share(const char* path) {
    const int file =
        static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (file < 0 || next<int (*)(int, off_t)>("ftruncate")(file, sizeof(std::uint32_t) * places) != 0)
      std::abort();
    void* shared = mmap(nullptr, sizeof(std::uint32_t) * places, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared == MAP_FAILED) std::abort();
    counts_ = static_cast<std::atomic<std::uint32_t>*>(shared);
  }

  void read(std::string text) {
    std::array<std::string, 4> parts;
    for (std::string& part : parts) {
      const std::size_t end = std::min(text.find(':'), text.size());
      part = text.substr(0, end);
      text.erase(0, end + 1);
    }
    for (std::size_t i = 0; i < places; ++i) {
      if (place_names[i] == parts[0]) plan_.place = static_cast<Place>(i);
    }
    if (plan_.place == Place::none) std::abort();
    plan_.when = parts[1];
    plan_.nth = static_cast<std::uint32_t>(std::atoi(parts[2].c_str()));
    if (!parts[3].empty()) plan_.error = std::atoi(parts[3].c_str());
  }

  Plan plan_;
  std::array<std::atomic<std::uint32_t>, places> own_{};
  std::atomic<std::uint32_t>* counts_ = own_.data();
  std::array<std::atomic<Sort>, 65'536> sorts_{};
  static thread_local bool is_hit_;
};

thread_local bool Points::is_hit_ = false;

Points& points() {
  static Points* const one = new Points;
  return *one;
}

template <class Call>
auto at(Place place, Call call) -> decltype(call()) {
  if (place == Place::none) return call();
  if (points().pass(place)) return -1;
  const auto result = call();
  points().passed();
  return result;
}

/// Whether opening the file is a place where the server can fail, and its descriptor is tracked.
bool is_watched(std::string_view path) {
  const std::string& home = points().directory();
  return !home.empty() && path.starts_with(home) && !path.ends_with("/lock.mdb");
}

void sort_opened(int descriptor, std::string_view path, int flags) {
  struct stat status {};
  fstat(descriptor, &status);
  Sort sort = Sort::file;
  if (S_ISDIR(status.st_mode)) sort = Sort::directory;
  if (path.ends_with("/data.mdb")) sort = (flags & O_DSYNC) != 0 ? Sort::meta : Sort::data;
  points().sort(descriptor) = sort;
}

int open_and_sort(const char* name, const char* path, int flags, mode_t mode) {
  const bool is_ours = is_watched(path);
  const int descriptor = at(is_ours ? Place::file_open : Place::none,
                            [&] { return next<int (*)(const char*, int, ...)>(name)(path, flags, mode); });
  if (is_ours && descriptor >= 0) sort_opened(descriptor, path, flags);
  return descriptor;
}

/// For streams: the C library opens their files internally.
FILE* open_stream_and_sort(const char* name, const char* path, const char* mode) {
  FILE* stream = nullptr;
  const bool is_ours = is_watched(path);
  at(is_ours ? Place::file_open : Place::none, [&] {
    stream = next<FILE* (*)(const char*, const char*)>(name)(path, mode);
    return stream == nullptr ? -1 : 0;
  });
  if (is_ours && stream != nullptr) sort_opened(fileno(stream), path, 0);
  return stream;
}

/// The first `length` bytes of `parts`, or all of them: the part that a short write transfers.
iovec first_part(const iovec* parts, std::size_t length) {
  return {parts[0].iov_base, std::min(parts[0].iov_len, length)};
}

std::size_t length_of(const iovec* parts, std::size_t count) {
  return std::accumulate(parts, parts + count, std::size_t{0},
                         [](std::size_t sum, const iovec& part) { return sum + part.iov_len; });
}

Place place_of_write(int descriptor) {
  switch (points().sort(descriptor)) {
    case Sort::data: return Place::store_write;
    case Sort::meta: return Place::store_meta;
    case Sort::file: return Place::file_write;
    case Sort::client: return Place::client_answer;
    case Sort::call: return Place::call_send;
    case Sort::directory:
    case Sort::other: break;
  }
  return Place::none;
}

Place place_of_read(int descriptor) {
  const Sort sort = points().sort(descriptor);
  if (sort == Sort::file) return Place::file_read;
  if (sort == Sort::client) return Place::client_read;
  return sort == Sort::call ? Place::call_read : Place::none;
}

Place place_of_sync(int descriptor) {
  switch (points().sort(descriptor)) {
    case Sort::data:
    case Sort::meta: return Place::store_sync;
    case Sort::file: return Place::file_sync;
    case Sort::directory: return Place::directory_sync;
    case Sort::client:
    case Sort::call:
    case Sort::other: break;
  }
  return Place::none;
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? static_cast<mode_t>(va_arg(arguments, unsigned)) : 0;
}

bool is_internet(const sockaddr* address) {
  return address->sa_family == AF_INET || address->sa_family == AF_INET6;
}

}  // namespace
}  // namespace parley::failpoints

namespace fp = parley::failpoints;

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = fp::mode_of(flags, arguments);
  va_end(arguments);
  return fp::open_and_sort("open", path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = fp::mode_of(flags, arguments);
  va_end(arguments);
  return fp::open_and_sort("open64", path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) {
  return fp::open_stream_and_sort("fopen", path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  return fp::open_stream_and_sort("fopen64", path, mode);
}
int close(int descriptor) {
  fp::points().sort(descriptor) = fp::Sort::other;
  return fp::next<int (*)(int)>("close")(descriptor);
}
ssize_t write(int descriptor, const void* bytes, std::size_t length) {
  const auto real = fp::next<ssize_t (*)(int, const void*, std::size_t)>("write");
  return fp::at(fp::place_of_write(descriptor),
                [&] { return real(descriptor, bytes, fp::points().taken(length)); });
}
ssize_t writev(int descriptor, const iovec* parts, int count) {
  const auto real = fp::next<ssize_t (*)(int, const iovec*, int)>("writev");
  return fp::at(fp::place_of_write(descriptor), [&] {
    const std::size_t length = fp::length_of(parts, static_cast<std::size_t>(count));
    const std::size_t taken = fp::points().taken(length);
    if (taken == length) return real(descriptor, parts, count);
    const iovec first = fp::first_part(parts, taken);
    return real(descriptor, &first, 1);
  });
}
ssize_t pwrite(int descriptor, const void* bytes, std::size_t length, off_t offset) {
  const auto real = fp::next<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite");
  return fp::at(fp::place_of_write(descriptor),
                [&] { return real(descriptor, bytes, fp::points().taken(length), offset); });
}
ssize_t pwrite64(int descriptor, const void* bytes, std::size_t length, off_t offset) {
  const auto real = fp::next<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite64");
  return fp::at(fp::place_of_write(descriptor),
                [&] { return real(descriptor, bytes, fp::points().taken(length), offset); });
}
ssize_t send(int descriptor, const void* bytes, std::size_t length, int flags) {
  const auto real = fp::next<ssize_t (*)(int, const void*, std::size_t, int)>("send");
  return fp::at(fp::place_of_write(descriptor),
                [&] { return real(descriptor, bytes, fp::points().taken(length), flags); });
}
ssize_t sendmsg(int descriptor, const msghdr* message, int flags) {
  const auto real = fp::next<ssize_t (*)(int, const msghdr*, int)>("sendmsg");
  return fp::at(fp::place_of_write(descriptor), [&] {
    const std::size_t length = fp::length_of(message->msg_iov, message->msg_iovlen);
    const std::size_t taken = fp::points().taken(length);
    if (taken == length) return real(descriptor, message, flags);
    iovec first = fp::first_part(message->msg_iov, taken);
    msghdr less = *message;
    less.msg_iov = &first;
    less.msg_iovlen = 1;
    return real(descriptor, &less, flags);
  });
}
ssize_t read(int descriptor, void* bytes, std::size_t length) {
  const auto real = fp::next<ssize_t (*)(int, void*, std::size_t)>("read");
  return fp::at(fp::place_of_read(descriptor), [&] { return real(descriptor, bytes, length); });
}
ssize_t recv(int descriptor, void* bytes, std::size_t length, int flags) {
  const auto real = fp::next<ssize_t (*)(int, void*, std::size_t, int)>("recv");
  return fp::at(fp::place_of_read(descriptor), [&] { return real(descriptor, bytes, length, flags); });
}
int fsync(int descriptor) {
  const auto real = fp::next<int (*)(int)>("fsync");
  return fp::at(fp::place_of_sync(descriptor), [&] { return real(descriptor); });
}
int fdatasync(int descriptor) {
  const auto real = fp::next<int (*)(int)>("fdatasync");
  return fp::at(fp::place_of_sync(descriptor), [&] { return real(descriptor); });
}
int rename(const char* from, const char* to) noexcept {
  const auto real = fp::next<int (*)(const char*, const char*)>("rename");
  const bool is_ours =
      !fp::points().directory().empty() && std::string_view(to).starts_with(fp::points().directory());
  return fp::at(is_ours ? fp::Place::file_rename : fp::Place::none, [&] { return real(from, to); });
}
int accept4(int descriptor, sockaddr* address, socklen_t* length, int flags) {
  const auto real = fp::next<int (*)(int, sockaddr*, socklen_t*, int)>("accept4");
  const int client =
      fp::at(fp::Place::client_accept, [&] { return real(descriptor, address, length, flags); });
  if (client >= 0) fp::points().sort(client) = fp::Sort::client;
  return client;
}
int connect(int descriptor, const sockaddr* address, socklen_t length) {
  const auto real = fp::next<int (*)(int, const sockaddr*, socklen_t)>("connect");
  if (!fp::is_internet(address)) return real(descriptor, address, length);
  fp::points().sort(descriptor) = fp::Sort::call;
  return fp::at(fp::Place::call_connect, [&] { return real(descriptor, address, length); });
}

}  // extern "C"
