// POST /apply (D110): changes a project's records to match its files, in one change set.

#include "http/apply/apply_check.hpp"
#include "http/apply/apply_plan.hpp"
#include "http/exchange/idempotency.hpp"
#include "http/handlers/handlers.hpp"

namespace parley::http {
namespace {

/// A checked request.
struct Application {
  RequestContextPtr call;
  ApplyBody settings;
  Body body;

  [[nodiscard]] Expected<ApplyPlan> plan(const Context& context, const store::Snapshot& snapshot, Time now,
                                         IdSource& ids) const {
    return plan_apply({settings, body.root(), {call->principal.user}, context.secrets}, snapshot, now, ids);
  }
};
using ApplicationPtr = std::shared_ptr<const Application>;

/// The answer for a plan that is not carried out.
Expected<Reply> planned_reply(const Context& context, const store::Snapshot& snapshot,
                              const Application& application) {
  RandomIds ids;
  TRY(plan, application.plan(context, snapshot, context.clock.now(), ids));
  return json_reply(plan_json(plan));
}

void save(const Context& context, const ApplicationPtr& application, const ReplyTo& reply) {
  const auto answer = std::make_shared<std::string>();
  const auto decide = [&context, application, answer](const store::Snapshot& snapshot, Time now,
                                                      IdSource& ids) -> Expected<store::ChangeSet> {
    TRY(plan, application->plan(context, snapshot, now, ids));
    if (plan.count(ApplyAction::changed_elsewhere) > 0) return changed_elsewhere_problem(plan);
    *answer = plan_json(plan);
    return std::move(plan.changes);
  };
  context.gateway.change_records(once(application->call, decide, [] { return AffectedIds{}; }),
                                 [reply, answer](Expected<Done> done) {
                                   if (!done.ok()) return reply(std::move(done).problem());
                                   reply(json_reply(std::move(*answer)));
                                 });
}

}  // namespace

void apply_suite(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
                 ReplyTo reply, In<ApplyBody> in) {
  check_apply(in.document.root(), in.findings);
  if (auto faultless = in.check(); !faultless.ok()) return reply(std::move(faultless).problem());
  const auto application =
      std::make_shared<const Application>(Application{call, std::move(in.body), std::move(in.document)});
  if (application->settings.dry_run) return reply(planned_reply(context, snapshot, *application));
  save(context, application, reply);
}

/// A repeat finds everything applied and reports the remaining differences from the files.
Expected<Reply> apply_suite_again(const Context& context, const store::Snapshot& snapshot,
                                  const RequestContext& call, const AffectedIds&) {
  TRY(in, read_in<ApplyBody>(call));
  RandomIds ids;
  TRY(plan, plan_apply({in.body, in.document.root(), {call.principal.user}, context.secrets}, snapshot,
                       context.clock.now(), ids));
  return json_reply(plan_json(plan));
}

}  // namespace parley::http
