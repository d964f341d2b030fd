#pragma once
/// New external conversation logs, for single and batch uploads. They are read from JSON with all faults, tagged, and
/// their entries get ids. Any thread.

#include "http/exchange/request_context.hpp"
#include "http/handlers/handler_context.hpp"
#include "model/records/external_log.hpp"
#include "scoring/support/tag_rule.hpp"

namespace parley::http {

/// A log without an id. Problem: 400 with all faults.
[[nodiscard]] Expected<ExternalLog> read_log(const Context& context, const store::Snapshot& snapshot,
                                             const RequestContext& call, const json::Value& body);
/// Assigns ids to the entries of the body's conversation. Needs: read_log found no fault.
void take_conversation(ExternalLog& log, const json::Value& body, Time now, IdSource& ids);
/// Claims the log's externalId. Problem: 409 if another log has it.
[[nodiscard]] Expected<Done> claim_external_id(const ExternalLog& log, const store::Snapshot& snapshot,
                                               store::ChangeSet& changes);

[[nodiscard]] Expected<std::vector<Id>> smart_tags(const store::Snapshot& snapshot);

struct Tagging {
  Links<RecordKind::tag> tags;  ///< the log's own tags, then the smart tags whose rule it matches
  bool is_cut_short = false;    ///< the work limit was reached before all rules were evaluated
};
/// Adds tags up to their maximum number. Each rule is read when it is evaluated, and evaluation may take long, so no
/// snapshot is held in between. Problem: draining if the server stops in the meantime.
[[nodiscard]] Expected<Tagging> tagging_of(const Context& context, const ExternalLog& log,
                                           const std::vector<Id>& smart, Steps work);

}  // namespace parley::http
