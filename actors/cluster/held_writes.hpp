#pragma once
/// HeldWrites: clients' writes at a node that does not lead, in transit to the leader. Pure: times are passed
/// in, and the caller sends what next() returns. Belongs to one thread.
///
///   outcome                                      without Idempotency-Key        with one
///   no leader, or it could not be reached        held up to write_held_ms, then 503 no-leader
///   the answer was lost, or is in-doubt          502 in-doubt                   sent again, finally 502 in-doubt
///   another node leads by now, and the node
///   that was called does not answer soon         as a lost answer
///   the node that was called answers no-leader   held longer
///   any other answer                             passed to the client
///
/// Invariant: 503 means that the write did not happen and will not. Each write is answered once, within
/// write_answered_ms plus its own wait.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "actors/cluster/cluster_gateway.hpp"

namespace parley::actors {

inline constexpr std::int64_t write_held_ms = 5'000;
/// One second less than the time promised to clients.
inline constexpr std::int64_t write_answered_ms = 19'000;
inline constexpr std::int64_t send_again_ms = 50;
/// How long to wait for the answer of a node that no longer leads. A node that hands over answers before the
/// next one leads; a node that was paused or cut off never answers. With a key, an early repeat does no harm.
inline constexpr std::int64_t old_leader_answers_ms = 1'000;
inline constexpr std::int64_t old_leader_answers_keyed_ms = 250;
inline constexpr std::size_t held_writes_max = 10'000;
inline constexpr std::size_t held_bytes_max = std::size_t{256} * 1024 * 1024;

class HeldWrites {
 public:
  using Done = std::function<void(PeerOutcome)>;
  struct Sending {
    std::uint64_t number = 0;
    const PeerRequest* request = nullptr;  ///< valid until returned() or settle()
    std::int64_t total_ms = 0;             ///< time limit for the answer
  };

  explicit HeldWrites(ClusterFigures& figures) : figures_(figures) {}

  void enter(PeerRequest request, Done done, std::int64_t now_ms);
  /// The leader that the writes from next() are sent to; nil: unknown.
  void led_by(const Id& leader, std::int64_t now_ms);
  /// The next write to send to the leader; nullopt: none is due.
  [[nodiscard]] std::optional<Sending> next(std::int64_t now_ms);
  void returned(std::uint64_t number, outbound::HttpOutcome outcome, std::int64_t now_ms);
  /// Answers writes that have waited too long, and returns the waiting ones if this node leads.
  void settle(bool leads_here, std::int64_t now_ms);

  [[nodiscard]] bool is_empty() const { return held_.empty(); }

 private:
  struct Held {
    PeerRequest request;
    Done done;
    std::int64_t since_ms = 0;
    std::int64_t not_before_ms = 0;
    Id asked;  ///< the leader that the write was last sent to
    bool is_out = false;
    bool was_lost = false;  ///< an answer was lost, so the write may have taken effect
    bool was_held = false;
  };
  using Place = std::map<std::uint64_t, Held>::iterator;

  void drop_old_leader(std::int64_t now_ms);
  void lost(Place place, std::int64_t now_ms);
  void answer(Place place, PeerOutcome outcome);
  void hold(Held& held, std::int64_t now_ms);

  ClusterFigures& figures_;
  std::map<std::uint64_t, Held> held_;
  std::uint64_t number_ = 0;
  std::size_t bytes_ = 0;
  Id leader_;
  std::int64_t led_since_ms_ = 0;
};

}  // namespace parley::actors
