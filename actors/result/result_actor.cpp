#include "actors/result/result_actor.hpp"

#include <spdlog/spdlog.h>

#include "actors/base/actor_failure.hpp"
#include "actors/base/commit_outcome.hpp"
#include "actors/result/crash_counts.hpp"
#include "actors/result/result_changes.hpp"
#include "actors/result/result_moves.hpp"

namespace parley::actors {
namespace {

/// One handler per alternative of a variant; a missing handler does not compile.
template <class... Cases>
struct OneOf : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
OneOf(Cases...) -> OneOf<Cases...>;

/// The actions that it is checked against may have been registered long ago.
bool is_late_action(const PostEntry& post) {
  return post.type == EntryType::action && (post.after || post.before);
}

bool is_attempt(const ResultInput& input) {
  const auto* command = std::get_if<ResultCommand>(&input);
  return command != nullptr && std::holds_alternative<RaiseAttempt>(*command);
}

}  // namespace

ResultActor::ResultActor(caf::actor_config& config, const Id& id, Services& services, Peers peers)
    : ResultHandle::base(config), services_(services), peers_(std::move(peers)), id_(id), queue_(*this) {}

ResultActor::behavior_type ResultActor::make_behavior() {
  set_exception_handler(ends_record("result", id_, [this] { break_off(); }));
  return {
      [this](ResultRequest& request) {
        ++seen_;
        queue_.take(std::move(request.command), std::move(request.done), std::move(request.origin));
      },
      [this](Scored& event) {
        ++seen_;
        queue_.take(std::move(event));
      },
      [this](Drive) {
        ++seen_;
        if (!driving_.has_slot) driving_.since = clock().now();
        driving_.has_slot = true;
        queue_.take(Reevaluate{});
      },
      [this](CallEnded& message) { end_call(message); },
      [this](Continue) { carry_on(); },
      [this](RetryQuestion) {
        driving_.retry_is_pending = false;
        carry_on();
      },
      [this](Reload) {
        ++seen_;
        is_outdated_ = true;
        if (is_driven()) queue_.take(Reevaluate{});
      },
      [this](StartTimedOut& event) {
        ++seen_;
        queue_.take(std::move(event));
      },
      [this](RetryCommit) { queue_.wake(); },
      [this](OfferPassivation) {
        if (queue_.is_idle() && !is_driven()) send(peers_.directory, PassivationOffer{id_, seen_});
      },
      [this](Stop) {
        queue_.fail(stopping());
        quit();
      },
  };
}

void ResultActor::on_exit() {
  peers_ = {};
}

bool ResultActor::reads_store(const ResultInput& input) const {
  const auto* command = std::get_if<ResultCommand>(&input);
  if (command == nullptr)
    return std::holds_alternative<Reevaluate>(input) || std::holds_alternative<ModelAnswered>(input) ||
           std::holds_alternative<AgentAnswered>(input);
  if (const auto* post = std::get_if<PostEntry>(command)) return is_late_action(*post);
  return !std::holds_alternative<Finish>(*command);
}

Expected<bool> ResultActor::has_kept(const std::string& key) const {
  TRY(found, services_.store.snapshot().remembered(key));
  return found.has_value();
}

Expected<Decided<ResultReply>> ResultActor::decide(const ResultInput& input, store::ChangeSet& changes) {
  const auto mark = store::mark(services_.marks, id_);
  TRY(decision, decide_input(input, changes));
  add_conversation(changes, decision, *state_, durable_);
  saves_head_ = saves_head_ || decision.saves_head;
  effects_.insert(effects_.end(), decision.effects.begin(), decision.effects.end());
  // A retry also writes other records, so a conflict on them must not make other commands be decided again.
  return Decided<ResultReply>{.reply = std::move(decision.reply),
                              .saves = decision.saves(),
                              .stands_alone = decision.clone.has_value()};
}

Expected<ResultDecision> ResultActor::decide_input(const ResultInput& input, store::ChangeSet& changes) {
  // Changes that are decided but not yet durable are in memory only, so a reload waits for the batch.
  if (!queue_.has_undurable()) {
    const bool needs_conversation = !is_attempt(input);
    const auto loaded = needs_conversation ? ensure_loaded() : ensure_head_loaded();
    if (!loaded) {
      give_up(loaded.problem());
      return loaded.problem();
    }
  }
  const DecisionContext moment{services_.clock.now(), services_.ids};
  if (!std::holds_alternative<ResultCommand>(input)) return decide_event(input, moment);
  return decide_command(std::get<ResultCommand>(input), moment, changes);
}

Expected<ResultDecision> ResultActor::decide_command(const ResultCommand& command,
                                                     const DecisionContext& moment,
                                                     store::ChangeSet& changes) {
  using Decision = Expected<ResultDecision>;
  // Only some commands read more than the state in memory.
  const auto snapshot = [this] { return services_.store.snapshot(); };
  const OneOf decide{
      [&](const PostEntry& post) -> Decision {
        if (!is_late_action(post)) return on(*state_, post, moment);
        TRY(registered, load_registry(snapshot(), *state_, post));
        return on(*state_, post, moment, registered);
      },
      [&](const Finish& finish) -> Decision { return on(*state_, finish, moment); },
      [&](const Retry&) -> Decision { return decide_retry(snapshot(), moment, changes); },
      [&](const NextMessage&) -> Decision { return decide_next_message(snapshot(), moment); },
      [&](const PatchEntry& patch) -> Decision {
        TRY(stored, load_entry(snapshot(), *state_, patch.entry));
        return on(*state_, patch, stored, moment);
      },
      [&](const PatchResult& patch) -> Decision {
        TRY(extras, load_extras(snapshot(), state_->head));
        return on(*state_, patch, extras, moment);
      },
      [&](const Rescore& again) -> Decision { return decide_rescore(snapshot(), again, moment); },
      [&](const RaiseAttempt& next) -> Decision {
        is_passing_ = true;
        return on(*state_, next, progress_of(snapshot(), state_->head).entries, moment);
      },
      [&](const MarkWorkflow& mark) -> Decision { return on(*state_, mark, moment); },
      [&](const SaveReview& reviewed) -> Decision {
        TRY(review, snapshot().part<StoredReview>(state_->head));
        return on(*state_, reviewed, review, moment);
      },
      [&](const SaveClaims& traced) -> Decision {
        TRY(claims, snapshot().part<StoredClaims>(state_->head));
        return on(*state_, traced, claims, moment);
      },
  };
  return std::visit(decide, command);
}

Expected<ResultDecision> ResultActor::decide_rescore(const store::Snapshot& snapshot, const Rescore& again,
                                                     const DecisionContext& moment) {
  is_passing_ = true;
  TRY(verdict, load_verdict(snapshot, state_->head));
  TRY(review, snapshot.part<StoredReview>(state_->head));
  return on(*state_, again, verdict, review, moment);
}

Expected<ResultDecision> ResultActor::decide_event(const ResultInput& input, const DecisionContext& moment) {
  auto decision = decide_input(input, moment);
  const bool is_answer = !std::holds_alternative<Reevaluate>(input) &&
                         !std::holds_alternative<StartTimedOut>(input) &&
                         !std::holds_alternative<RanTooLong>(input);
  if (is_answer && decision && !decision->saves()) ++peers_.figures->late_dropped;
  return decision;
}

ResultDecision ResultActor::begin(const DecisionContext& moment) {
  ResultDecision decision;
  moves::start(*state_, decision);
  if (decision.saves_head) moves::touch(*state_, moment.now);
  return decision;
}

Expected<ResultDecision> ResultActor::decide_start(const DecisionContext& moment) {
  const bool is_new = state_->head.status == ResultStatus::pending && driving_.has_slot;
  if (!is_new || !std::holds_alternative<OwesTester>(wanted())) return ResultDecision{};
  // A script's turn is known and is committed with the start; a model is asked once the start is durable.
  if (const auto spoke = script_after({})) {
    return on(*state_, *spoke, moment);
  }
  return begin(moment);
}

Expected<ResultDecision> ResultActor::decide_input(const ResultInput& input, const DecisionContext& moment) {
  if (const auto* scored = std::get_if<Scored>(&input)) return on(*state_, *scored, moment);
  if (const auto* spoke = std::get_if<TesterSpoke>(&input)) return on(*state_, *spoke, moment);
  if (const auto* failed = std::get_if<TesterFailed>(&input)) return on(*state_, *failed, moment);
  if (const auto* answered = std::get_if<AgentAnswered>(&input))
    return decide_agent_answer(*answered, moment);
  if (const auto* model = std::get_if<ModelAnswered>(&input)) return decide_model_answer(*model, moment);
  if (const auto* late = std::get_if<StartTimedOut>(&input)) return on(*state_, *late, moment);
  if (const auto* end = std::get_if<RanTooLong>(&input)) return on(*state_, *end, moment);
  return decide_start(moment);
}

Expected<ResultDecision> ResultActor::decide_next_message(const store::Snapshot& snapshot,
                                                          const DecisionContext& moment) {
  ResultDecision decision = on(*state_, NextMessage{}, moment);
  if (decision.reply) return decision;
  if (const auto* repeat = std::get_if<RepeatTurn>(&decision.effects.front())) {
    TRY(entry, load_entry(snapshot, state_->head, repeat->ordinal));
    ResultReply reply;
    reply.head = state_->head;
    reply.turn = reply_of(entry);
    ResultDecision repeated;
    repeated.reply = std::move(reply);
    return repeated;
  }
  TRY(step, ask_tester(snapshot));
  if (const auto* spoke = std::get_if<TesterSpoke>(&step)) return on(*state_, *spoke, moment);
  if (const auto* failed = std::get_if<TesterFailed>(&step)) return on(*state_, *failed, moment);
  // A model writes the turn, which is not ready yet; one call serves all clients that ask (D47).
  driving_.awaits_turn = true;
  ResultDecision later = begin(moment);
  ResultReply reply = moves::view(*state_);
  reply.turn = TesterReply{};
  reply.turn->ready = false;
  later.reply = std::move(reply);
  return later;
}

Expected<ResultDecision> ResultActor::decide_retry(const store::Snapshot& snapshot,
                                                   const DecisionContext& moment, store::ChangeSet& changes) {
  TRY(loaded, load_retry(snapshot, *state_, services_.settings.stuck_after_ms));
  loaded.facts.has_driver = is_driven();
  const bool waits = state_->head.status == ResultStatus::pending;
  ResultDecision decision = on(*state_, Retry{}, loaded.facts, moment);
  if (decision.clone) {
    add_clone(changes, *decision.clone, loaded.test_case, loaded.extras, loaded.lineage_revision,
              services_.ids);
    ResultReply& reply = decision.reply->value();
    reply.entries = static_cast<std::uint32_t>(loaded.test_case.history.size());
  }
  // A runner that receives it in the meantime would hold a canceled result (D50: a leased one is not stuck).
  if (decision.clone && waits) store::guard_leases(changes, state_->head.agent.id, loaded.leases);
  return decision;
}

Expected<Done> ResultActor::ensure_loaded() {
  if (state_ && !is_outdated_) return Done{};
  is_outdated_ = false;
  TRY(loaded, load_result(services_.store.snapshot(), id_));
  state_ = std::move(loaded);
  durable_ = state_->head;
  return Done{};
}

/// A damaged conversation must not prevent its claim from being counted, or its run would never end (I10).
/// Then only the head is used for the decision, and the next command loads again.
Expected<Done> ResultActor::ensure_head_loaded() {
  if (auto loaded = guarded<Done>([&] { return ensure_loaded(); })) return loaded;
  const store::Snapshot snapshot = services_.store.snapshot();
  TRY(head, snapshot.find<ResultHead>(id_));
  if (!head) return unknown_result(id_);
  state_.emplace();
  state_->head = std::move(*head);
  state_->touched =
      std::max(state_->head.stamp.updated_at, progress_of(snapshot, state_->head).newest_change);
  durable_ = state_->head;
  is_outdated_ = true;
  return Done{};
}

Expected<bool> ResultActor::is_current() const {
  if (!state_) return true;  // nothing was decided on it
  return is_stored(services_.store.snapshot(), durable_);
}

void ResultActor::seal(store::ChangeSet& changes) {
  // A command that only stores the key of a request answers from this state, so the state must still match
  // the disk (a cancel-run bypasses this actor).
  if (!saves_head_) return changes.guard_revision(durable_);
  state_->head.stamp.updated_at = state_->touched;
  if (state_->next_ordinal > 0) state_->head.entries = state_->next_ordinal;
  state_->head.stamp.revision = changes.replace(durable_, state_->head);
}

void ResultActor::commit(store::ChangeSet changes) {
  request(peers_.writer, caf::infinite, Commit{std::move(changes)})
      .then(
          [this](store::Outcome& outcome) {
            queue_.on_outcome(outcome);
            leave_early();
          },
          [this](const caf::error&) { queue_.fail(stopping()); });
}

/// Rescoring a run and recovering claims load many results once; without this they would all stay for
/// --rest-after.
void ResultActor::leave_early() {
  if (!is_passing_ || !queue_.is_idle() || is_driven()) return;
  is_passing_ = false;
  send(peers_.directory, PassivationOffer{id_, seen_});
}

void ResultActor::saved(store::Outcome&) {
  if (saves_head_) durable_ = state_->head;
  saves_head_ = false;
  // The client gets its turn, even if its own reply to that turn became durable in the same commit. The next
  // turn is written on request, because more entries may belong to the reply (D47).
  if (std::exchange(driving_.has_turn, false)) driving_.awaits_turn = false;
  perform(std::exchange(effects_, {}));
  if (is_driven() || (state_ && service_calls_agent(state_->head))) send(this, Continue{});
}

void ResultActor::forget() {
  state_.reset();
  effects_.clear();
  saves_head_ = false;
  driving_.has_turn = false;
  if (is_driven()) send(this, Continue{});
}

void ResultActor::wake_later() {
  delayed_send(this, retry_commit_after, RetryCommit{});
}

std::string ResultActor::whose() const {
  return "result " + to_text(id_);
}

/// A verdict, or the report that no workflow started the result, may have been in flight to this actor, and
/// so may the end of a commit whose effects are now lost. Everything owed to other actors is sent again after
/// the commit: the claim is scored with a raised attempt as after a crash (I10), the wait for the workflow
/// restarts, and the run reads its counters.
void ResultActor::ask_again() {
  const auto later = [](const auto& peer, auto message) {
    caf::delayed_anon_send(peer, retry_commit_after, std::move(message));
  };
  const auto asked = guarded<Done>([&]() -> Expected<Done> {
    bool has_started = false;
    for (const ResultEffect& effect : effects_) {
      if (const auto* news = std::get_if<NotifyRun>(&effect)) has_started = has_started || news->has_started;
      if (const auto* made = std::get_if<DriveClone>(&effect))
        later(peers_.dispatcher, DriveThese{made->run, {made->result}, made->by_workflow});
    }
    TRY(head, services_.store.snapshot().find<ResultHead>(id_));
    if (!head) return Done{};
    const auto run = head->run ? std::optional<Id>(head->run->id) : std::nullopt;
    if (run) later(peers_.directory, ResultsChanged{*run, has_started});
    if (head->status == ResultStatus::pending && head->awaits_workflow)
      later(peers_.dispatcher, DriveThese{run, {id_}, true});
    if (state_) head = state_->head;  // if the claim is never saved, the scoring job is dropped
    if (head->status == ResultStatus::running && head->is_claimed())
      later(peers_.scoring.of(id_), ScoreJob{id_, head->attempt, true});
    return Done{};
  });
  if (!asked) spdlog::error("result waits for the next start result={}", to_text(id_));
}

void ResultActor::perform(const std::vector<ResultEffect>& effects) {
  std::optional<NotifyRun> news;
  for (const ResultEffect& effect : effects) {
    if (const auto* run = std::get_if<NotifyRun>(&effect)) {
      news = NotifyRun{run->has_started || (news && news->has_started)};
    } else if (const auto* job = std::get_if<DispatchScoring>(&effect)) {
      send(peers_.scoring.of(id_), ScoreJob{id_, job->attempt});
    } else if (const auto* other = std::get_if<NotifyResult>(&effect)) {
      send(peers_.directory, ReloadResults{{other->result}});
    } else if (const auto* made = std::get_if<DriveClone>(&effect)) {
      send(peers_.dispatcher, DriveThese{made->run, {made->result}, made->by_workflow});
    }
  }
  if (news) send(peers_.directory, ResultsChanged{durable_.run->id, news->has_started});
}

}  // namespace parley::actors
