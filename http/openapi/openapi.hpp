#pragma once
/// The OpenAPI 3.1 document, generated from the route table and the descriptions of the records. Pure; any thread.

#include <span>
#include <string>
#include <string_view>

#include "http/exchange/route.hpp"

namespace parley::http {

[[nodiscard]] std::string openapi_json(std::span<const Route> routes, std::string_view version,
                                       std::string_view base_path);

}  // namespace parley::http
