#pragma once
/// Iterates over the PATHs of a conversion and over the rows of JSON Lines and JSON lists. One thread.

#include <functional>

#include "convert/records/conversion.hpp"

namespace parley::convert {

/// Reads every PATH, starts an output named after the file and calls `read`. A file that adds no item is a fault.
void for_each_source(Conversion& conversion, const std::function<void(const Source&)>& read);
/// Calls `read` and adds a fault if it added no item; for importers that iterate over the PATHs themselves.
void read_output(Conversion& conversion, const Source& source, const std::function<void()>& read);

/// Calls `read` for each line of JSON Lines, each item of a JSON list, each of several consecutive JSON values, or the
/// single document. Only one row is in memory at a time. Stops at a fault.
void for_each_row(Conversion& conversion, const Source& source, const std::function<void(const Node&)>& read);

}  // namespace parley::convert
