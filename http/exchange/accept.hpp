#pragma once
/// Content negotiation: whether a request accepts the one media type of an operation's answer (D2). Pure; any thread.

#include "http/exchange/route.hpp"
#include "http/protocol/request.hpp"

namespace parley::http {

/// Problem: not_acceptable if every range that matches the media type of `form` has the weight 0, or none matches.
/// No Accept field, or an empty one, accepts everything.
[[nodiscard]] Expected<Done> check_accept(const Request& request, Gives form);

}  // namespace parley::http
