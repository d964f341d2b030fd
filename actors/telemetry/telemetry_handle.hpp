#pragma once
/// The telemetry actor's handle and messages, which only the writer needs.

#include <vector>

#include "actors/base/messages.hpp"

namespace parley::actors {

/// These results were written; some may have ended.
struct ResultsTouched {
  std::vector<Id> results;
};
/// The collector's answer.
struct SpansReturned {
  std::size_t spans = 0;
  outbound::HttpOutcome outcome;
};

using Telemetry = caf::typed_actor<caf::reacts_to<ResultsTouched>,  // results that may have ended
                                   caf::reacts_to<SpansReturned>,   // the collector's answer
                                   caf::reacts_to<Flush>>;          // time to send

}  // namespace parley::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::ResultsTouched)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::SpansReturned)
