#pragma once
/// Walks over the PATHs of a conversion and the rows of JSON Lines and JSON lists. One thread.

#include <functional>

#include "convert/records/conversion.hpp"

namespace parley::convert {

/// Reads every PATH, starts its output with the name of the file and calls `read`. A file in which nothing is found is a fault.
void for_each_source(Conversion& conversion, const std::function<void(const Source&)>& read);
/// The same for a file with `suite_name`; for importers that walk the PATHs themselves.
void read_output(Conversion& conversion, const Source& source, const std::function<void()>& read);

/// Each line of JSON Lines, each item of a JSON list, each of the values that follow each other, or the one document. One row is
/// in memory at a time. Stops at a fault.
void for_each_row(Conversion& conversion, const Source& source, const std::function<void(const Node&)>& read);

}  // namespace parley::convert
