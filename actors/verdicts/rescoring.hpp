#pragma once
/// Rescores a stored conversation without calling a model: code decides what it can, and criteria keep the
/// verdict that a judge gave on the same text. Reads a snapshot and costs CPU, so it belongs on a background
/// thread (Gateway::in_background). The result's actor saves the outcome (Rescore).

#include <map>
#include <set>

#include "actors/commands.hpp"
#include "scoring/verdict.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

/// An assertion whose verdict changed, or that was added or removed; nullopt: absent before or after.
struct Flip {
  Assertion assertion;
  std::optional<AssertionStatus> before;
  std::optional<AssertionStatus> after;
  std::string reason;  ///< reason of the new verdict
};

struct Rescoring {
  ResultHead head;  ///< the current head
  Rescore command;
  std::vector<Flip> flips;
  bool changes = false;   ///< the new verdict differs in any way
  std::size_t bytes = 0;  ///< approximate size of the conversation that was read
};

/// What the last rescoring of a result changed, derived from its two newest verdicts; nothing is scored. If
/// the newest verdict was saved before `since`, `changes` is false and both sides equal the current result.
[[nodiscard]] Expected<Rescoring> rescored_since(const store::Snapshot& snapshot, const ResultHead& head,
                                                 Time since);

/// Rescores results of one snapshot with the same request, sharing data between them. The snapshot, request
/// and ids must outlive it; one thread.
class Rescorer {
 public:
  /// `given` is an overlay on the assertions of the last verdict, as a variant is on its parent (D41). If it
  /// is empty, the current assertions of the result's test apply, or those of the last verdict if the test no
  /// longer exists. An assertion without an id gets the id of the assertion it replaces, else one from `ids`,
  /// the same in all results.
  Rescorer(const store::Snapshot& snapshot, std::span<const Assertion> given, Time now, IdSource& ids,
           const scoring::StopFlag& stop);

  /// Problem: conflict unless the result is completed; invalid_body if there are too many assertions;
  /// draining once the flag is set.
  [[nodiscard]] Expected<Rescoring> rescore(const ResultHead& head);

 private:
  /// Tests whose assertions are cached; a page of a run seldom has more.
  static constexpr std::size_t tests_kept_max = 100;

  void name(std::vector<Assertion>& assertions);
  /// The current assertions of a test; null if it no longer exists.
  [[nodiscard]] Expected<const std::vector<Assertion>*> of_test(const Id& test);
  [[nodiscard]] Expected<std::vector<Assertion>> effective(const ResultHead& head,
                                                           std::span<const AssertionResult> last);

  const store::Snapshot& snapshot_;
  std::vector<Assertion> given_;
  std::set<std::string, std::less<>> named_;  ///< ids created for given assertions without an id
  Time now_;
  IdSource& ids_;
  const scoring::StopFlag& stop_;
  std::map<Id, std::vector<Assertion>> of_tests_;
  scoring::CheckedConfigs configs_;
};

}  // namespace parley::actors
