#pragma once
/// The newest events in the order of their numbers. Bounded by count and bytes; the oldest are removed first.
/// A value on one thread.

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "actors/streams/event_stream.hpp"

namespace parley::actors {

inline constexpr std::size_t ring_events_max = 65'536;
inline constexpr std::size_t ring_bytes_max = 16 * 1024 * 1024;

/// An event as every stream gets it.
struct KeptEvent {
  std::uint64_t number = 0;
  std::vector<Topic> topics;
  std::shared_ptr<const std::string> piece;
};

class EventRing {
 public:
  void add(KeptEvent event);
  /// Number of the oldest event kept; if none is kept, the number of the next event.
  [[nodiscard]] std::uint64_t oldest(std::uint64_t next) const;
  [[nodiscard]] const std::deque<KeptEvent>& events() const { return events_; }
  void clear();

 private:
  std::deque<KeptEvent> events_;
  std::size_t bytes_ = 0;
};

}  // namespace parley::actors
