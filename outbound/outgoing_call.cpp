#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

std::string_view slug(FailureKind kind) {
  switch (kind) {
    case FailureKind::connect: return "connect";
    case FailureKind::timeout: return "timeout";
    case FailureKind::slow: return "slow";
    case FailureKind::too_large: return "too_large";
    case FailureKind::blocked_address: return "blocked_address";
    case FailureKind::bad_url: return "bad_url";
    case FailureKind::tls: return "tls";
    case FailureKind::broken: return "broken";
    case FailureKind::canceled: return "canceled";
    case FailureKind::overloaded: return "overloaded";
    case FailureKind::rate_limited: return "rate_limited";
    case FailureKind::no_token: return "no_token";
  }
  return "broken";
}

}  // namespace parley::outbound
