#include "actors/cluster/cluster_actor.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "actors/base/commit_outcome.hpp"

namespace parley::actors {
namespace {

constexpr std::chrono::milliseconds cluster_tick_every{20};
constexpr std::chrono::milliseconds watch_every{500};
constexpr std::int64_t watch_each_ms = 1'000;
/// Less than the time promised to clients, and less than another node waits for a write that it forwarded.
constexpr std::int64_t watched_ms_max = 17'000;
constexpr std::int64_t switch_ms_max = 8'000;
/// A node that was seen longer ago is not asked to lead.
constexpr std::int64_t seen_ms_max = 2'000;
/// A node that lacks more rows than this is not asked to lead: it would replay them while no node leads.
constexpr std::uint64_t lacks_max = 2'000;
constexpr std::size_t peer_answer_bytes_max = std::size_t{64} * 1024 * 1024;

std::optional<std::uint64_t> head_in(const outbound::HttpOutcome& outcome) {
  const auto* answer = std::get_if<outbound::HttpAnswer>(&outcome);
  if (answer == nullptr || answer->status != 200) return std::nullopt;
  std::uint64_t head = 0;
  const char* end = answer->body.data() + answer->body.size();
  const auto read = std::from_chars(answer->body.data(), end, head);
  return read.ec == std::errc() && read.ptr == end ? std::optional(head) : std::nullopt;
}

/// Why the node may not lead; nullopt: it may.
std::optional<std::string> unready(const ClusterMember& member, const NodeView& view) {
  if (member.seen_ms_ago > seen_ms_max)
    return "was not seen for " + std::to_string(member.seen_ms_ago) + " ms";
  // `leader` may be outdated after a recent hand-over; the invitation shows that.
  if (member.state == "joining" || member.state == "left") return "is " + member.state;
  if (member.applied + lacks_max < view.head) return "has not replayed enough of the log yet";
  return std::nullopt;
}

Expected<ClusterMember> heir_of(const NodeView& view, const std::string& address) {
  const ClusterMember* best = nullptr;
  for (const ClusterMember& each : view.members) {
    if (each.node == view.self) continue;
    if (!address.empty() && each.address == address) {
      if (const auto why = unready(each, view))
        return problem(ProblemKind::conflict, "the node at " + address + " " + *why + "; choose another one");
      return each;
    }
    if (address.empty() && !unready(each, view) && (best == nullptr || each.applied > best->applied))
      best = &each;
  }
  if (best != nullptr) return *best;
  if (address.empty()) return problem(ProblemKind::conflict, "no other node is ready to lead");
  return body_fault("/to", "must be the address of a node of this cluster");
}

}  // namespace

ClusterActor::ClusterActor(caf::actor_config& config, ClusterLinks& links)
    : Cluster::base(config), links_(links), reads_(links.when_leaderless), writes_(links.state.figures) {}

ClusterActor::behavior_type ClusterActor::make_behavior() {
  return {
      [this](ReadAsked& asked) {
        reads_.enter(std::move(asked.done), store::boottime_ms());
        go_on();
      },
      [this](WriteAsked& asked) {
        writes_.enter(std::move(asked.request), std::move(asked.done), store::boottime_ms());
        go_on();
      },
      [this](WriteWatched& watched) {
        watched_.push_back(
            {std::move(watched.expire), store::boottime_ms() + watched_ms_max + watched.wait_ms});
        tick_later();
      },
      [this](const HeadHeard& heard) {
        if (!heard.head) links_.node.check();
        reads_.answered(heard.question, heard.head, store::boottime_ms());
        go_on();
      },
      [this](WriteReturned& returned) {
        const auto* answer = std::get_if<outbound::HttpAnswer>(&returned.outcome);
        if (answer == nullptr || answer->status == 503) links_.node.check();
        writes_.returned(returned.number, std::move(returned.outcome), store::boottime_ms());
        go_on();
      },
      [this](SwitchAsked& asked) { begin_switch(asked); },
      [this](const InviteReturned& returned) { invited(returned); },
      [this](NodeMoved) { go_on(); },
      [this](ClusterTick) {
        is_ticking_ = false;
        go_on();
      },
  };
}

void ClusterActor::on_exit() {
  constexpr std::int64_t all_over = std::int64_t{1} << 40;
  const std::int64_t now = store::boottime_ms() + all_over;
  reads_.settle(*links_.state.view(), false, now);
  writes_.settle(false, now);
  if (switching_) switching_->done(stopping());
  switching_.reset();
  watched_.clear();
}

void ClusterActor::go_on() {
  const auto view = links_.state.view();
  const std::int64_t now = store::boottime_ms();
  const bool has_lease = links_.node.lease_left_ms() > 0;
  reads_.settle(*view, has_lease, now);
  writes_.led_by(view->leader, now);
  writes_.settle(view->accepts_writes && has_lease, now);
  const bool has_leader = !view->leader_address.empty() && view->leader != view->self;
  if (has_leader) {
    if (const auto question = reads_.ask(now)) ask_head(*view, *question);
    while (const auto sending = writes_.next(now)) send_write(*view, *sending);
  }
  check_leader_change(*view);
  check_watched(now);
  links_.state.waiting = reads_.size() + (writes_.is_empty() ? 0 : 1) + (switching_ ? 1 : 0);
  const std::uint64_t wanted = reads_.wanted();
  links_.state.wanted = wanted;
  if (wanted > view->applied) links_.node.wake();
  tick_later();
}

void ClusterActor::tick_later() {
  const bool is_waiting = !reads_.is_empty() || !writes_.is_empty() || switching_;
  if (is_ticking_ || (!is_waiting && watched_.empty())) return;
  is_ticking_ = true;
  delayed_send(this, is_waiting ? cluster_tick_every : watch_every, ClusterTick{});
}

void ClusterActor::ask_head(const NodeView& view, std::uint64_t question) {
  outbound::HttpRequest request;
  request.method = "GET";
  const std::string target = links_.base_path + "/cluster/head";
  request.url = view.leader_address + target;
  request.fields = links_.sign("GET", target);
  request.is_trusted = true;
  request.connect_ms = request.first_byte_ms = request.total_ms = read_waits_ms / 2;
  links_.peers.start(std::move(request), {},
                     [me = Cluster{this}, question](const outbound::HttpOutcome& outcome, int) {
                       caf::anon_send(me, HeadHeard{question, head_in(outcome)});
                     });
}

void ClusterActor::send_write(const NodeView& view, const HeldWrites::Sending& sending) {
  outbound::HttpRequest request;
  request.method = sending.request->method;
  request.url = view.leader_address + sending.request->target;
  request.fields = sending.request->fields;
  request.body = sending.request->body;
  request.is_trusted = true;
  request.keeps_fields = true;
  request.body_bytes_max = peer_answer_bytes_max;
  constexpr std::int64_t connect_ms_max = 1'000;
  request.connect_ms = std::min(connect_ms_max, sending.total_ms);
  request.first_byte_ms = request.total_ms = sending.total_ms;
  links_.peers.start(std::move(request), {},
                     [me = Cluster{this}, number = sending.number](outbound::HttpOutcome outcome, int) {
                       caf::anon_send(me, WriteReturned{number, std::move(outcome)});
                     });
}

void ClusterActor::begin_switch(SwitchAsked& asked) {
  const auto view = links_.state.view();
  if (!view->accepts_writes) return asked.done(no_leader());
  if (switching_) return asked.done(problem(ProblemKind::conflict, "another switchover is in progress"));
  const bool is_here = !asked.to.empty() && asked.to == view->leader_address;
  if (is_here) return asked.done(SwitchedOver{view->leader_address, view->term});
  const auto heir = heir_of(*view, asked.to);
  if (!heir.ok()) return asked.done(heir.problem());
  switching_ = Switching{heir->node, heir->address, std::move(asked.done), store::boottime_ms()};
  outbound::HttpRequest request;
  const std::string target = links_.base_path + "/cluster/lead";
  request.url = heir->address + target;
  request.fields = links_.sign("POST", target);
  request.is_trusted = true;
  request.connect_ms = request.first_byte_ms = request.total_ms = 1'000;
  links_.peers.start(std::move(request), {}, [me = Cluster{this}](const outbound::HttpOutcome& outcome, int) {
    const auto* answer = std::get_if<outbound::HttpAnswer>(&outcome);
    caf::anon_send(me, InviteReturned{answer != nullptr && answer->status == 200});
  });
  go_on();
}

void ClusterActor::invited(const InviteReturned& returned) {
  if (!switching_ || switching_->is_handed_over) return;
  if (!returned.is_ready) {
    switching_->done(problem(ProblemKind::conflict, "the node at " + switching_->address +
                                                        " did not accept the lead; choose another one"));
    switching_.reset();
    return go_on();
  }
  switching_->is_handed_over = true;
  links_.node.hand_over();
  go_on();
}

void ClusterActor::check_leader_change(const NodeView& view) {
  if (!switching_ || !switching_->is_handed_over) return;
  const bool is_led_again = !view.leader.is_nil() && !view.accepts_writes;
  if (is_led_again && view.leader == switching_->node) {
    switching_->done(SwitchedOver{switching_->address, view.term});
    return switching_.reset();
  }
  const bool is_late = store::boottime_ms() - switching_->since_ms > switch_ms_max;
  if (is_late) {
    switching_->done(problem(ProblemKind::conflict,
                             "the node at " + switching_->address + " did not take the lead over in time"));
    return switching_.reset();
  }
  links_.node.check();
}

void ClusterActor::check_watched(std::int64_t now_ms) {
  if (now_ms - watched_ms_ < watch_each_ms) return;
  watched_ms_ = now_ms;
  std::erase_if(watched_, [&](const Watched& each) {
    const bool is_late = now_ms > each.until_ms;
    return each.expire(is_late) || is_late;
  });
}

ClusterOfActor::ClusterOfActor(caf::actor_system& system, ClusterLinks& links, bool has_barrier)
    : links_(links), has_barrier_(has_barrier), actor_(system.spawn<ClusterActor>(std::ref(links))) {}

bool ClusterOfActor::reads_here() const {
  return lease_left_ms() > 0;
}

bool ClusterOfActor::writes_here() const {
  return view()->accepts_writes && lease_left_ms() > 0;
}

bool ClusterOfActor::answers_reads() const {
  if (reads_here()) return true;
  const auto now = view();
  if (now->role == NodeRole::joining) return false;
  const bool has_leader = now->role == NodeRole::following && !now->leader_address.empty();
  if (has_leader) return true;
  return ground_without_leader(*now, links_.when_leaderless, store::boottime_ms()).kind !=
         ReadGround::Kind::refused;
}

void ClusterOfActor::before_read(std::function<void(ReadGround)> done) {
  if (!has_barrier_) {
    const auto now = view();
    const bool is_led = now->role == NodeRole::following && !now->leader_address.empty();
    return done(is_led ? ReadGround{}
                       : ground_without_leader(*now, links_.when_leaderless, store::boottime_ms()));
  }
  caf::anon_send(actor_, ReadAsked{std::move(done)});
}

void ClusterOfActor::to_leader(PeerRequest request, std::function<void(PeerOutcome)> done) {
  caf::anon_send(actor_, WriteAsked{std::move(request), std::move(done)});
}

void ClusterOfActor::watch_write(std::int64_t wait_ms, std::function<bool(bool is_late)> expire) {
  caf::anon_send(actor_, WriteWatched{wait_ms, std::move(expire)});
}

void ClusterOfActor::switch_over(std::string to, Completion<SwitchedOver> done) {
  caf::anon_send(actor_, SwitchAsked{std::move(to), std::move(done)});
}

bool ClusterOfActor::invite() {
  const auto now = view();
  const bool is_ready = (now->role == NodeRole::following || now->role == NodeRole::leaderless) &&
                        now->applied + lacks_max >= now->head;
  if (is_ready) links_.node.invite();
  return is_ready;
}

void ClusterOfActor::moved() {
  caf::anon_send(actor_, NodeMoved{});
}

void ClusterOfActor::stop() {
  caf::anon_send_exit(actor_, caf::exit_reason::user_shutdown);
  actor_ = nullptr;
}

}  // namespace parley::actors
