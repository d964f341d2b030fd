#pragma once
/// The rows of the table of assertion types. Each row is defined in the file of its type. Constants,
/// initialized at compile time; only table.cpp needs this list.

#include "scoring/support/kind.hpp"

namespace parley::scoring::rows {

extern const Kind action_invoked;
extern const Kind action_offered;
extern const Kind assert_set;
extern const Kind contains;
extern const Kind contains_all;
extern const Kind contains_any;
extern const Kind cost;
extern const Kind criteria;
extern const Kind end_reason;
extern const Kind ends_with;
extern const Kind equals;
extern const Kind event_recorded;
extern const Kind icontains;
extern const Kind is_json;
extern const Kind json_schema;
extern const Kind json_value;
extern const Kind levenshtein;
extern const Kind max_length;
extern const Kind max_turns;
extern const Kind min_length;
extern const Kind min_turns;
extern const Kind no_loop;
extern const Kind regex;
extern const Kind response_time;
extern const Kind rouge;
extern const Kind starts_with;
extern const Kind tokens;
extern const Kind tool_called;
extern const Kind tool_f1;
extern const Kind tool_not_called;
extern const Kind tool_order;
extern const Kind tool_set;
extern const Kind tools_allowed;
extern const Kind tools_denied;
extern const Kind wildcard;
extern const Kind word_count;

}  // namespace parley::scoring::rows
