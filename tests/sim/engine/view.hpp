#pragma once
/// Reads the stored state in one snapshot and converts it into the model's form; remembers what ids refer to. Also
/// checks for changes that no step may ever make to a record: illegal transitions, a claim that changes, time that goes
/// back (I11, I15, I17, I18, I19, I34). One thread.

#include <map>

#include "store/snapshot.hpp"
#include "tests/sim/engine/history.hpp"

namespace parley::sim {

class View {
 public:
  /// `agent`: the owner of the leases to read. `reads_verdicts`: whether verdicts are part of the shape.
  View(const Id& run, const Id& agent, bool reads_verdicts)
      : run_(run), agent_(agent), reads_verdicts_(reads_verdicts) {}

  /// Faults are sentences; a sound store has none.
  [[nodiscard]] Shape look(const store::Snapshot& snapshot, const std::map<std::uint32_t, std::string>& keys);
  [[nodiscard]] const std::vector<std::string>& faults() const { return faults_; }

  // The findings of the last read.
  [[nodiscard]] const std::vector<std::pair<Name, Id>>& results() const { return results_; }
  [[nodiscard]] std::optional<Name> name_of(const Id& result) const;
  /// Ids and tokens of the entries of a result.
  [[nodiscard]] const std::vector<std::pair<Id, std::uint32_t>>& entries_of(const Name& name) const;
  [[nodiscard]] std::optional<std::uint32_t> token_of(const Id& entry) const;
  /// Whether the run's own record matches its results, which it must when the system is idle.
  [[nodiscard]] bool run_has_followed(const store::Snapshot& snapshot) const;

 private:
  struct Seen {
    ResultHead head;
    Time touched;
    std::vector<Id> entries;
  };
  /// Whether a model plays the tester of the result; its case never changes.
  bool is_free(const store::Snapshot& snapshot, const Id& result);
  One read(const store::Snapshot& snapshot, const ResultHead& head, const Name& name);
  void watch(const ResultHead& head, Time touched, const std::vector<Id>& entries, const std::string& name);

  void read_leases(const store::Snapshot& snapshot, Shape& shape) const;
  void read_verdict(const store::Snapshot& snapshot, const ResultHead& head, One& one);
  /// Checks that a replaced verdict is unchanged, and that its replacement records the old value.
  void watch_replaced(const store::Snapshot& snapshot, const ResultHead& head, const std::string& name);
  /// Checks that the figures of the run match its results, which holds at any time (I21).
  void watch_figures(const store::Snapshot& snapshot, const std::vector<ResultHead>& heads);

  Id run_;
  Id agent_;
  bool reads_verdicts_;
  std::vector<std::pair<Name, Id>> results_;
  std::map<Name, std::vector<std::pair<Id, std::uint32_t>>> entries_;
  std::map<Id, std::uint32_t> tokens_;
  std::map<Id, Seen> seen_;
  std::map<Id, bool> free_;
  struct Spoken {
    std::string rows;
    Total total;
  };
  std::map<std::pair<Id, std::int64_t>, Spoken> verdicts_;  ///< by number of rescores
  std::vector<std::string> faults_;
};

}  // namespace parley::sim
