#pragma once
/// ByteBudget: bounds the bytes of one kind (bodies that clients send, answers that they do not read) that the
/// process holds, across all connections (I63). A share returns its bytes in its destructor, so that no code path can
/// leak them.
///
/// Thread: any, without locks. Invariant: small shares keep a reserve that large shares cannot take, so that large
/// requests can only starve other large requests, and one user gets only a part of it. A single large request is
/// always admitted.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace parley::http {

class ByteBudget {
 public:
  struct Bounds {
    std::size_t all_max;         ///< bytes of all shares together
    std::size_t large_max;       ///< the part of all_max that large shares may use
    std::size_t small_each_max;  ///< a share above this size is large
    /// Limit for the large shares of one owner, in bytes; above it, only a single large share is admitted.
    std::size_t owner_max = SIZE_MAX;
  };
  /// The user whose bytes these are; 0: no user. Owners with the same remainder share one limit.
  using Owner = std::uint64_t;
  class Share;

  explicit ByteBudget(const Bounds& bounds) : bounds_(bounds) {}

  [[nodiscard]] std::size_t bytes() const { return small_.load() + large_.load(); }

 private:
  [[nodiscard]] bool is_large(std::size_t bytes) const { return bytes > bounds_.small_each_max; }
  [[nodiscard]] bool take(std::size_t bytes, Owner owner);
  [[nodiscard]] bool take_for_all(std::size_t bytes);
  void give_back(std::size_t bytes, Owner owner);

  Bounds bounds_;
  std::atomic<std::size_t> small_ = 0;
  std::atomic<std::size_t> large_ = 0;
  std::array<std::atomic<std::size_t>, 509> by_owner_{};
};

/// The bytes of one body or answer. Thread: one at a time. May outlive the server.
class ByteBudget::Share {
 public:
  Share() = default;
  Share(Share&& other) noexcept
      : budget_(std::move(other.budget_)), bytes_(std::exchange(other.bytes_, 0)), owner_(other.owner_) {}
  Share& operator=(Share&& other) noexcept;
  ~Share() { release(); }

  /// Returns false if the budget has no room; the share is then empty. Never shrinks.
  [[nodiscard]] bool grow_to(std::size_t bytes, const std::shared_ptr<ByteBudget>& budget, Owner owner = 0);
  /// Counts bytes that can no longer be refused, so that later requests are refused instead.
  void hold(std::size_t bytes, const std::shared_ptr<ByteBudget>& budget);
  void release();

 private:
  std::shared_ptr<ByteBudget> budget_;
  std::size_t bytes_ = 0;
  Owner owner_ = 0;
};

}  // namespace parley::http
