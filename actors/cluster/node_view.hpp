#pragma once
/// The state of a node for the rest of the program: written by the node's thread, read by any thread, without
/// a lock.

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "actors/cluster/leadership_machine.hpp"
#include "model/id.hpp"

namespace parley::actors {

/// Another node, or this one, as stored in the log.
struct ClusterMember {
  Id node;
  std::string address;
  std::string state;  ///< `leader`, `follower`, `joining` or `left`
  std::uint64_t applied = 0;
  std::int64_t seen_ms_ago = 0;
};

/// A node's state at one moment. Times are milliseconds of CLOCK_BOOTTIME.
struct NodeView {
  Id self;
  NodeRole role = NodeRole::joining;
  bool accepts_writes = false;  ///< leads, and has recovered what the previous leader left unfinished
  std::uint64_t term = 0;       ///< term of the log
  std::uint64_t head = 0;
  std::uint64_t applied = 0;
  std::int64_t complete_ms = 0;  ///< when the copy was last known to be complete; 0: never
  std::int64_t lag_ms = 0;
  std::uint64_t log_bytes = 0;
  Id leader;                   ///< nil: no leader
  std::string leader_address;  ///< empty: no leader
  std::vector<ClusterMember> members;
};

/// A histogram of seconds.
struct LatencyCounts {
  static constexpr std::array<std::uint64_t, 10> bucket_us{500,    1'000,   2'000,   5'000,     10'000,
                                                           50'000, 100'000, 500'000, 1'000'000, 5'000'000};
  std::array<std::atomic<std::uint64_t>, bucket_us.size() + 1> counts{};
  std::atomic<std::uint64_t> total_us{0};

  void add(std::uint64_t us) {
    std::size_t i = 0;
    while (i < bucket_us.size() && us > bucket_us.at(i)) ++i;
    ++counts.at(i);
    total_us += us;
  }
};

/// Counted since the start of the process, even while the node replaces its copy.
struct ClusterFigures {
  std::atomic<std::uint64_t> fenced{0};     ///< times that this node lost the lead
  std::atomic<std::uint64_t> rebases{0};    ///< copies replaced by the log's copy
  std::atomic<std::uint64_t> diverged{0};   ///< times that the copy disagreed with the log
  std::atomic<std::uint64_t> forwarded{0};  ///< writes sent to the leader
  std::atomic<std::uint64_t> held{0};       ///< of the forwarded writes, those that waited for a leader
  std::atomic<std::uint64_t> failed{
      0};                 ///< of the forwarded writes, those answered `no-leader` or `in-doubt`
  LatencyCounts barrier;  ///< reads that waited for the leader's head
};

/// The shared state of a node. Thread: publish() on the node's thread, the rest on any.
class NodeState {
 public:
  /// `counted` outlives the node.
  explicit NodeState(ClusterFigures& counted) : figures(counted) {}
  [[nodiscard]] std::shared_ptr<const NodeView> view() const { return view_.load(); }
  void publish(NodeView view) { view_.store(std::make_shared<const NodeView>(std::move(view))); }

  /// Number of clients that wait for the copy to advance; above 0, the node's thread reports each change.
  std::atomic<std::uint64_t> waiting{0};
  /// The position that the waiting reads need the log to reach.
  std::atomic<std::uint64_t> wanted{0};
  /// Agents may be called: this node leads, and its lease is confirmed.
  std::atomic<bool> may_work{false};
  ClusterFigures& figures;

 private:
  std::atomic<std::shared_ptr<const NodeView>> view_{std::make_shared<const NodeView>()};
};

}  // namespace parley::actors
