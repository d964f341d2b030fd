#pragma once
/// Scores a stored conversation again without calling anyone: code decides what code can decide, criteria keep the
/// verdict that a judge gave to the same words. Reads a snapshot and costs CPU, so it belongs on an HTTP thread; what
/// comes of it is saved by the result's actor (Rescore).

#include "actors/commands.hpp"
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

/// `given` is laid over the assertions of the last verdict as a variant is over its parent (D41); where it is empty, the
/// assertions of the result's test as they are now take their place, and those of the last verdict where there is no
/// test any more. Those that lack an id get one from `ids`.
/// Problem: conflict unless the result is completed; invalid_body where it comes to too many assertions.
[[nodiscard]] Result<Rescoring> rescore(const store::Snapshot& snapshot, const ResultHead& head,
                                        std::span<const Assertion> given, Time now, IdSource& ids);

}  // namespace parley::actors
