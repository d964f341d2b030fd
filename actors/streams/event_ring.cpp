#include "actors/streams/event_ring.hpp"

namespace parley::actors {

void EventRing::add(KeptEvent event) {
  bytes_ += event.piece->size();
  events_.push_back(std::move(event));
  while (events_.size() > ring_events_max || (bytes_ > ring_bytes_max && events_.size() > 1)) {
    bytes_ -= events_.front().piece->size();
    events_.pop_front();
  }
}

std::uint64_t EventRing::oldest(std::uint64_t next) const {
  return events_.empty() ? next : events_.front().number;
}

void EventRing::clear() {
  events_.clear();
  bytes_ = 0;
}

}  // namespace parley::actors
