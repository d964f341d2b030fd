#pragma once
/// LeadershipMachine: decides whether a node leads its cluster, and the effects of each event. Pure: times
/// are passed in, as milliseconds of a clock that neither steps back nor stops while the machine sleeps
/// (CLOCK_BOOTTIME).
///
///   joining ──caught up──► following ◄──lease of another──► leaderless
///                             │  ▲                              │
///                         lead│  └── fenced, hand-over ──┐      │lead
///                             ▼                          │      ▼
///                          taking over ──replayed──► leading ◄──► in doubt
///
/// The log alone orders writes: an append of an older term fails. The lease only decides which node drives
/// conversations and answers reads without asking, so that two nodes do not call an agent at the same time.
/// Order: effects are carried out in order, and the outcome of each is fed back as an event.

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "model/id.hpp"

namespace parley::actors {

enum class NodeRole : std::uint8_t {
  joining,     ///< has not reached the log's head since the start
  following,   ///< another node leads
  leading,     ///< accepts writes and drives
  in_doubt,    ///< leads, but its lease is unconfirmed: starts nothing, and answers reads as stale
  leaderless,  ///< no node leads, as far as this node knows
};

struct LeaseRules {
  std::int64_t lease_ms = 3'000;  ///< --lease, the same on all nodes
  std::int64_t margin_ms = 500;   ///< a leader starts no work this long before its lease ends
  /// Delay after the end of a lease before a node that was not invited takes over, because an invited node
  /// has precedence.
  std::int64_t grace_ms = 200;
  std::int64_t invited_ms = 4'000;     ///< how long an invitation to lead lasts
  std::int64_t rest_ms = 5'000;        ///< a node that handed over does not take the lead back for this long
  std::int64_t lead_again_ms = 1'000;  ///< minimum time between two attempts to lead that the log refused

  [[nodiscard]] std::int64_t renew_after_ms() const { return lease_ms / 3; }
  /// Time to work after a confirmed renewal.
  [[nodiscard]] std::int64_t works_for_ms() const { return lease_ms - margin_ms; }
};

struct LeadershipState {
  NodeRole role = NodeRole::joining;
  std::uint64_t term = 0;     ///< the term in which this node leads or takes over; 0: neither
  std::uint64_t applied = 0;  ///< position of the log up to which this node's copy is complete
  /// The position to apply before a joining node has joined: the first head that the log reported. Later
  /// heads grow with each write.
  std::optional<std::uint64_t> joins_at;
  bool is_taking_over = false;
  std::uint64_t target = 0;       ///< the position to apply before a node that takes over leads
  std::int64_t confirmed_ms = 0;  ///< sending time of the last confirmed renewal
  bool may_work = false;          ///< agents may be called
  std::int64_t invited_until_ms = 0;
  std::int64_t rests_until_ms = 0;
  std::int64_t lead_after_ms = 0;  ///< no attempt to lead before this time
  std::int64_t heard_ms = 0;       ///< when the log last answered
  std::int64_t left_ms = -1;  ///< when this node last left the lead; leads that it requested earlier are void

  [[nodiscard]] bool leads() const { return role == NodeRole::leading || role == NodeRole::in_doubt; }
};

namespace leadership {

/// Time passed.
struct Tick {};
/// The log reported the leader. The log judges the lease by its own clock.
struct ViewHeard {
  std::uint64_t head = 0;
  std::uint64_t term = 0;
  Id leader;
  std::int64_t lease_left_ms = 0;  ///< negative: the time since it ended
};
/// The log did not answer.
struct LogSilent {};
/// This node's copy contains the log up to this position.
struct Applied {
  std::uint64_t seq = 0;
};
/// The answer to Effect::ask_lead.
struct LeadWon {
  std::int64_t sent_ms = 0;
  std::uint64_t term = 0;
  std::uint64_t head = 0;
};
struct LeadLost {};
/// The answer to Effect::renew, or a confirmation by an append. `term` may have been raised by an append in
/// doubt.
struct Renewed {
  std::int64_t sent_ms = 0;
  std::uint64_t term = 0;
};
/// Another node leads now.
struct Fenced {};
/// The outcome of an append is not yet known.
struct AppendInDoubt {};
/// The copy was replaced by the log's copy.
struct Rebased {
  std::uint64_t seq = 0;
};
/// The leader hands over to this node.
struct Invited {};
/// This leader must hand over, and will not lead again soon.
struct HandOver {};

using Event = std::variant<Tick, ViewHeard, LogSilent, Applied, LeadWon, LeadLost, Renewed, Fenced,
                           AppendInDoubt, Rebased, Invited, HandOver>;

}  // namespace leadership

enum class LeadershipEffect : std::uint8_t {
  ask_lead,       ///< ask the log for the lead; with the node's own term if the log names this node
  renew,          ///< renew the lease
  begin_leading,  ///< the copy is complete: accept writes, recover, drive
  stop_work,      ///< start no call to an agent or model
  resume_work,
  end_leading,  ///< accept no writes, end everything that drives, write nothing more
  step_down,    ///< end the lease in the log, so that another node need not wait until it expires
};

struct LeadershipStep {
  LeadershipState state;
  std::vector<LeadershipEffect> effects;
};

/// `self`: this node's id.
[[nodiscard]] LeadershipStep on(LeadershipState state, const leadership::Event& event, const Id& self,
                                const LeaseRules& rules, std::int64_t now_ms);

/// Whether a leader may still start work and answer reads without asking.
[[nodiscard]] bool has_lease(const LeadershipState& state, const LeaseRules& rules, std::int64_t now_ms);

}  // namespace parley::actors
