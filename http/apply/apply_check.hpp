#pragma once
/// Finds the faults in a body of POST /apply that do not depend on the store. Checking the patterns of many tests may
/// be slow, so this runs once, before the decision. Pure; any thread.

#include "http/bodies/apply_body.hpp"
#include "model/description/record_parse.hpp"
#include "model/records/test.hpp"

namespace parley::http {

/// Adds every fault. The pointers are relative to the body.
void check_apply(const json::Value& body, Findings& findings);

/// Applies the fields that a record in the body gives to `record`, as a PATCH would. Faults go to `findings`.
template <class T>
void read_fields(const json::Value& value, const std::string& pointer, T& record, Findings& findings) {
  Parser parser(value, ParseMode::patch, pointer, findings);
  T::describe(record, parser);
  parser.knows(std::array<std::string_view, 3>{"key", "fromLog", "variants"});
  parser.finish();
}

/// The member as a list; empty if it is absent or not a list.
[[nodiscard]] std::vector<json::Value> list_at(const json::Value& object, std::string_view key);
/// The member as text; empty if it is absent or not a string.
[[nodiscard]] std::string text_member(const json::Value& object, std::string_view key);

}  // namespace parley::http
