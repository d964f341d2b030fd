#pragma once
/// The rows of the table of assertion types, each defined in the file of its type. Constants, initialised at
/// compile time; only kinds.cpp needs this list.

#include "scoring/kind.hpp"

namespace parley::scoring::rows {

extern const Kind action_invoked;
extern const Kind contains;
extern const Kind cost;
extern const Kind criteria;
extern const Kind end_reason;
extern const Kind equals;
extern const Kind event_recorded;
extern const Kind json_value;
extern const Kind max_length;
extern const Kind max_turns;
extern const Kind min_length;
extern const Kind min_turns;
extern const Kind regex;
extern const Kind response_time;
extern const Kind tokens;
extern const Kind tool_called;
extern const Kind tool_not_called;
extern const Kind tool_order;

}  // namespace parley::scoring::rows
