#include "actors/cluster/node_thread.hpp"

#include <poll.h>
#include <pthread.h>
#include <spdlog/spdlog.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

namespace parley::actors {
namespace {

constexpr std::int64_t announce_every_ms = 250;
/// The minimum time between two extra questions to the log.
constexpr std::int64_t check_gap_ms = 30;
/// The time between two checks of the rows: while rows arrive, while a client waits, and otherwise.
constexpr std::int64_t busy_ms = 5;
constexpr std::int64_t idle_ms = 50;
constexpr std::int64_t busy_for_ms = 200;
constexpr std::int64_t leading_ms = 100;
constexpr std::int64_t log_away_ms = 200;
constexpr std::size_t tail_bytes = std::size_t{4} * 1024 * 1024;

std::size_t bytes_of(const std::vector<store::LogRow>& rows) {
  std::size_t bytes = 0;
  for (const store::LogRow& row : rows) bytes += row.body.size();
  return bytes;
}

}  // namespace

NodeThread::NodeThread(store::Store& store, std::unique_ptr<store::ChangeLog> log, NodeIdentity self,
                       LeaseRules rules, NodeState& state, NodeDuties duties)
    : store_(store),
      log_(std::move(log)),
      self_(std::move(self)),
      rules_(rules),
      shared_(state),
      duties_(std::move(duties)),
      wakeup_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (wakeup_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  state_.applied = store_.committer().position().seq;
  view_.self = self_.node;
  publish();
}

NodeThread::~NodeThread() {
  stop();
  ::close(wakeup_);
}

void NodeThread::start() {
  thread_ = std::thread([this] { run(); });
  pthread_setname_np(thread_.native_handle(), "node");
}

void NodeThread::invite() {
  is_invited_ = true;
  wake();
}

void NodeThread::hand_over() {
  is_to_hand_over_ = true;
  wake();
}

void NodeThread::check() {
  must_check_ = true;
  wake();
}

void NodeThread::wake() {
  const std::uint64_t one = 1;
  if (::write(wakeup_, &one, sizeof one) < 0) return;  // full: the thread is awake
}

std::int64_t NodeThread::lease_left_ms() const {
  const std::int64_t renewed = confirmed_ms_.load();
  if (renewed == 0) return 0;
  const std::int64_t confirmed = std::max(renewed, store_.committer().log_state().confirmed_boottime_ms);
  return std::max<std::int64_t>(confirmed + rules_.works_for_ms() - store::boottime_ms(), 0);
}

void NodeThread::stop() {
  if (!thread_.joinable()) return;
  is_stopping_ = true;
  wake();
  thread_.join();
}

void NodeThread::run() {
  while (!is_stopping_ && !has_ended_) {
    note_committer();
    note_started();
    if (is_invited_.exchange(false)) feed(leadership::Invited{});
    if (is_to_hand_over_.exchange(false)) feed(leadership::HandOver{});
    const std::int64_t since = store::boottime_ms() - announced_ms_;
    const bool must_announce = must_check_ && since >= check_gap_ms;
    if (must_announce) must_check_ = false;
    if (must_announce || since >= announce_every_ms) announce();
    const bool has_more = !state_.leads() && replay_next();
    feed(leadership::Tick{});
    publish();
    if (!has_more && !has_ended_) pause(shared_.wanted > state_.applied);
  }
  leave();
}

void NodeThread::pause(bool is_busy) {
  const std::int64_t now = store::boottime_ms();
  const bool is_moving =
      now - moved_ms_ < busy_for_ms || state_.is_taking_over || now < state_.invited_until_ms;
  const std::int64_t wait = is_busy ? 1 : is_moving ? busy_ms : state_.leads() ? leading_ms : idle_ms;
  pollfd waits{wakeup_, POLLIN, 0};
  if (::poll(&waits, 1, static_cast<int>(wait)) <= 0) return;
  std::uint64_t ignored = 0;
  if (::read(wakeup_, &ignored, sizeof ignored) < 0) return;  // another wake-up was read before
}

void NodeThread::feed(const leadership::Event& event) {
  LeadershipStep step = on(state_, event, self_.node, rules_, store::boottime_ms());
  state_ = step.state;
  for (const LeadershipEffect effect : step.effects) carry_out(effect);
}

void NodeThread::carry_out(LeadershipEffect effect) {
  switch (effect) {
    case LeadershipEffect::ask_lead: return ask_lead();
    case LeadershipEffect::renew: return renew();
    case LeadershipEffect::begin_leading: return begin_leading();
    case LeadershipEffect::stop_work:
      shared_.may_work = false;
      spdlog::warn("the lease is not confirmed: no agent is called");
      return;
    case LeadershipEffect::resume_work:
      shared_.may_work = true;
      spdlog::info("the lease is confirmed again");
      return;
    case LeadershipEffect::end_leading: return end_leading();
    case LeadershipEffect::step_down:
      if (const auto done = log_->step_down(); !done.ok())
        spdlog::warn("the lease could not be ended reason=\"{}\"", done.problem().detail);
      return;
  }
}

/// Feeds the machine what the writer's appends showed about the lead.
void NodeThread::note_committer() {
  if (started_term_ == 0) return;
  const store::LogState said = store_.committer().log_state();
  if (said.is_fenced) return feed(leadership::Fenced{});
  if (said.confirmed_boottime_ms > state_.confirmed_ms || said.term > state_.term)
    feed(leadership::Renewed{said.confirmed_boottime_ms, said.term});
  if (said.is_in_doubt) feed(leadership::AppendInDoubt{});
}

void NodeThread::announce() {
  announced_ms_ = store::boottime_ms();
  store::NodeRow mine;
  mine.node = self_.node;
  mine.address = self_.address;
  mine.version = self_.version;
  mine.state = state_word();
  mine.applied = store_.committer().position().seq;
  const auto heard = log_->announce(mine);
  if (!heard.ok()) {
    note_refusal(heard.problem());
    return feed(leadership::LogSilent{});
  }
  view_.head = std::max(heard->head.seq, mine.applied);
  view_.term = heard->term;
  view_.log_bytes = heard->bytes;
  view_.leader = heard->lease_left_ms > 0 ? heard->leader : Id{};
  view_.leader_address.clear();
  view_.members.clear();
  for (const store::NodeRow& row : heard->nodes) {
    if (!view_.leader.is_nil() && row.node == view_.leader) view_.leader_address = row.address;
    view_.members.push_back({row.node, row.address, row.state, row.applied, row.seen_ms_ago});
  }
  feed(leadership::ViewHeard{heard->head.seq, heard->term, heard->leader, heard->lease_left_ms});
}

/// Logs once why the log permanently refuses this node; another node may have taken its address.
void NodeThread::note_refusal(const Problem& problem) {
  if (problem.kind != ProblemKind::store_refuses || problem.detail == refusal_) return;
  refusal_ = problem.detail;
  spdlog::error("the log refuses this node reason=\"{}\"", refusal_);
}

void NodeThread::ask_lead() {
  const std::int64_t sent = store::boottime_ms();
  const bool is_own = view_.leader == self_.node;
  const auto won = log_->lead(is_own ? std::optional(view_.term) : std::nullopt);
  if (!won.ok()) return feed(leadership::LogSilent{});
  if (!won->has_value()) return feed(leadership::LeadLost{});
  won_ = **won;
  feed(leadership::LeadWon{sent, won_->term, won_->head.seq});
}

void NodeThread::renew() {
  if (started_term_ != 0) log_->use_term(std::max(state_.term, store_.committer().log_state().term));
  const std::int64_t sent = store::boottime_ms();
  const auto done = log_->renew();
  if (!done.ok()) return;
  if (*done) return feed(leadership::Renewed{sent, state_.term});
  // The writer, which may be resolving an append in doubt, raises the term of this node.
  if (started_term_ != 0 && store_.committer().log_state().is_in_doubt) return;
  if (started_term_ != 0 && store_.committer().log_state().term > state_.term) return;
  feed(leadership::Fenced{});
}

void NodeThread::begin_leading() {
  spdlog::info("leads term={} head={}", state_.term, state_.target);
  started_term_ = state_.term;
  confirmed_ms_ = state_.confirmed_ms;
  won_->term = state_.term;
  store_.committer().start_leading(*won_);
  shared_.may_work = true;
  beginning_ = std::async(std::launch::async, duties_.begin_leading);
}

/// Accepts writes once the leading parts run.
void NodeThread::note_started() {
  if (!beginning_.valid() || beginning_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return;
  const Expected<Done> started = beginning_.get();
  if (started.ok()) {
    view_.accepts_writes = true;
    return;
  }
  spdlog::error("cannot lead reason=\"{}\"", started.problem().detail);
  feed(leadership::HandOver{});
}

void NodeThread::end_leading() {
  spdlog::warn("no longer leads term={}", started_term_);
  ++shared_.figures.fenced;
  confirmed_ms_ = 0;
  shared_.may_work = false;
  view_.accepts_writes = false;
  publish();
  store_.committer().stop_leading();
  log_->use_term(store_.committer().log_state().term);  // an append in doubt may have raised it
  if (beginning_.valid()) static_cast<void>(beginning_.get());
  duties_.end_leading();
  started_term_ = 0;
}

bool NodeThread::replay_next() {
  const auto place = store_.committer().place();
  const std::int64_t sent = store::boottime_ms();
  auto tail = log_->read(place.at, place.before, tail_bytes);
  if (!tail.ok()) {
    feed(leadership::LogSilent{});
    return false;
  }
  if (tail->kind != store::LogTail::Kind::rows) {
    ++shared_.figures.diverged;
    end(NodeEnd::Kind::rebase, "the log does not continue this node's copy");
    return false;
  }
  const bool is_all = bytes_of(tail->rows) < tail_bytes / 2;
  if (!tail->rows.empty()) {
    auto replayed = store_.committer().replay(tail->rows);
    if (!replayed.ok()) {
      const bool is_refused = replayed.problem().kind == ProblemKind::store_refuses;
      if (!is_refused) ++shared_.figures.diverged;
      end(is_refused ? NodeEnd::Kind::broken : NodeEnd::Kind::rebase, replayed.problem().detail);
      return false;
    }
    moved_ms_ = store::boottime_ms();
    duties_.replayed(*replayed);
  }
  if (is_all) view_.complete_ms = sent;
  feed(leadership::Applied{store_.committer().position().seq});
  return !is_all;
}

void NodeThread::end(NodeEnd::Kind kind, std::string why) {
  has_ended_ = true;
  duties_.ended({kind, std::move(why)});
}

std::string NodeThread::state_word() const {
  if (is_stopping_ || has_ended_) return "left";
  if (state_.leads()) return "leader";
  return state_.role == NodeRole::joining ? "joining" : "follower";
}

void NodeThread::publish() {
  const std::int64_t now = store::boottime_ms();
  NodeView next = view_;
  next.role = state_.role;
  next.applied = store_.committer().position().seq;
  next.head = std::max(next.head, next.applied);
  if (state_.leads()) {
    confirmed_ms_ = state_.confirmed_ms;
    next.term = state_.term;
    next.leader = self_.node;
    next.leader_address = self_.address;
    next.complete_ms = std::max(next.complete_ms, state_.confirmed_ms);
    view_.complete_ms = next.complete_ms;
  } else if (next.leader == self_.node) {
    next.leader = {};
    next.leader_address.clear();
  }
  const bool is_behind = !state_.leads() && next.applied < next.head;
  next.lag_ms = is_behind && next.complete_ms > 0 ? now - next.complete_ms : 0;
  const auto before = shared_.view();
  const bool has_moved = before->applied != next.applied || before->role != next.role ||
                         before->accepts_writes != next.accepts_writes || before->leader != next.leader;
  shared_.publish(std::move(next));
  if (has_moved && shared_.waiting > 0) duties_.moved();
}

/// Leaves cleanly: another node need not wait for the lease, and the address is free.
void NodeThread::leave() {
  feed(leadership::HandOver{});
  announce();
  publish();
}

}  // namespace parley::actors
