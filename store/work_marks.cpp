#include "store/work_marks.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <functional>
#include <thread>

#include "store/directory.hpp"

namespace parley::store {
namespace {

constexpr std::size_t slot_count = 256;  ///< more threads than a server has
constexpr std::uint64_t magic = 0x316b'726f'7779'6c70;

enum State : std::uint32_t { free_slot, taken, marked };

/// A line of the cache each, so that threads do not slow each other.
struct alignas(64) Slot {
  std::atomic<std::uint32_t> state;
  std::array<std::uint8_t, 16> result;
};
struct alignas(64) Head {
  std::uint64_t magic;
  std::int64_t process;
};
struct File {
  Head head;
  std::array<Slot, slot_count - 1> slots;
};
static_assert(sizeof(File) == slot_count * 64);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "the file outlives the process");

File& file_of(void* memory) {
  return *static_cast<File*>(memory);
}

/// Where a thread looks first, so that each usually has a slot of its own.
std::size_t first_slot() {
  return (std::hash<std::thread::id>{}(std::this_thread::get_id()) >> 6U) % (slot_count - 1);
}

/// The file's space is taken at once: a page without space on disk would end the process when it is written.
int with_space(int fd) {
  const int code = ::posix_fallocate(fd, 0, sizeof(File));
  return code == EOPNOTSUPP && ::ftruncate(fd, sizeof(File)) == 0 ? 0 : code;
}

}  // namespace

Result<std::unique_ptr<WorkMarks>> WorkMarks::open(const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / "working";
  const auto refused = [&](int error) { return cannot("open", path, std::strerror(error)); };
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return refused(errno);
  if (const int code = with_space(fd)) {
    ::close(fd);
    return refused(code);
  }
  void* memory = ::mmap(nullptr, sizeof(File), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  const int error = errno;
  ::close(fd);  // the mapping keeps the file
  if (memory == MAP_FAILED) return refused(error);
  return std::unique_ptr<WorkMarks>(new WorkMarks(memory));
}

WorkMarks::WorkMarks(void* memory) : memory_(memory) {
  File& file = file_of(memory_);
  if (file.head.magic != magic) {
    std::memset(memory_, 0, sizeof(File));
    file.head.magic = magic;
  }
  process_ = file.head.process;
  for (const Slot& slot : file.slots) {
    if (slot.state != marked) continue;
    Id result;
    std::copy(slot.result.begin(), slot.result.end(), result.bytes.begin());
    if (std::find(left_.begin(), left_.end(), result) == left_.end()) left_.push_back(result);
  }
}

WorkMarks::~WorkMarks() {
  ::munmap(memory_, sizeof(File));
}

void WorkMarks::settle() {
  File& file = file_of(memory_);
  for (Slot& slot : file.slots) slot.state = free_slot;
  left_.clear();
  process_ = ++file.head.process;
}

WorkMarks::Mark WorkMarks::mark(const Id& result) {
  auto& slots = file_of(memory_).slots;
  const std::size_t first = first_slot();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    Slot& slot = slots.at((first + i) % slots.size());
    std::uint32_t expected = free_slot;
    if (!slot.state.compare_exchange_strong(expected, taken, std::memory_order_acquire)) continue;
    std::copy(result.bytes.begin(), result.bytes.end(), slot.result.begin());
    slot.state.store(marked, std::memory_order_release);
    return Mark(&slot);
  }
  return Mark();
}

WorkMarks::Mark::~Mark() {
  if (slot_ != nullptr) static_cast<Slot*>(slot_)->state.store(free_slot, std::memory_order_release);
}

}  // namespace parley::store
