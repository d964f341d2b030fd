#pragma once
/// Content negotiation: checks whether a request accepts the media type of an operation's answer (D2). Pure; any
/// thread.

#include "http/exchange/route.hpp"
#include "http/protocol/request.hpp"

namespace parley::http {

/// Problem: not_acceptable if no range matches the media type of `form`, or if all matching ranges have the weight 0.
/// A missing or empty Accept field accepts everything.
[[nodiscard]] Expected<Done> check_accept(const Request& request, Gives form);

}  // namespace parley::http
