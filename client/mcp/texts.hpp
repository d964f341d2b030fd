#pragma once
/// Writes records of the server as text for a model. Messages of chatbots are escaped and quoted, so that the model
/// reads them as data. Pure functions.

#include <string>

#include "model/json/json.hpp"

namespace parley::client {

/// Describes a test: `0198... Orders a latte, scenario Orders, 3 assertions`
[[nodiscard]] std::string test_line(const json::Value& test);
/// Describes a run:
/// `Run 0198...: completed, agent shop, scenario Orders, 15 results, pass rate 0.8, coverage 1`
[[nodiscard]] std::string run_line_for_model(const json::Value& run);
/// Describes a result: `0198... completed, test Orders a latte: failed BLOCKER places the order: Expected ...`
[[nodiscard]] std::string result_line_for_model(const json::Value& result);
/// Returns the verdicts and the conversation. Entries that are evidence of an assertion that did not pass are marked
/// with `>`.
[[nodiscard]] std::string result_text(const json::Value& result);
/// Describes one assertion: its requirement, its verdict and the entries that the verdict is based on. `wanted` is an
/// id, a name or a type; empty selects every assertion that did not pass.
[[nodiscard]] std::string verdict_text(const json::Value& result, std::string_view wanted);
/// Lists the compared tests, each with its change and its numbers.
[[nodiscard]] std::string comparison_text(const json::Value& comparison);

}  // namespace parley::client
