#pragma once
/// The input of hallucination detection (D24): the claims of one result, what its agent may know in addition to the
/// conversation, and the question to a judge model. Reads a snapshot and costs CPU; used by the claim checker on its own thread.

#include <optional>
#include <string>
#include <vector>

#include "actors/commands.hpp"
#include "actors/models/model_call.hpp"
#include "model/records/agent.hpp"
#include "outbound/agents/openai.hpp"
#include "scoring/grounding/claims.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

/// What the agent knows: `metadata.knowledge` (a text or a list of texts) and the system prompt of an OPENAI
/// agent.
[[nodiscard]] std::vector<std::string> knowledge_of(const Agent& agent);

/// One result whose claims are checked. A plain value: no snapshot is held during the check.
struct CheckedClaims {
  Id result;
  std::int64_t detection = 0;
  std::vector<Entry> entries;
  std::optional<EndReason> end_reason;
  std::vector<std::string> knowledge;
  std::vector<scoring::ExtractedClaim> claims = {};
  int voids = 0;  ///< number of void answers from the judge

  [[nodiscard]] SaveClaims kept() const { return {detection, scoring::shown_claims(claims)}; }
};

/// nullopt for a result that is unfinished, deleted, or already has the claims of this detection.
[[nodiscard]] Expected<std::optional<CheckedClaims>> load_traced(const store::Snapshot& snapshot,
                                                                 const Id& result, std::int64_t detection,
                                                                 const std::optional<Agent>& agent);
/// Adds the claims that code can read.
void trace(CheckedClaims& traced);

/// The question about claims in prose, or why none is asked.
[[nodiscard]] std::variant<outbound::HttpRequest, CallFault> prose_question(
    const outbound::ChatEndpoint& judge, const CheckedClaims& traced);

/// Adds the claims that the judge found; nullopt on success.
[[nodiscard]] std::optional<VoidAnswer> add_prose(CheckedClaims& traced, const outbound::HttpOutcome& outcome,
                                                  const outbound::ChatEndpoint& judge);

}  // namespace parley::actors
