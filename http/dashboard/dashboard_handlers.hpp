#pragma once
/// The handlers of the operations that the page needs and that are useful without it. Free functions.
/// http/exchange/route.hpp describes how they answer, and inputs.hpp what their last parameters read from the
/// request.

#include "http/bodies/dashboard_bodies.hpp"
#include "http/bodies/session_bodies.hpp"
#include "http/exchange/inputs.hpp"
#include "http/exchange/reply_to.hpp"
#include "http/exchange/route.hpp"
#include "http/handlers/handler_context.hpp"
#include "model/records/run.hpp"
#include "model/records/test_result.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

// dashboard/sign_in.cpp
void sign_in(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, const SignInBody&);
Expected<Reply> get_session(const Context&, const store::Snapshot&, const RequestContext&);
void sign_out(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo);
void create_sign_in_code(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, NoBody);
void end_user_sessions(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo);

// dashboard/events.cpp
void get_events(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo);

// dashboard/cells.cpp
Expected<Reply> get_cells(const Context&, const store::Snapshot&, const RequestContext&, const Run&);

// dashboard/failures.cpp
Expected<Reply> get_failures(const Context&, const store::Snapshot&, const RequestContext&, const Run&);
void put_failure_note(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, const Run&,
                      const FailureNoteBody&);

// dashboard/report.cpp
Expected<Reply> get_report(const Context&, const store::Snapshot&, const RequestContext&, const Run&);

// dashboard/entries.cpp
Expected<Reply> list_entries(const Context&, const store::Snapshot&, const RequestContext&,
                             const ResultHead&);

// dashboard/compare.cpp
Expected<Reply> compare_trials(const Context&, const store::Snapshot&, const RequestContext&, const Run&,
                               const Run&);
Expected<Reply> compare_results(const Context&, const store::Snapshot&, const RequestContext&);

// dashboard/validate.cpp
Expected<Reply> validate(const Context&, const store::Snapshot&, const RequestContext&, const ValidateBody&);

// dashboard/grep.cpp
void grep_run(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, const Run&,
              const GrepBody&);

// dashboard/trends.cpp
Expected<Reply> get_trends(const Context&, const store::Snapshot&, const RequestContext&);

// dashboard/labels.cpp
void create_label(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, In<LabelBody>);
Expected<Reply> create_label_again(const Context&, const store::Snapshot&, const RequestContext&,
                                   const AffectedIds&);
Expected<Reply> list_labels(const Context&, const store::Snapshot&, const RequestContext&);
void delete_label(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo);
Expected<Reply> get_agreement(const Context&, const store::Snapshot&, const RequestContext&);

}  // namespace parley::http
