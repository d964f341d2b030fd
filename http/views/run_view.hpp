#pragma once
/// The JSON of a run: the stored record, with a `result` that is computed from the stored counters (D35). Any thread.

#include "http/lists/page.hpp"
#include "model/description/record_write.hpp"
#include "model/records/run.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// Appends the run; minimal rows are defined in D24.
[[nodiscard]] Expected<Done> write_run(json::Writer& out, const store::Snapshot& snapshot, const Run& run,
                                       WriteMode mode, const Linker& linker);
/// The whole run as one JSON text.
[[nodiscard]] Expected<std::string> run_json(const store::Snapshot& snapshot, const Run& run);

/// `result` as shown: the client's object until the run is launched or has a result; from then on overlaid with the
/// computed keys.
[[nodiscard]] Expected<json::Text> run_result(const store::Snapshot& snapshot, const Run& run, WriteMode mode,
                                              const Linker& linker);

/// One row of `repetitions`: a test with several cases.
struct Repetition {
  Id test;
  std::int64_t runs = 0;  ///< decided results
  std::int64_t passed = 0;
};
[[nodiscard]] Expected<std::vector<Repetition>> repetitions_of(const store::Snapshot& snapshot,
                                                               const Id& run);
/// Sorts by `runs`, `passed` or `flaky`, or else by the creation of the tests. Creation also breaks ties, in the same
/// direction (D6).
void sort_repetitions(std::vector<Repetition>& rows, std::string_view by, bool is_ascending);
void write_repetition(json::Writer& out, const Repetition& row, const Linker& linker);

/// The object of the four averages (D35, D56).
void write_averages(json::Writer& out, const store::RunCounters& counters);

}  // namespace parley::http
