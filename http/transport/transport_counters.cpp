#include "http/transport/transport_counters.hpp"

namespace parley::http {

OpenConnections::Seat::Seat(OpenConnections& room) : room_(&room) {
  ++room.open_;
}

OpenConnections::Seat::~Seat() {
  if (room_ == nullptr || --room_->open_ > 0) return;
  // The lock orders this with a waiter that is between its check and its sleep.
  const std::lock_guard lock(room_->mutex_);
  room_->none_.notify_all();
}

bool OpenConnections::wait_for_none(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return none_.wait_until(lock, deadline, [this] { return open_ == 0; });
}

}  // namespace parley::http
