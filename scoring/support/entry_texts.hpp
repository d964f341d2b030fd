#pragma once
/// Every text and number inside a JSON value, with the JSON Pointer to it (RFC 6901). Pure; any thread.

#include <functional>
#include <string>
#include <string_view>

#include "model/json/json.hpp"

namespace parley::scoring {

/// Called with the place of a text and the text; false stops the walk.
using TextVisitor = std::function<bool(std::string_view place, std::string_view text)>;

/// In the order of the value; `pointer` is its own place. False: the visitor stopped.
bool for_each_text(const json::Value& value, const std::string& pointer, const TextVisitor& visit);

}  // namespace parley::scoring
