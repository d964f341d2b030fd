#pragma once
/// The events actor's handle and messages, which only the writer needs.

#include "actors/base/messages.hpp"
#include "actors/streams/event_stream.hpp"

namespace parley::actors {

/// A client asks for a stream.
struct WatchRequest {
  Watch watch;
  std::shared_ptr<EventRenderer> renderer;
};
/// The changes of a batch of commits.
struct Committed {
  std::vector<Moved> moved;
};

using Events = caf::typed_actor<caf::reacts_to<WatchRequest>,  // a client asks for a stream
                                caf::reacts_to<Committed>,     // records have changed
                                caf::reacts_to<Flush>,         // time to publish what was collected
                                caf::reacts_to<Tick>,          // time for comments and rights
                                caf::reacts_to<Stop>>;         // the server stops: all streams end

/// Read by the writer, which reports nothing while nothing is watched.
struct EventFigures {
  std::atomic<bool> is_watched{false};
  std::atomic<std::uint64_t> streams{0};
};

}  // namespace parley::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::WatchRequest)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::Committed)
