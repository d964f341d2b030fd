#pragma once
/// Internal to store/changelog: reads numbers and byte strings from untrusted bytes. After the first fault,
/// every read returns zero or empty, so callers check once at the end. Pure; one thread.

#include <cstdint>
#include <string_view>

namespace parley::store {

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] bool is_good() const { return is_good_; }
  [[nodiscard]] bool is_at_end() const { return rest_.empty(); }
  void fail() { is_good_ = false, rest_ = {}; }

  [[nodiscard]] std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) {
      fail();
      return {};
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  [[nodiscard]] std::uint8_t byte() {
    const std::string_view one = take(1);
    return one.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(one.front());
  }
  [[nodiscard]] bool flag() {
    const std::uint8_t value = byte();
    if (value > 1) fail();
    return value == 1;
  }
  /// A LEB128 number of at most ten bytes.
  [[nodiscard]] std::uint64_t number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      if (shift == 63 && next > 1) fail();
      number |= std::uint64_t{next & 0x7fU} << shift;
      if (next < 0x80) return is_good_ ? number : 0;
    }
    fail();
    return 0;
  }
  [[nodiscard]] std::int64_t signed_number() {
    const std::uint64_t bits = number();
    return static_cast<std::int64_t>((bits >> 1) ^ ((bits & 1) != 0 ? UINT64_MAX : 0));
  }
  [[nodiscard]] std::string_view bytes() { return take(number()); }
  /// A count of elements that take at least `least` bytes each. A damaged count cannot request more memory than
  /// the input has bytes.
  [[nodiscard]] std::uint64_t count(std::uint64_t least) {
    const std::uint64_t count = number();
    if (count > rest_.size() / least) fail();
    return is_good_ ? count : 0;
  }

 private:
  std::string_view rest_;
  bool is_good_ = true;
};

}  // namespace parley::store
