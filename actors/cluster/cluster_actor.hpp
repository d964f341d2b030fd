#pragma once
/// ClusterActor: reads that wait for the leader's answer, writes in transit to the leader, and switchovers of
/// one node. One event-based actor on the pool; read_barrier and held_writes make its decisions.
///
///   GET  LEADER/cluster/head    200 with the leader's position as digits; 503 while its lease is not confirmed
///   POST NODE/cluster/lead      200: that node takes the lead; 409: it is not ready
///   POST LEADER/cluster/use/KEY/SESSION   records that a follower's client used the key; 503 elsewhere
///
/// They are signed, as forwarded writes are (http/cluster/node_signature.hpp), and not part of the API for
/// clients.

#include <caf/all.hpp>
#include <deque>

#include "actors/cluster/held_writes.hpp"
#include "actors/cluster/node_thread.hpp"
#include "actors/cluster/read_barrier.hpp"
#include "actors/services.hpp"

namespace parley::actors {

struct ReadAsked {
  std::function<void(ReadGround)> done;
};
struct WriteAsked {
  PeerRequest request;
  std::function<void(PeerOutcome)> done;
};
struct WriteWatched {
  std::int64_t wait_ms = 0;
  std::function<bool(bool is_late)> expire;
};
/// The leader answered a question, or failed to answer it.
struct HeadHeard {
  std::uint64_t question = 0;
  std::optional<std::uint64_t> head = std::nullopt;
};
struct WriteReturned {
  std::uint64_t number = 0;
  outbound::HttpOutcome outcome;
};
struct SwitchAsked {
  std::string to;
  Completion<SwitchedOver> done;
};
/// The node that should lead answered the invitation.
struct InviteReturned {
  bool is_ready = false;
};
/// The node's view has changed.
struct NodeMoved {};
struct ClusterTick {};

using Cluster =
    caf::typed_actor<caf::reacts_to<ReadAsked>, caf::reacts_to<WriteAsked>, caf::reacts_to<WriteWatched>,
                     caf::reacts_to<HeadHeard>, caf::reacts_to<WriteReturned>, caf::reacts_to<SwitchAsked>,
                     caf::reacts_to<InviteReturned>, caf::reacts_to<NodeMoved>, caf::reacts_to<ClusterTick>>;

/// What a node needs to call the other nodes. Outlives the actor.
struct ClusterLinks {
  NodeThread& node;
  NodeState& state;
  /// Calls to other nodes.
  OutboundPort peers;
  /// Header fields that prove to another node that this node sends the request.
  std::function<outbound::Fields(std::string_view method, std::string_view target)> sign;
  std::string base_path;
  WhenLeaderless when_leaderless = WhenLeaderless::stale;
};

class ClusterActor : public Cluster::base {
 public:
  ClusterActor(caf::actor_config& config, ClusterLinks& links);

  behavior_type make_behavior() override;
  /// Answers all waiting requests.
  void on_exit() override;

 private:
  struct Switching {
    Id node;
    std::string address;
    Completion<SwitchedOver> done;
    std::int64_t since_ms = 0;
    bool is_handed_over = false;
  };
  struct Watched {
    std::function<bool(bool is_late)> expire;
    std::int64_t until_ms = 0;
  };

  void go_on();
  void ask_head(const NodeView& view, std::uint64_t question);
  void send_write(const NodeView& view, const HeldWrites::Sending& sending);
  void begin_switch(SwitchAsked& asked);
  void invited(const InviteReturned& returned);
  void check_leader_change(const NodeView& view);
  void check_watched(std::int64_t now_ms);
  void tick_later();

  ClusterLinks& links_;
  ReadBarrier reads_;
  HeldWrites writes_;
  std::optional<Switching> switching_;
  std::deque<Watched> watched_;
  std::int64_t watched_ms_ = 0;
  bool is_ticking_ = false;
};

/// The product's ClusterGateway.
class ClusterOfActor final : public ClusterGateway {
 public:
  ClusterOfActor(caf::actor_system& system, ClusterLinks& links, bool has_barrier);

  [[nodiscard]] std::shared_ptr<const NodeView> view() const override { return links_.state.view(); }
  [[nodiscard]] const ClusterFigures& figures() const override { return links_.state.figures; }
  void note_barrier(std::uint64_t waited_us) override { links_.state.figures.barrier.add(waited_us); }
  [[nodiscard]] std::uint64_t acknowledged() const override { return links_.node.applied(); }
  [[nodiscard]] std::int64_t lease_left_ms() const override { return links_.node.lease_left_ms(); }
  [[nodiscard]] bool reads_here() const override;
  [[nodiscard]] bool writes_here() const override;
  [[nodiscard]] bool answers_reads() const override;
  void before_read(std::function<void(ReadGround)> done) override;
  void to_leader(PeerRequest request, std::function<void(PeerOutcome)> done) override;
  void watch_write(std::int64_t wait_ms, std::function<bool(bool is_late)> expire) override;
  void switch_over(std::string to, Completion<SwitchedOver> done) override;
  [[nodiscard]] bool invite() override;

  /// The node's view has changed.
  void moved();
  /// Answers all waiting requests and ends the actor. Needs: no call follows.
  void stop();

 private:
  ClusterLinks& links_;
  bool has_barrier_;
  Cluster actor_;
};

}  // namespace parley::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::ReadAsked)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::WriteAsked)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::WriteWatched)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::HeadHeard)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::WriteReturned)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::SwitchAsked)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::InviteReturned)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::NodeMoved)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(parley::actors::ClusterTick)
