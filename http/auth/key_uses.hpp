#pragma once
/// The newest uses of keys that were handed on to be noted (D80), so that whoever reads a key right after its use sees it
/// before it is durable. A few at most: what is no longer remembered is stored by then, or is shown when it is.
///
/// Thread: any, without locks: readers take the current list, which never changes; a writer puts a new one in its place.

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/id.hpp"
#include "model/time.hpp"

namespace parley::http {

class KeyUses {
 public:
  /// When the key was used last, as far as it is remembered.
  [[nodiscard]] std::optional<Time> find(const Id& key) const {
    const auto uses = uses_.load();
    for (auto at = uses->rbegin(); at != uses->rend(); ++at) {
      if (at->first == key) return at->second;
    }
    return std::nullopt;
  }
  void remember(const Id& key, Time used) {
    auto before = uses_.load();
    std::shared_ptr<const List> after;
    do {
      const bool is_full = before->size() == kept_max;
      auto copy = std::make_shared<List>(before->begin() + (is_full ? 1 : 0), before->end());
      copy->emplace_back(key, used);
      after = std::move(copy);
    } while (!uses_.compare_exchange_weak(before, after));
  }

 private:
  using List = std::vector<std::pair<Id, Time>>;
  /// First uses that may be under way at once; each costs a copy of the list.
  static constexpr std::size_t kept_max = 64;

  std::atomic<std::shared_ptr<const List>> uses_{std::make_shared<const List>()};
};

}  // namespace parley::http
