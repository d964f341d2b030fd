#pragma once
/// The results of a run as the cells of a matrix: one row for each test and personality, one column for each repetition.
/// Retries replace the results that they repeat. Reads one snapshot; any thread.

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
  std::int64_t expected = 0;  ///< cells that the run's plan has for this row
  std::int64_t present = 0;
};

struct Cell {
  std::size_t row = 0;
  std::int64_t n = 1;                      ///< column, from 1, in the order of the first attempts
  std::unique_ptr<const ResultHead> head;  ///< never null; a pointer, so that sorting moves no head
  char state = 'w';                        ///< state_letter()
};

struct RunCells {
  std::vector<CellRow> rows;  ///< as planned, then the others in the order of their first result
  std::vector<Cell> cells;    ///< by row and column
  std::int64_t omitted = 0;   ///< results beyond limits::cases_max, the newest
};

/// The first attempt of a result's chain of retries: the result itself if it repeats none.
[[nodiscard]] Id first_attempt(const ResultHead& head);
/// Whether the run has too many results for an HTTP thread, so that a background thread must read its cells.
[[nodiscard]] Expected<bool> is_large(const store::Snapshot& snapshot, const Run& run);
[[nodiscard]] Expected<RunCells> cells_of(const store::Snapshot& snapshot, const Run& run);

/// What a cell shows in addition to its state. `turns` of a conversation without a verdict is counted.
struct CellFigures {
  std::int64_t turns = 0;
  std::optional<double> time;  ///< the chatbot's mean response time
  std::optional<double> usd;   ///< agent, tester and judge
  std::int64_t attempt = 1;
  std::string group;  ///< signature of the failure; empty: none
  Time changed;
};
[[nodiscard]] Expected<CellFigures> figures_of(const store::Snapshot& snapshot, const Cell& cell);

}  // namespace parley::http
