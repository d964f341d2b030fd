#pragma once
/// Finds the tests that were edited between two runs. A result stores the case that it was created from (I42), so one
/// result of each test shows what was played. Reads one snapshot, which must outlive it; one thread.

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "model/records/run.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

class EditedTests {
 public:
  explicit EditedTests(const store::Snapshot& snapshot) : snapshot_(snapshot) {}

  /// The tests of the run whose case differs from the case in the last earlier run that played them. nullopt for a
  /// run with more than tests_max tests, which is not read. Needs: runs are passed in the order of their creation.
  [[nodiscard]] Expected<std::optional<std::vector<Id>>> next(const Run& run);

  static constexpr std::size_t tests_max = 500;

 private:
  const store::Snapshot& snapshot_;
  std::map<Id, std::string_view> cases_;  ///< case of each test as stored: a view into the snapshot
};

}  // namespace parley::http
