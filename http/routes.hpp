#pragma once
/// THE table of operations (spec section 4, decisions B, C, G-I). Router, OpenAPI document, Allow, metrics and tests are
/// readings of it. A new operation is one row here, one handler and one line in handlers.hpp. Constants; any thread.

#include <span>

#include "http/exchange/route.hpp"

namespace parley::http {

[[nodiscard]] std::span<const Route> routes();

}  // namespace parley::http
