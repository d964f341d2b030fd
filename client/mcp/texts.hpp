#pragma once
/// Records of the server as text for a model. Chatbots' messages are escaped and quoted, so that they are read as data. Pure
/// functions.

#include <string>

#include "model/json/json.hpp"

namespace parley::client {

/// `0198... Orders a latte (scenario Orders, 3 assertions)`
[[nodiscard]] std::string test_line(const json::Value& test);
/// `0198... completed, agent shop, 12 of 15 passed`
[[nodiscard]] std::string run_line_for_model(const json::Value& run);
/// `0198... failed: Orders a latte: places the order: Expected ...`
[[nodiscard]] std::string result_line_for_model(const json::Value& result);
/// The verdicts and the conversation; entries that a failed assertion quotes are marked with `>`.
[[nodiscard]] std::string result_text(const json::Value& result);
/// One assertion: its requirement, its verdict, and the entries that the verdict is based on. `wanted` is an id, a name or a
/// type; empty: every assertion that did not pass.
[[nodiscard]] std::string verdict_text(const json::Value& result, std::string_view wanted);
/// Tests by change, with the numbers of the comparison.
[[nodiscard]] std::string comparison_text(const json::Value& comparison);

}  // namespace parley::client
