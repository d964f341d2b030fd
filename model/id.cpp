#include "model/id.hpp"

#include <sys/random.h>

#include <algorithm>
#include <cstring>

#include "model/check.hpp"

namespace parley {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

int nibble(char c) {
  const auto at = hex_digits.find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

constexpr bool is_dash(std::size_t at) {
  return at == 8 || at == 13 || at == 18 || at == 23;
}

}  // namespace

std::string_view Id::key() const {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string to_text(const Id& id) {
  std::string text(36, '-');
  std::size_t at = 0;
  for (const std::uint8_t byte : id.bytes) {
    if (is_dash(at)) ++at;
    text[at++] = hex_digits[byte >> 4];
    text[at++] = hex_digits[byte & 15];
  }
  return text;
}

std::optional<Id> id_from_text(std::string_view text) {
  if (text.size() != 36) return std::nullopt;
  Id id;
  std::size_t at = 0;
  for (std::uint8_t& byte : id.bytes) {
    if (is_dash(at) && text[at++] != '-') return std::nullopt;
    const int high = nibble(text[at]);
    const int low = nibble(text[at + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    byte = static_cast<std::uint8_t>(high * 16 + low);
    at += 2;
  }
  return id;
}

Time time_of(const Id& id) {
  std::int64_t ms = 0;
  for (std::size_t i = 0; i < 6; ++i) ms = ms * 256 + id.bytes[i];
  return Time{ms};
}

Id make_id(Time time, const std::array<std::uint8_t, 10>& random) {
  Id id;
  auto ms = static_cast<std::uint64_t>(time.ms);
  for (std::size_t i = 6; i-- > 0; ms >>= 8) id.bytes[i] = static_cast<std::uint8_t>(ms & 0xff);
  std::copy(random.begin(), random.end(), id.bytes.begin() + 6);
  id.bytes[6] = static_cast<std::uint8_t>((id.bytes[6] & 0x0f) | 0x70);
  id.bytes[8] = static_cast<std::uint8_t>((id.bytes[8] & 0x3f) | 0x80);
  return id;
}

namespace {

/// Random bytes from the kernel, fetched many at a time, because the call costs more than the bytes. A call
/// for up to 256 bytes always returns all of them.
class RandomBytes {
 public:
  std::array<std::uint8_t, 10> next() {
    std::array<std::uint8_t, 10> taken{};
    if (used_ + taken.size() > bytes_.size()) fill();
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(used_), taken.size(), taken.begin());
    used_ += taken.size();
    return taken;
  }

 private:
  void fill() {
    CHECK(getrandom(bytes_.data(), bytes_.size(), 0) == static_cast<ssize_t>(bytes_.size()));
    used_ = 0;
  }

  std::array<std::uint8_t, 250> bytes_{};
  std::size_t used_ = bytes_.size();
};

}  // namespace

Id RandomIds::next(Time now) {
  thread_local RandomBytes source;  // one per thread, so that no thread waits for another
  std::array<std::uint8_t, 10> random = source.next();
  constexpr std::uint64_t count_max = 0xfff;
  const auto start = static_cast<std::uint64_t>(now.ms) << 12;
  std::uint64_t count =
      count_max;  // for more than 4,096 ids in a millisecond, and after the clock went back; these have no order
  std::uint64_t last = last_.load();
  while ((last >> 12) <= static_cast<std::uint64_t>(now.ms)) {
    const std::uint64_t next = last < start ? start : last + 1;
    if (next > (start | count_max)) break;
    if (last_.compare_exchange_weak(last, next)) {
      count = next & count_max;
      break;
    }
  }
  random[0] = static_cast<std::uint8_t>(count >> 8);
  random[1] = static_cast<std::uint8_t>(count & 0xff);
  return make_id(now, random);
}

Id CountingIds::next(Time now) {
  ++count_;
  std::array<std::uint8_t, 10> random{};
  for (std::size_t i = 0; i < 8; ++i) random[9 - i] = static_cast<std::uint8_t>(count_ >> (8 * i));
  return make_id(now, random);
}

}  // namespace parley

std::size_t std::hash<parley::Id>::operator()(const parley::Id& id) const noexcept {
  // The tail of a UUIDv7 is random already.
  std::uint64_t tail = 0;
  std::memcpy(&tail, id.bytes.data() + 8, sizeof tail);
  std::uint64_t head = 0;
  std::memcpy(&head, id.bytes.data(), sizeof head);
  return static_cast<std::size_t>(tail ^ (head * 0x9e3779b97f4a7c15ULL));
}
