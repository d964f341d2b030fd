#pragma once
/// The Idempotency-Keys of requests that are not answered yet (D9); a repeat is refused in the meantime. Covers this
/// process only; permanent records are in the store, written in one transaction with the effect. Bounded by the
/// number of connections.
/// Thread: any; the lock is held for one look-up. Must outlive its holds.

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

namespace parley::http {

class RequestsInFlight {
 public:
  /// The right to work on a key; ends with release() or the destructor.
  class Hold {
   public:
    Hold() = default;
    Hold(RequestsInFlight& keys, std::string key) : keys_(&keys), key_(std::move(key)) {}
    Hold(Hold&& other) noexcept : keys_(other.keys_.exchange(nullptr)), key_(std::move(other.key_)) {}
    Hold& operator=(Hold&& other) noexcept {
      release();
      key_ = std::move(other.key_);
      keys_ = other.keys_.exchange(nullptr);
      return *this;
    }
    ~Hold() { release(); }

    /// Idempotent, so that a second call cannot release the key of the next holder.
    void release() noexcept {
      if (RequestsInFlight* keys = keys_.exchange(nullptr)) keys->give_back(key_);
    }

   private:
    std::atomic<RequestsInFlight*> keys_{nullptr};
    std::string key_;
  };

  /// nullopt if the key is already held.
  [[nodiscard]] std::optional<Hold> take(std::string key) {
    {
      const std::lock_guard lock(mutex_);
      if (!held_.insert(key).second) return std::nullopt;
    }
    return std::optional<Hold>(std::in_place, *this, std::move(key));
  }

 private:
  void give_back(const std::string& key) noexcept {
    const std::lock_guard lock(mutex_);
    held_.erase(key);
  }

  std::mutex mutex_;
  std::unordered_set<std::string> held_;
};

}  // namespace parley::http
