#pragma once
/// Every handler that a row of the route table names. Free functions; how they may answer is in
/// http/exchange/route.hpp.

#include "http/handlers/handler_context.hpp"
#include "http/exchange/reply_to.hpp"
#include "http/exchange/route.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// Create, list, get and patch of one kind of simple record (decisions, section C). What is special about a
/// kind stands in its own file of handlers/, which also instantiates this (record_operations.hpp).
template <class T>
struct RecordOperations {
  static void create(const Context& context, const store::Snapshot& snapshot, const CallPtr& call,
                     ReplyTo reply);
  static Result<Reply> create_again(const Context& context, const store::Snapshot& snapshot, const Call& call,
                                    const KeptIds& ids);
  static Result<Reply> list(const Context& context, const store::Snapshot& snapshot, const Call& call);
  static Result<Reply> get(const Context& context, const store::Snapshot& snapshot, const Call& call);
  static void patch(const Context& context, const store::Snapshot& snapshot, const CallPtr& call,
                    ReplyTo reply);
};

// handlers/tests.cpp
Result<Reply> list_scenario_tests(const Context&, const store::Snapshot&, const Call&);

// handlers/api_keys.cpp
void create_api_key(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
Result<Reply> create_api_key_again(const Context&, const store::Snapshot&, const Call&, const KeptIds&);
Result<Reply> list_api_keys(const Context&, const store::Snapshot&, const Call&);
Result<Reply> get_api_key(const Context&, const store::Snapshot&, const Call&);
void revoke_api_key(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);

// handlers/local_agents.cpp
void register_local_agent(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
Result<Reply> register_local_agent_again(const Context&, const store::Snapshot&, const Call&, const KeptIds&);

// handlers/deletion.cpp
void delete_run(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
void delete_result(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);

// handlers/external_logs.cpp
void create_external_log(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
void delete_external_log(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);

// handlers/run_create.cpp, handlers/runs.cpp
void create_run(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
Result<Reply> create_run_again(const Context&, const store::Snapshot&, const Call&, const KeptIds&);
Result<Reply> list_runs(const Context&, const store::Snapshot&, const Call&);
void get_run(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
void patch_run(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
void check_agent(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
void cancel_run(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
Result<Reply> cancel_run_again(const Context&, const store::Snapshot&, const Call&, const KeptIds&);
/// A repeat is answered as that of cancel.
void detect_hallucinations(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
Result<Reply> list_run_results(const Context&, const store::Snapshot&, const Call&);
Result<Reply> list_run_repetitions(const Context&, const store::Snapshot&, const Call&);

// handlers/run_compare.cpp
void compare_runs(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);

// handlers/result_create.cpp, handlers/results.cpp, handlers/conversation.cpp
void create_result(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
/// Of retry too.
Result<Reply> create_result_again(const Context&, const store::Snapshot&, const Call&, const KeptIds&);
Result<Reply> list_results(const Context&, const store::Snapshot&, const Call&);
void get_result(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
void patch_result(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
void retry_result(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
void finish_result(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
Result<Reply> finish_result_again(const Context&, const store::Snapshot&, const Call&, const KeptIds&);
void next_message(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
Result<Reply> next_message_again(const Context&, const store::Snapshot&, const Call&, const KeptIds&);
void post_entry(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
Result<Reply> post_entry_again(const Context&, const store::Snapshot&, const Call&, const KeptIds&);
void patch_entry(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);

// handlers/docs.cpp
Result<Reply> docs(const Context&, const store::Snapshot&, const Call&);

// handlers/rescore.cpp
void rescore_result(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
Result<Reply> rescore_result_again(const Context&, const store::Snapshot&, const Call&, const KeptIds&);
void rescore_run(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);
Result<Reply> rescore_run_again(const Context&, const store::Snapshot&, const Call&, const KeptIds&);
Result<Reply> list_verdicts(const Context&, const store::Snapshot&, const Call&);

// handlers/log_scoring.cpp
void score_log(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);

// handlers/reviews.cpp; a repeat shows the result as finish does
void review_result(const Context&, const store::Snapshot&, const CallPtr&, ReplyTo);

// handlers/operations.cpp
Result<Reply> healthz(const Context&, const store::Snapshot&, const Call&);
Result<Reply> readyz(const Context&, const store::Snapshot&, const Call&);
Result<Reply> version(const Context&, const store::Snapshot&, const Call&);
Result<Reply> metrics(const Context&, const store::Snapshot&, const Call&);
Result<Reply> put_scoring(const Context&, const store::Snapshot&, const Call&);
Result<Reply> openapi(const Context&, const store::Snapshot&, const Call&);

}  // namespace parley::http
