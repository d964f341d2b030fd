#pragma once
/// Record ids: UUIDv7 (RFC 9562), so that they sort by creation time (D7, I12). Plain 16-byte values.

#include <array>
#include <atomic>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "model/time.hpp"

namespace parley {

struct Id {
  std::array<std::uint8_t, 16> bytes{};
  auto operator<=>(const Id&) const = default;  // NOLINT(modernize-use-nullptr)

  /// True for the all-zero id, which no record has.
  [[nodiscard]] bool is_nil() const { return *this == Id{}; }
  /// The bytes as used in store keys.
  [[nodiscard]] std::string_view key() const;
};

/// The 36 characters of RFC 9562, lower case.
[[nodiscard]] std::string to_text(const Id& id);
/// Reads what to_text writes; nullopt for anything else, including upper case (D4: such a path is 404).
[[nodiscard]] std::optional<Id> id_from_text(std::string_view text);
/// The milliseconds that a UUIDv7 begins with. A record's createdAt is exactly this time.
[[nodiscard]] Time time_of(const Id& id);
/// A UUIDv7 for `time` with 74 bits from `random` (10 bytes).
[[nodiscard]] Id make_id(Time time, const std::array<std::uint8_t, 10>& random);

/// Provides new ids. It is passed to the machines, so that tests control the ids.
class IdSource {
 public:
  virtual ~IdSource() = default;
  [[nodiscard]] virtual Id next(Time now) = 0;
};

/// Ids from the kernel's random source, with 62 random bits. The 12 bits after the time count the ids of one
/// millisecond (RFC 9562 section 6.2, method 1), so that a list shows one client's records in the order of
/// their creation. Any thread, several concurrently.
class RandomIds final : public IdSource {
 public:
  [[nodiscard]] Id next(Time now) override;

 private:
  /// Milliseconds in the upper bits, the count within the millisecond in the lower twelve.
  std::atomic<std::uint64_t> last_{0};
};

/// Counting ids for tests and replays: the same seed gives the same ids.
class CountingIds final : public IdSource {
 public:
  explicit CountingIds(std::uint64_t seed = 0) : count_(seed) {}
  [[nodiscard]] Id next(Time now) override;

 private:
  std::uint64_t count_;
};

}  // namespace parley

template <>
struct std::hash<parley::Id> {
  std::size_t operator()(const parley::Id& id) const noexcept;
};
