#include "http/transport/byte_budget.hpp"

namespace parley::http {

bool ByteBudget::take(std::size_t bytes, Owner owner) {
  if (owner == 0 || !is_large(bytes)) return take_for_all(bytes);
  std::atomic<std::size_t>& mine = by_owner_.at(owner % by_owner_.size());
  const auto before = mine.fetch_add(bytes);
  if ((before == 0 || before + bytes <= bounds_.owner_max) && take_for_all(bytes)) return true;
  mine.fetch_sub(bytes);
  return false;
}

/// Adds first and checks afterwards: close to the limit, two concurrent requests may both be refused, but are never
/// both admitted.
bool ByteBudget::take_for_all(std::size_t bytes) {
  if (!is_large(bytes)) {
    const auto small = small_.fetch_add(bytes) + bytes;
    if (small + large_.load() <= bounds_.all_max) return true;
    small_.fetch_sub(bytes);
    return false;
  }
  const auto large_before = large_.fetch_add(bytes);
  const auto large = large_before + bytes;
  if (large_before == 0 || (large <= bounds_.large_max && large + small_.load() <= bounds_.all_max))
    return true;
  large_.fetch_sub(bytes);
  return false;
}

void ByteBudget::give_back(std::size_t bytes, Owner owner) {
  if (owner != 0 && is_large(bytes)) by_owner_.at(owner % by_owner_.size()).fetch_sub(bytes);
  (is_large(bytes) ? large_ : small_).fetch_sub(bytes);
}

ByteBudget::Share& ByteBudget::Share::operator=(Share&& other) noexcept {
  if (this == &other) return *this;
  release();
  budget_ = std::move(other.budget_);
  bytes_ = std::exchange(other.bytes_, 0);
  owner_ = other.owner_;
  return *this;
}

bool ByteBudget::Share::grow_to(std::size_t bytes, const std::shared_ptr<ByteBudget>& budget, Owner owner) {
  if (bytes <= bytes_) return true;
  // Released first, because a growing body must not compete with its own bytes.
  release();
  if (!budget->take(bytes, owner)) return false;
  budget_ = budget;
  bytes_ = bytes;
  owner_ = owner;
  return true;
}

void ByteBudget::Share::hold(std::size_t bytes, const std::shared_ptr<ByteBudget>& budget) {
  release();
  (budget->is_large(bytes) ? budget->large_ : budget->small_).fetch_add(bytes);
  budget_ = budget;
  bytes_ = bytes;
  owner_ = 0;
}

void ByteBudget::Share::release() {
  if (bytes_ > 0) budget_->give_back(bytes_, owner_);
  bytes_ = 0;
  budget_.reset();
}

}  // namespace parley::http
