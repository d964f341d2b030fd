#include "actors/cluster/leadership_machine.hpp"

#include <algorithm>

namespace parley::actors {
namespace {

using Effect = LeadershipEffect;

/// Decides one event.
class Turn {
 public:
  Turn(LeadershipState state, const Id& self, const LeaseRules& rules, std::int64_t now_ms)
      : step_{state, {}}, self_(self), rules_(rules), now_(now_ms) {}

  void operator()(const leadership::Tick&) {
    if (state().leads()) return check_lease();
    if (state().is_taking_over) return keep_taking_over();
    if (is_invited()) ask_lead();
  }

  void operator()(const leadership::ViewHeard& view) {
    state().heard_ms = now_;
    const bool is_mine = view.leader == self_ && view.term == state().term;
    if (state().leads() || state().is_taking_over) {
      // A newer term of this node comes from an append in doubt, which the writer reports.
      if (view.term > state().term && view.leader != self_) fence();
      if (is_mine) state().leads() ? check_lease() : keep_taking_over();
      return;
    }
    if (!state().joins_at) state().joins_at = view.head;
    if (state().role == NodeRole::joining && state().applied < *state().joins_at) return;
    const bool has_caught_up = state().applied >= view.head;
    const bool has_leader = view.lease_left_ms > 0 && view.leader != self_;
    state().role = has_leader ? NodeRole::following : NodeRole::leaderless;
    if (has_leader || !has_caught_up) return;
    // A lease of this node belongs to its previous process: no other node has led since.
    const bool is_own = view.leader == self_ && view.term > 0;
    if (is_own || view.lease_left_ms <= -rules_.grace_ms) ask_lead();
  }

  void operator()(const leadership::LogSilent&) {
    if (state().leads()) return check_lease();
    if (state().is_taking_over) return keep_taking_over();
    const bool was_long = now_ - state().heard_ms > rules_.lease_ms;
    if (state().role == NodeRole::following && was_long) state().role = NodeRole::leaderless;
  }

  void operator()(const leadership::Applied& applied) {
    state().applied = applied.seq;
    if (state().is_taking_over) keep_taking_over();
  }

  void operator()(const leadership::LeadWon& won) {
    if (state().leads()) return confirm(won.sent_ms, won.term);
    // A late answer: this node has led and left since it asked, and another node may lead.
    if (won.sent_ms <= state().left_ms) return;
    state().is_taking_over = true;
    state().term = won.term;
    state().target = won.head;
    state().confirmed_ms = won.sent_ms;
    state().invited_until_ms = 0;
    keep_taking_over();
  }

  void operator()(const leadership::LeadLost&) {
    if (state().leads()) return fence();
    state().lead_after_ms = is_invited() ? now_ : now_ + rules_.lead_again_ms;
  }

  void operator()(const leadership::Renewed& renewed) {
    if (state().leads() || state().is_taking_over) confirm(renewed.sent_ms, renewed.term);
  }

  void operator()(const leadership::Fenced&) {
    if (state().leads() || state().is_taking_over) fence();
  }

  void operator()(const leadership::AppendInDoubt&) {
    if (state().leads()) check_lease();
  }

  void operator()(const leadership::Rebased& rebased) {
    if (state().leads() || state().is_taking_over) fence();
    state().role = NodeRole::joining;
    state().joins_at.reset();
    state().applied = rebased.seq;
  }

  void operator()(const leadership::Invited&) {
    if (state().leads()) return;
    state().invited_until_ms = now_ + rules_.invited_ms;
    state().rests_until_ms = 0;
    state().lead_after_ms = now_;
    if (!state().is_taking_over) ask_lead();
  }

  void operator()(const leadership::HandOver&) {
    if (!state().leads() && !state().is_taking_over) return;
    fence();
    state().rests_until_ms = now_ + rules_.rest_ms;
    emit(Effect::step_down);
  }

  [[nodiscard]] LeadershipStep take() { return std::move(step_); }

 private:
  LeadershipState& state() { return step_.state; }
  void emit(Effect effect) { step_.effects.push_back(effect); }
  [[nodiscard]] bool is_invited() { return now_ < state().invited_until_ms; }

  void ask_lead() {
    if (now_ < state().lead_after_ms || now_ < state().rests_until_ms) return;
    state().lead_after_ms = now_ + (is_invited() ? 0 : rules_.lead_again_ms);
    emit(Effect::ask_lead);
  }

  void confirm(std::int64_t sent_ms, std::uint64_t term) {
    state().term = std::max(state().term, term);
    state().confirmed_ms = std::max(state().confirmed_ms, sent_ms);
    state().heard_ms = now_;
    if (state().leads()) check_lease();
  }

  /// A leader renews in time, stops work shortly before its lease ends, and resumes once the log has
  /// confirmed the lease.
  void check_lease() {
    const std::int64_t age = now_ - state().confirmed_ms;
    if (age >= rules_.renew_after_ms()) emit(Effect::renew);
    const bool is_leased = has_lease(state(), rules_, now_);
    if (state().may_work != is_leased) emit(is_leased ? Effect::resume_work : Effect::stop_work);
    state().may_work = is_leased;
    state().role = is_leased ? NodeRole::leading : NodeRole::in_doubt;
  }

  /// The copy must contain everything in the log before this node leads.
  void keep_taking_over() {
    const std::int64_t age = now_ - state().confirmed_ms;
    const bool is_complete = state().applied >= state().target;
    if (is_complete && age < rules_.works_for_ms()) {
      state().is_taking_over = false;
      state().role = NodeRole::leading;
      state().may_work = true;
      return emit(Effect::begin_leading);
    }
    // After a long replay without a lease, another node may lead by now; the renewal shows that.
    if (age >= rules_.renew_after_ms()) emit(Effect::renew);
  }

  void fence() {
    if (state().leads()) {
      if (state().may_work) emit(Effect::stop_work);
      emit(Effect::end_leading);
    }
    state().role = NodeRole::following;
    state().is_taking_over = false;
    state().may_work = false;
    state().term = 0;
    state().invited_until_ms = 0;
    state().lead_after_ms = now_ + rules_.lead_again_ms;
    state().left_ms = now_;
  }

  LeadershipStep step_;
  const Id& self_;
  const LeaseRules& rules_;
  std::int64_t now_;
};

}  // namespace

LeadershipStep on(LeadershipState state, const leadership::Event& event, const Id& self,
                  const LeaseRules& rules, std::int64_t now_ms) {
  Turn turn(state, self, rules, now_ms);
  std::visit(turn, event);
  return turn.take();
}

bool has_lease(const LeadershipState& state, const LeaseRules& rules, std::int64_t now_ms) {
  return state.leads() && now_ms - state.confirmed_ms < rules.works_for_ms();
}

}  // namespace parley::actors
