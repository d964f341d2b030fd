#pragma once
/// Scores a stored conversation again without calling anyone: code decides what code can decide, criteria keep the
/// verdict that a judge gave to the same words. Reads a snapshot and costs CPU, so it belongs on a background thread
/// (Gateway::in_background); what comes of it is saved by the result's actor (Rescore).

#include <map>
#include <set>

#include "actors/commands.hpp"
#include "scoring/verdict.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

/// An assertion whose verdict is another one, or that came or went; nullopt: there was none, or there is none any more.
struct Flip {
  Assertion assertion;
  std::optional<AssertionStatus> before;
  std::optional<AssertionStatus> after;
  std::string reason;  ///< of the new verdict
};

struct Rescoring {
  ResultHead head;  ///< as it stands
  Rescore command;
  std::vector<Flip> flips;
  bool changes = false;   ///< the new verdict differs in any way
  std::size_t bytes = 0;  ///< of the conversation that was read, about
};

/// What the last scoring again of a result changed, told from its two newest verdicts; nothing is scored. `changes` is
/// false, and both sides are as it stands, where the newest was saved before `since`.
[[nodiscard]] Expected<Rescoring> rescored_since(const store::Snapshot& snapshot, const ResultHead& head,
                                                 Time since);

/// Scores results of one snapshot again by the same wishes, and keeps what they share. Snapshot, wishes and ids must
/// outlive it; one thread.
class Rescorer {
 public:
  /// `given` is laid over the assertions of the last verdict as a variant is over its parent (D41); where it is empty,
  /// the assertions of the result's test as they are now take their place, and those of the last verdict where there is
  /// no test any more. Those that lack an id have that of the assertion whose place they take, else one from `ids`, the
  /// same in all results.
  Rescorer(const store::Snapshot& snapshot, std::span<const Assertion> given, Time now, IdSource& ids,
           const scoring::StopFlag& stop);

  /// Problem: conflict unless the result is completed; invalid_body where it comes to too many assertions;
  /// draining once the flag is set.
  [[nodiscard]] Expected<Rescoring> rescore(const ResultHead& head);

 private:
  /// Tests whose assertions are kept: a page of a run seldom has more.
  static constexpr std::size_t tests_kept_max = 100;

  void name(std::vector<Assertion>& assertions);
  /// The assertions of a test as it is now; null where there is none any more.
  [[nodiscard]] Expected<const std::vector<Assertion>*> of_test(const Id& test);
  [[nodiscard]] Expected<std::vector<Assertion>> effective(const ResultHead& head,
                                                           std::span<const AssertionResult> last);

  const store::Snapshot& snapshot_;
  std::vector<Assertion> given_;
  std::set<std::string, std::less<>> named_;  ///< ids that the given ones did not have
  Time now_;
  IdSource& ids_;
  const scoring::StopFlag& stop_;
  std::map<Id, std::vector<Assertion>> of_tests_;
  scoring::CheckedConfigs configs_;
};

}  // namespace parley::actors
