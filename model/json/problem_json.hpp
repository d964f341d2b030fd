#pragma once
/// Writes a Problem as the RFC 9457 document that clients receive. Pure; any thread.

#include <string>
#include <string_view>

#include "model/problem.hpp"

namespace parley {

/// The RFC 9457 document; `instance` is the request id (D3).
[[nodiscard]] std::string problem_json(const Problem& problem, std::string_view instance);

}  // namespace parley
