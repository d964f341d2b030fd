#pragma once
/// The interface of a cluster node for http/: where a request is answered, and the ways to reach the leader.
/// Plain calls with a completion, without CAF. Thread: any; completions are called on a thread of the actor
/// pool and must not block.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "actors/cluster/node_view.hpp"
#include "actors/commands.hpp"
#include "model/problem.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::actors {

/// The state that a read is answered from.
struct ReadGround {
  enum class Kind : std::uint8_t {
    current,  ///< every write acknowledged before the request arrived is in this node's copy
    stale,    ///< the copy was complete `stale_ms` ago
    refused,  ///< no leader is known, and the copy is too old
  };
  Kind kind = Kind::current;
  std::int64_t stale_ms = 0;
};

/// A client's write in transit to the leader.
struct PeerRequest {
  std::string method;
  std::string target;
  outbound::Fields fields;  ///< signed (http/cluster/node_signature.hpp)
  std::string body;
  bool has_key = false;      ///< has an Idempotency-Key, so it may be sent again
  bool is_doubtful = false;  ///< it may already have taken effect
  std::int64_t wait_ms = 0;  ///< the request's own `Prefer: wait`
};
/// This node leads now: the caller answers the request itself.
struct LeadsHere {
  bool is_doubtful = false;  ///< it may already have taken effect
};
using PeerOutcome = std::variant<outbound::HttpAnswer, Problem, LeadsHere>;

struct SwitchedOver {
  std::string leader;  ///< its address
  std::uint64_t term = 0;
};

class ClusterGateway {
 public:
  ClusterGateway() = default;
  ClusterGateway(const ClusterGateway&) = delete;
  ClusterGateway& operator=(const ClusterGateway&) = delete;
  virtual ~ClusterGateway() = default;

  [[nodiscard]] virtual std::shared_ptr<const NodeView> view() const = 0;
  [[nodiscard]] virtual const ClusterFigures& figures() const = 0;
  virtual void note_barrier(std::uint64_t waited_us) = 0;
  /// The last position of this node's copy: on a leader, all acknowledged writes are in it.
  [[nodiscard]] virtual std::uint64_t acknowledged() const = 0;
  /// Milliseconds for which the lease of this leader is still confirmed; 0 for all other nodes.
  [[nodiscard]] virtual std::int64_t lease_left_ms() const = 0;
  /// This node may answer reads without asking the leader.
  [[nodiscard]] virtual bool reads_here() const = 0;
  [[nodiscard]] virtual bool writes_here() const = 0;
  /// Whether reads are answered at all now, current or stale.
  [[nodiscard]] virtual bool answers_reads() const = 0;

  virtual void before_read(std::function<void(ReadGround)> done) = 0;
  virtual void to_leader(PeerRequest request, std::function<void(PeerOutcome)> done) = 0;
  /// Calls `expire` each second until it returns true, which means that the write was answered. The last
  /// call, marked late, comes after 17 s plus the write's own wait.
  virtual void watch_write(std::int64_t wait_ms, std::function<bool(bool is_late)> expire) = 0;

  /// Hands over the lead to the node with this address, or to the most advanced follower. Problem: 400
  /// unknown address, 409 that node is not ready, 503 no node leads.
  virtual void switch_over(std::string to, Completion<SwitchedOver> done) = 0;
  /// The leader asks this node to take the lead. False: it is not ready.
  [[nodiscard]] virtual bool invite() = 0;
};

}  // namespace parley::actors
