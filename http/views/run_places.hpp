#pragma once
/// The places of the results of watched runs in their matrices, so that a changed result costs one look-up instead of
/// a walk over its run. Bound: a few runs; other runs are forgotten. Belongs to one thread.

#include <map>
#include <unordered_map>

#include "http/views/run_cells.hpp"

namespace parley::http {

class RunPlaces {
 public:
  /// The cell of the result; nullopt if a retry replaced the result or the run cannot be read.
  [[nodiscard]] std::optional<Cell> cell_of(const store::Snapshot& snapshot, const Id& run, ResultHead head);
  /// Called when a result was erased: the numbers of repetitions may have changed.
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
