#pragma once
/// The results of a run as the cells of a matrix: one row for each test and personality, one column for each
/// repetition. A retry replaces the result that it repeats. Reads one snapshot; any thread.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/records/run.hpp"
#include "model/records/test_result.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// A row of the matrix.
struct CellRow {
  std::optional<Id> test;  ///< nullopt: results without a test
  std::optional<Id> personality;
  std::int64_t expected = 0;  ///< number of cells in the run's plan for this row
  std::int64_t present = 0;
};

struct Cell {
  std::size_t row = 0;
  std::int64_t n = 1;                      ///< column, from 1, in the order of the first attempts
  std::unique_ptr<const ResultHead> head;  ///< never null; a pointer, so that sorting moves no head
  char state = 'w';                        ///< state_letter()
};

struct RunCells {
  std::vector<CellRow> rows;  ///< planned rows first, then others by their first result
  std::vector<Cell> cells;    ///< sorted by row and column
  std::int64_t omitted = 0;   ///< newest results beyond limits::cases_max
};

/// The first attempt in a result's chain of retries; the result itself if it is not a retry.
[[nodiscard]] Id first_attempt(const ResultHead& head);
/// Whether the run has too many results for an HTTP thread, so that a background thread must read its cells.
[[nodiscard]] Expected<bool> is_large(const store::Snapshot& snapshot, const Run& run);
[[nodiscard]] Expected<RunCells> cells_of(const store::Snapshot& snapshot, const Run& run);

/// What a cell shows in addition to its state. Without a verdict, `turns` is counted in the conversation.
struct CellFigures {
  std::int64_t turns = 0;
  std::optional<double> time;  ///< the chatbot's mean response time
  std::optional<double> usd;   ///< cost of agent, tester and judge
  std::int64_t attempt = 1;
  std::string group;  ///< failure signature; empty: none
  Time changed;
};
[[nodiscard]] Expected<CellFigures> figures_of(const store::Snapshot& snapshot, const Cell& cell);

}  // namespace parley::http
