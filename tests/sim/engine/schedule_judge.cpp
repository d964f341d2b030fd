// The checks at the end of a schedule: idleness, verdicts, answers, and an order that explains the history.

#include <algorithm>

#include "tests/sim/engine/rescores.hpp"
#include "tests/sim/engine/schedule.hpp"
#include "tests/sim/engine/verdicts.hpp"

namespace parley::sim {

Trial Schedule::judge() {
  note("rest");
  come_to_rest();
  last_heartbeat();
  look();
  auto& faults = trial_.faults;
  const Shape& last = trial_.history.events.back().shape;
  for (std::string& fault : unfinished(last)) faults.push_back(std::move(fault));
  facts_.testers_end = stand_.models().testers_end();
  facts_.testers_fail = stand_.models().testers_fail();
  facts_.may_run_too_long = stand_.hurry().may_end();
  check_ends();
  faults.insert(faults.end(), view_->faults().begin(), view_->faults().end());
  const auto differences = store::recount(stand_.snapshot());
  if (!differences || !differences->empty()) {
    faults.push_back("views differ from records: " +
                     (differences ? differences->front().what : differences.problem().detail));
  }
  // A driven preview belongs to no run.
  const auto previews = std::count_if(trial_.history.ops.begin(), trial_.history.ops.end(), [](const Op& op) {
    return op.deed == Deed::preview && op.made_as.kind == Kind::driven;
  });
  if (stand_.most_driven() > plan_.cap + static_cast<std::size_t>(previews))
    faults.emplace_back("more conversations at once than allowed (I49)");
  if (stand_.hurry().is_late()) faults.emplace_back("an agent is asked after the conversation's deadline");
  if (stand_.agents().asked_twice_at_once()) faults.emplace_back("two calls for one conversation at once");
  learn_judged();
  name_made();
  check_answers();
  const Finding finding = check(trial_.history, begin_, facts_);
  trial_.is_undecided = finding.is_undecided;
  if (!finding.is_sound) faults.push_back("no order explains it: " + finding.why);
  return std::move(trial_);
}

/// Once all leases have expired, every waiting result is offered: none is stuck with a runner that is gone (D73).
void Schedule::last_heartbeat() {
  if (!plan_.has_runners) return;
  const Shape now = view_->look(stand_.snapshot(), keys_);
  advance(std::max<std::int64_t>(now.leased_until - stand_.clock().now().ms, 0) + 1);
  Op op;
  op.deed = Deed::heartbeat;
  invoke(op);
  settle();
}

/// Converts the offer to the model's form; a result that does not exist must not be offered.
void Schedule::name_offer(Op& op) {
  std::set<Name> offered;
  for (const Id& id : op.offered) {
    const auto name = view_->name_of(id);
    if (!name || !offered.insert(*name).second)
      trial_.faults.emplace_back("a runner is offered what there is not, or one thing twice");
  }
  op.reply.detail = offer_detail(offered);
}

/// Checks verdicts and failures against the answers of agents and models.
void Schedule::check_ends() {
  const store::Snapshot snapshot = stand_.snapshot();
  const Models& models = stand_.models();
  auto& faults = trial_.faults;
  if (!view_->run_has_followed(snapshot))
    faults.emplace_back("the run's own record never followed its results (D44)");
  for (auto& fault : wrong_verdicts(snapshot, *view_, plan_, models)) faults.push_back(std::move(fault));
  for (auto& fault : wrong_faults(snapshot, *view_, stand_.agents(), models, facts_))
    faults.push_back(std::move(fault));
  for (auto& fault : asked_twice(*view_, models)) faults.push_back(std::move(fault));
}

/// Reads the first verdicts on criteria, which the model cannot know.
void Schedule::learn_judged() {
  if (!plan_.has_rescores) return;
  const store::Snapshot snapshot = stand_.snapshot();
  for (const auto& [name, id] : view_->results()) {
    const auto verdict = snapshot.verdict(id, 0);
    const auto rows = verdict && *verdict ? rows_of(**verdict, name.root) : std::nullopt;
    if (!rows) continue;
    for (const Row& row : *rows) {
      if (row.rule != Rule::greets) facts_.judged[name].push_back(row.ruled);
    }
  }
}

/// The place of a clone in its lineage is known once all clones are; a model's turn is known by the id of its entry.
void Schedule::name_made() {
  for (Op& op : trial_.history.ops) {
    if (op.answers == 0 || op.reply.status != 200) continue;
    const bool is_unnamed = op.deed == Deed::next && op.reply.detail == unnamed_detail;
    if (op.deed == Deed::heartbeat) name_offer(op);
    if (is_unnamed) op.reply.detail = view_->token_of(op.made).value_or(unnamed_detail);
    if (op.deed == Deed::retry || op.deed == Deed::create || op.deed == Deed::preview) {
      const auto name = view_->name_of(op.made);
      if (!name) trial_.faults.push_back("an acknowledged result is gone (I1): #" + std::to_string(op.token));
      if (name && op.deed == Deed::retry) op.reply.detail = name->generation;
    }
  }
}

void Schedule::check_answers() {
  for (const Op& op : trial_.history.ops) {
    const std::string which = std::string(word_of(op.deed)) + "#" + std::to_string(op.token);
    if (op.answers > 1) trial_.faults.push_back("answered twice: " + which);
    if (op.answers == 0 && op.epoch == stand_.epoch()) trial_.faults.push_back("never answered: " + which);
    if (op.reply.status >= 500 && !has_disk_fault_)
      trial_.faults.push_back("refused for no reason: " + which);
    const bool adds = op.deed <= Deed::next && op.reply.status == 200;
    if (!adds || op.made.is_nil()) continue;
    const auto token = view_->token_of(op.made);
    if (!token) trial_.faults.push_back("an acknowledged entry is gone (I1, I30): " + which);
    if (token && op.deed == Deed::next && *token != op.reply.detail) {
      trial_.faults.push_back("message_id names another turn (I30): " + which);
    }
  }
}

}  // namespace parley::sim
