#pragma once
/// Where the results of watched runs are in their matrix, so that a changed result costs one look-up and not a walk over its
/// run. Bound: a few runs; others are forgotten. Belongs to one thread.

#include <map>
#include <unordered_map>

#include "http/views/run_cells.hpp"

namespace parley::http {

class RunPlaces {
 public:
  /// The cell of the result; nullopt for a result that a retry replaced, and if the run cannot be read.
  [[nodiscard]] std::optional<Cell> cell_of(const store::Snapshot& snapshot, const Id& run, ResultHead head);
  /// A result was erased: numbers of repetitions may have changed.
  void forget_all() { runs_.clear(); }

 private:
  struct Place {
    std::size_t row = 0;
    std::int64_t n = 1;
  };
  struct Known {
    std::vector<CellRow> rows;
    std::unordered_map<Id, Place> places;  ///< by first attempt
  };

  [[nodiscard]] Known* known(const store::Snapshot& snapshot, const Id& run);

  std::map<Id, Known> runs_;
};

}  // namespace parley::http
