#include "model/records/assertion.hpp"

#include "model/description/record_write.hpp"

namespace parley {

json::Text shown_results(std::span<const AssertionResult> results) {
  json::Writer out;
  out.begin_array();
  for (const AssertionResult& result : results) {
    out.begin_object();
    // No assertion links to another record, so nothing has to be resolved.
    RecordWriter writer(out, WriteMode::full, nullptr);
    AssertionResult::describe(result, writer);
    out.end_object();
  }
  out.end_array();
  return {std::move(out).text()};
}

}  // namespace parley
