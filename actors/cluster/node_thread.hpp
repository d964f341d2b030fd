#pragma once
/// NodeThread: runs the leadership machine on its own thread. It asks the log who leads, replays the log's
/// rows while this node follows, renews the lease while it leads, and starts and stops the leading parts.
///
/// Thread: start, stop and destroy on one thread; invite, hand_over, check and wake on any. The duties are
/// called on the node's thread, except begin_leading, which has a separate thread because recovery may take
/// longer than a lease.
/// Invariant: begin_leading and end_leading alternate, and neither begins before the other has ended.
/// Order: a lead ends in three steps: no write is accepted, the leading parts end, the lease ends.

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "actors/cluster/leadership_machine.hpp"
#include "actors/cluster/node_view.hpp"
#include "store/changelog/change_log.hpp"
#include "store/store.hpp"

namespace parley::actors {

/// Why a node cannot continue as it is.
struct NodeEnd {
  enum class Kind : std::uint8_t {
    rebase,  ///< its copy differs from the log and must be replaced by the log's copy
    broken,  ///< the disk cannot store a row
  };
  Kind kind = Kind::rebase;
  std::string why;
};

struct NodeDuties {
  /// Rows of another leader were applied to the copy.
  std::function<void(const std::vector<store::ReplayedRow>&)> replayed;
  std::function<Expected<Done>()> begin_leading;
  std::function<void()> end_leading;
  /// The view changed, and clients wait for the change.
  std::function<void()> moved;
  /// Called once; the thread ends.
  std::function<void(const NodeEnd&)> ended;
};

struct NodeIdentity {
  Id node;
  std::string address;
  std::string version;
};

class NodeThread {
 public:
  /// Needs: `log` is used by no other thread; the store's committer follows the same log.
  NodeThread(store::Store& store, std::unique_ptr<store::ChangeLog> log, NodeIdentity self, LeaseRules rules,
             NodeState& state, NodeDuties duties);
  ~NodeThread();
  NodeThread(const NodeThread&) = delete;
  NodeThread& operator=(const NodeThread&) = delete;

  void start();
  /// The leader hands over to this node.
  void invite();
  /// This leader hands over.
  void hand_over();
  /// Asks the log immediately who leads.
  void check();
  /// Checks the log's rows immediately.
  void wake();
  /// Milliseconds for which the lease of this leader is confirmed; 0 for all other nodes. Any thread.
  [[nodiscard]] std::int64_t lease_left_ms() const;
  /// The position of the copy. Any thread.
  [[nodiscard]] std::uint64_t applied() const { return store_.committer().position().seq; }
  /// Steps down if this node leads, and ends the thread.
  void stop();

 private:
  void run();
  void feed(const leadership::Event& event);
  void carry_out(LeadershipEffect effect);
  void note_committer();
  void announce();
  void note_refusal(const Problem& problem);
  void ask_lead();
  void renew();
  void begin_leading();
  void end_leading();
  void note_started();
  /// Applies the next rows; true: there may be more.
  [[nodiscard]] bool replay_next();
  void end(NodeEnd::Kind kind, std::string why);
  void publish();
  void pause(bool is_busy);
  void leave();
  [[nodiscard]] std::string state_word() const;

  store::Store& store_;
  std::unique_ptr<store::ChangeLog> log_;
  NodeIdentity self_;
  LeaseRules rules_;
  NodeState& shared_;
  NodeDuties duties_;
  int wakeup_;  ///< an eventfd
  LeadershipState state_;
  NodeView view_;
  std::uint64_t started_term_ = 0;
  std::optional<store::Leadership> won_;
  std::future<Expected<Done>> beginning_;
  std::int64_t announced_ms_ = 0;
  std::int64_t moved_ms_ = 0;  ///< when the last row was applied
  std::string refusal_;        ///< the refusal that was logged last
  bool has_ended_ = false;
  std::atomic<bool> is_invited_{false};
  std::atomic<bool> is_to_hand_over_{false};
  std::atomic<bool> must_check_{false};
  std::atomic<bool> is_stopping_{false};
  std::atomic<std::int64_t> confirmed_ms_{
      0};  ///< when a leader's lease was last confirmed; 0: this node does not lead
  std::thread thread_;
};

}  // namespace parley::actors
