#pragma once
/// Visits every text and number inside a JSON value with its JSON Pointer (RFC 6901). Pure; any thread.

#include <functional>
#include <string>
#include <string_view>

#include "model/json/json.hpp"

namespace parley::scoring {

/// Receives the position of a text and the text; returns false to stop the walk.
using TextVisitor = std::function<bool(std::string_view place, std::string_view text)>;

/// Visits in the order of the value; `pointer` is the position of the value itself. False: the visitor stopped.
bool for_each_text(const json::Value& value, const std::string& pointer, const TextVisitor& visit);

}  // namespace parley::scoring
