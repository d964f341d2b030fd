#include "store/side/work_marks.hpp"

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

#include "store/engine/data_directory.hpp"

namespace parley::store {
namespace {

constexpr std::size_t mark_slots = 256;  ///< more than the number of a server's threads
constexpr std::uint64_t marks_magic = 0x316b'726f'7779'6c70;

enum class SlotState : std::uint32_t { free, taken, marked };

/// Each has its own cache line, so that threads do not slow each other down.
struct alignas(64) MarkSlot {
  std::atomic<SlotState> state;
  std::array<std::uint8_t, 16> result;
};
struct alignas(64) MarkHead {
  std::uint64_t magic;
  std::int64_t process;
  std::uint64_t is_stopped;
};
struct MarkFile {
  MarkHead head;
  std::array<MarkSlot, mark_slots - 1> slots;
};
static_assert(sizeof(MarkFile) == mark_slots * 64);
static_assert(std::atomic<SlotState>::is_always_lock_free, "the file outlives the process");

MarkFile& file_of(void* memory) {
  return *static_cast<MarkFile*>(memory);
}

/// The slot where a thread starts its search. Different threads usually start at different slots.
std::size_t first_slot() {
  return (std::hash<std::thread::id>{}(std::this_thread::get_id()) >> 6U) % (mark_slots - 1);
}

/// Allocates the file's space now, because writing a page without space on disk would end the process.
int with_space(int fd) {
  const int code = ::posix_fallocate(fd, 0, sizeof(MarkFile));
  return code == EOPNOTSUPP && ::ftruncate(fd, sizeof(MarkFile)) == 0 ? 0 : code;
}

}  // namespace

Expected<std::unique_ptr<WorkMarks>> WorkMarks::open(const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / "working";
  const auto refused = [&](int error) { return cannot("open", path, std::strerror(error)); };
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return refused(errno);
  if (const int code = with_space(fd)) {
    ::close(fd);
    return refused(code);
  }
  void* memory = ::mmap(nullptr, sizeof(MarkFile), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  const int error = errno;
  ::close(fd);  // the mapping keeps the file open
  if (memory == MAP_FAILED) return refused(error);
  return std::unique_ptr<WorkMarks>(new WorkMarks(memory));
}

WorkMarks::WorkMarks(void* memory) : memory_(memory) {
  MarkFile& file = file_of(memory_);
  if (file.head.magic != marks_magic) {
    std::memset(memory_, 0, sizeof(MarkFile));
    file.head.magic = marks_magic;
  }
  process_ = file.head.process;
  was_stopped_ = file.head.is_stopped == 1;
  for (const MarkSlot& slot : file.slots) {
    if (slot.state != SlotState::marked) continue;
    Id result;
    std::copy(slot.result.begin(), slot.result.end(), result.bytes.begin());
    if (std::find(left_.begin(), left_.end(), result) == left_.end()) left_.push_back(result);
  }
}

WorkMarks::~WorkMarks() {
  ::munmap(memory_, sizeof(MarkFile));
}

void WorkMarks::settle() {
  MarkFile& file = file_of(memory_);
  for (MarkSlot& slot : file.slots) slot.state = SlotState::free;
  left_.clear();
  file.head.is_stopped = 0;
  process_ = ++file.head.process;
}

void WorkMarks::stop() {
  file_of(memory_).head.is_stopped = 1;
}

WorkMarks::Mark WorkMarks::mark(const Id& result) {
  auto& slots = file_of(memory_).slots;
  const std::size_t first = first_slot();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    MarkSlot& slot = slots.at((first + i) % slots.size());
    SlotState expected = SlotState::free;
    if (!slot.state.compare_exchange_strong(expected, SlotState::taken, std::memory_order_acquire)) continue;
    std::copy(result.bytes.begin(), result.bytes.end(), slot.result.begin());
    slot.state.store(SlotState::marked, std::memory_order_release);
    return Mark(&slot);
  }
  return Mark();
}

WorkMarks::Mark::~Mark() {
  if (slot_ != nullptr)
    static_cast<MarkSlot*>(slot_)->state.store(SlotState::free, std::memory_order_release);
}

}  // namespace parley::store
