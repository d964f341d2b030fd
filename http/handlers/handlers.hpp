#pragma once
/// Declares every handler of the route table. Free functions. http/exchange/route.hpp describes how they answer, and
/// inputs.hpp what their last parameters read from the request.

#include "http/bodies/apply_body.hpp"
#include "http/bodies/cluster_bodies.hpp"
#include "http/bodies/json_lines.hpp"
#include "http/bodies/local_bodies.hpp"
#include "http/bodies/result_bodies.hpp"
#include "http/bodies/run_bodies.hpp"
#include "http/exchange/inputs.hpp"
#include "http/exchange/reply_to.hpp"
#include "http/exchange/route.hpp"
#include "http/handlers/handler_context.hpp"
#include "model/records/agent.hpp"
#include "model/records/entry.hpp"
#include "model/records/external_log.hpp"
#include "model/records/scenario.hpp"
#include "model/records/tag.hpp"
#include "model/records/user.hpp"
#include "model/records/webhook.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// Create, list, get and patch for one kind of simple record. The kind's own file in handlers/ adds its special rules
/// and instantiates this template (record_operations.hpp).
template <class T>
struct RecordOperations {
  static void create(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
                     ReplyTo reply, const New<T>& in);
  /// The record that a POST of `body` would store, with a new id. Stores nothing. Problem: 400 with every fault.
  static Expected<T> draft(const Context& context, const store::Snapshot& snapshot,
                           const RequestContext& call, const json::Value& body);
  static Expected<Reply> create_again(const Context& context, const store::Snapshot& snapshot,
                                      const RequestContext& call, const AffectedIds& ids);
  static Expected<Reply> list(const Context& context, const store::Snapshot& snapshot,
                              const RequestContext& call);
  static Expected<Reply> get(const Context& context, const store::Snapshot& snapshot,
                             const RequestContext& call, const T& record);
  static void patch(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
                    ReplyTo reply, const T& found, const Patch<T>& in);
};

// handlers/tests.cpp
Expected<Reply> list_scenario_tests(const Context&, const store::Snapshot&, const RequestContext&,
                                    const Scenario&);

// handlers/apply.cpp
void apply_suite(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, In<ApplyBody>);
Expected<Reply> apply_suite_again(const Context&, const store::Snapshot&, const RequestContext&,
                                  const AffectedIds&);

// handlers/api_keys.cpp
void create_api_key(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, In<ApiKey>);
Expected<Reply> create_api_key_again(const Context&, const store::Snapshot&, const RequestContext&,
                                     const AffectedIds&);
Expected<Reply> list_api_keys(const Context&, const store::Snapshot&, const RequestContext&);
Expected<Reply> get_api_key(const Context&, const store::Snapshot&, const RequestContext&);
void revoke_api_key(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo);

// handlers/local_agents.cpp
void register_local_agent(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo,
                          const LocalAgentBody&);
Expected<Reply> register_local_agent_again(const Context&, const store::Snapshot&, const RequestContext&,
                                           const AffectedIds&);

// handlers/deletion.cpp
void delete_run(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, const Run&);
void delete_result(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo,
                   const ResultHead&);

// logs/external_logs.cpp
void create_external_log(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo,
                         New<ExternalLog>);
Expected<Reply> list_external_logs(const Context&, const store::Snapshot&, const RequestContext&);
void delete_external_log(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo);

// handlers/run_create.cpp, handlers/runs.cpp
void create_run(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, In<Run>);
Expected<Reply> create_run_again(const Context&, const store::Snapshot&, const RequestContext&,
                                 const AffectedIds&);
Expected<Reply> list_runs(const Context&, const store::Snapshot&, const RequestContext&);
void get_run(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, const Run&);
void patch_run(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, const Run&,
               In<RunPatchBody>);
void check_agent(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, const Agent&,
                 NoBody);
/// Checks an agent that is not saved.
void check_new_agent(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo,
                     const New<Agent>&);
void cancel_run(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, const Run&,
                NoBody);
Expected<Reply> cancel_run_again(const Context&, const store::Snapshot&, const RequestContext&,
                                 const AffectedIds&);
/// Repeats are also answered by cancel_run_again.
void detect_hallucinations(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo,
                           const Run&, NoBody);
Expected<Reply> list_run_results(const Context&, const store::Snapshot&, const RequestContext&, const Run&);
Expected<Reply> list_run_repetitions(const Context&, const store::Snapshot&, const RequestContext&,
                                     const Run&);

// handlers/run_compare.cpp
void compare_runs(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, const Run&,
                  const Run&);

// handlers/result_create.cpp, handlers/results.cpp, handlers/conversation.cpp
void create_result(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, In<ResultBody>);
/// Also answers repeated retry requests.
Expected<Reply> create_result_again(const Context&, const store::Snapshot&, const RequestContext&,
                                    const AffectedIds&);
Expected<Reply> list_results(const Context&, const store::Snapshot&, const RequestContext&);
void get_result(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, const ResultHead&);
void patch_result(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo,
                  const ResultHead&, In<ResultPatchBody>);
void retry_result(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo,
                  const ResultHead&, NoBody);
void finish_result(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo,
                   const ResultHead&, NoBody);
Expected<Reply> finish_result_again(const Context&, const store::Snapshot&, const RequestContext&,
                                    const AffectedIds&);
void next_message(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo,
                  const ResultHead&, NoBody);
Expected<Reply> next_message_again(const Context&, const store::Snapshot&, const RequestContext&,
                                   const AffectedIds&);
void post_entry(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, const ResultHead&,
                In<EntryBody>);
Expected<Reply> post_entry_again(const Context&, const store::Snapshot&, const RequestContext&,
                                 const AffectedIds&);
void patch_entry(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, const ResultHead&,
                 Unread<EntryPatchBody>);

// handlers/docs.cpp
Expected<Reply> docs(const Context&, const store::Snapshot&, const RequestContext&);

// handlers/rescore.cpp
void rescore_result(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo,
                    const ResultHead&, In<RescoreBody>);
Expected<Reply> rescore_result_again(const Context&, const store::Snapshot&, const RequestContext&,
                                     const AffectedIds&);
void rescore_run(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, const Run&,
                 In<RescoreBody>);
Expected<Reply> rescore_run_again(const Context&, const store::Snapshot&, const RequestContext&,
                                  const AffectedIds&);
Expected<Reply> list_verdicts(const Context&, const store::Snapshot&, const RequestContext&,
                              const ResultHead&);

// handlers/webhooks.cpp
Expected<Reply> list_deliveries(const Context&, const store::Snapshot&, const RequestContext&,
                                const Webhook&);
void test_webhook(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, const Webhook&,
                  NoBody);
void delete_webhook(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo);

// logs/log_batch.cpp
void create_external_logs(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo,
                          JsonLines<ExternalLog>);

// logs/tag_apply.cpp
void apply_tag(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, const Tag&, NoBody);

// logs/log_scoring.cpp
void score_log(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, ExternalLog,
               In<ScoreLogBody>);

// handlers/reviews.cpp; a repeat shows the result, as for finish
void review_result(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo,
                   const ResultHead&, const ReviewBody&);

// handlers/operations.cpp
Expected<Reply> healthz(const Context&, const store::Snapshot&, const RequestContext&);
Expected<Reply> readyz(const Context&, const store::Snapshot&, const RequestContext&);
Expected<Reply> version(const Context&, const store::Snapshot&, const RequestContext&);
Expected<Reply> metrics(const Context&, const store::Snapshot&, const RequestContext&);
Expected<Reply> put_scoring(const Context&, const store::Snapshot&, const RequestContext&,
                            const ScoringBody&);
Expected<Reply> openapi(const Context&, const store::Snapshot&, const RequestContext&);

void switch_over(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo,
                 const SwitchoverBody&);

}  // namespace parley::http
