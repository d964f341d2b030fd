#pragma once
/// The table of operations. Router, OpenAPI document, Allow, metrics and tests are derived from it. A new
/// operation is one row here and one handler, declared in handlers.hpp. Constants; any thread.

#include <span>

#include "http/exchange/route.hpp"

namespace parley::http {

[[nodiscard]] std::span<const Route> routes();

}  // namespace parley::http
