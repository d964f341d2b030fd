#pragma once
/// ReadBarrier: a follower's reads that wait until its copy holds every write that was acknowledged before
/// they arrived. One question to the leader serves all reads that arrived before it was sent. Pure: times are
/// passed in, and the caller sends the questions. Belongs to one thread.
///
///   read ──► waits for a question ──► question ──► head ──► waits until the copy has it ──► current
///
/// Invariant: each read is answered once, after at most read_waits_ms; without an answer from the leader it
/// is stale or refused.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "actors/cluster/cluster_gateway.hpp"

namespace parley::actors {

/// How long a read waits for the leader's answer.
inline constexpr std::int64_t read_waits_ms = 1'000;
/// The time between two questions that got no answer.
inline constexpr std::int64_t ask_again_ms = 50;
/// A copy older than this answers no reads.
inline constexpr std::int64_t stale_ms_max = 30'000;

/// `--when-leaderless`.
enum class WhenLeaderless : std::uint8_t { stale, refuse };

/// How a node answers reads while it has no answer from the leader.
[[nodiscard]] ReadGround ground_without_leader(const NodeView& view, WhenLeaderless rule,
                                               std::int64_t now_ms);

class ReadBarrier {
 public:
  using Done = std::function<void(ReadGround)>;

  explicit ReadBarrier(WhenLeaderless rule) : rule_(rule) {}

  void enter(Done done, std::int64_t now_ms);
  /// The number of a question to send now; nullopt: none is due.
  [[nodiscard]] std::optional<std::uint64_t> ask(std::int64_t now_ms);
  /// The leader's answer to a question; nullopt: it did not answer.
  void answered(std::uint64_t question, std::optional<std::uint64_t> head, std::int64_t now_ms);
  /// Answers the reads that need not wait any longer; all reads if this node leads.
  void settle(const NodeView& view, bool leads_here, std::int64_t now_ms);

  [[nodiscard]] bool is_empty() const { return waiting_.empty(); }
  [[nodiscard]] std::size_t size() const { return waiting_.size(); }
  /// The highest position that a read waits for.
  [[nodiscard]] std::uint64_t wanted() const;

 private:
  struct Waiting {
    Done done;
    std::int64_t since_ms = 0;
    std::uint64_t question = 0;         ///< 0: no question has been sent for it yet
    std::optional<std::uint64_t> head;  ///< the answer
  };

  WhenLeaderless rule_;
  std::vector<Waiting> waiting_;  ///< oldest first
  std::uint64_t questions_ = 0;
  bool is_asking_ = false;
  std::int64_t ask_after_ms_ = 0;
};

}  // namespace parley::actors
