#include "actors/base/commit_outcome.hpp"

#include <spdlog/spdlog.h>

namespace parley::actors {

Expected<Done> done_of(store::Outcome outcome) {
  switch (outcome.kind) {
    case store::Outcome::Kind::committed: return Done{};
    case store::Outcome::Kind::conflict: return too_busy();
    case store::Outcome::Kind::refused:
    case store::Outcome::Kind::broken: return std::move(outcome.problem);
  }
  return Done{};
}

Problem stopping() {
  return problem(ProblemKind::draining, "the server is shutting down; ask again later");
}

Problem too_busy() {
  return problem(ProblemKind::busy, "too many requests are waiting; try again in a moment");
}

Problem broken_off() {
  return problem(ProblemKind::busy, "the server aborted this request; check its outcome, or retry shortly");
}

Problem out_of_memory() {
  spdlog::error("decision failed what=\"no memory\"");
  return problem(ProblemKind::busy, "the server is short of memory; try again in a moment");
}

Problem crashed(std::string_view what) {
  spdlog::error("decision failed what=\"{}\"", what);
  return problem(ProblemKind::internal, "the server failed to process this request; its log has the reason");
}

Problem no_leader() {
  return problem(ProblemKind::no_leader,
                 "no node of the cluster leads now; the write did not happen and will not; send it again");
}

Problem in_doubt() {
  return problem(
      ProblemKind::in_doubt,
      "the answer to the write was lost: it happened, or not, or still will; read the record before you "
      "send it again, or send writes with an Idempotency-Key");
}

}  // namespace parley::actors
