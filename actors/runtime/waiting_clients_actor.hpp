#pragma once
/// Clients that wait for a run or a result to change (Prefer: wait, D47, D96): thousands at a time, without a
/// thread each. The writer reports which records a commit changed. This actor then reads a snapshot and
/// answers the clients that are affected, whose time has expired or who have left. One ticking timer serves
/// all.
///
/// Order: the counter is raised before the check that follows a registration, and the writer reads it after
/// its commit. So a commit is either seen by that check or reported.
/// Bound: limits::waiters_max; beyond it, and while the server stops, no client is kept waiting.

#include <atomic>
#include <unordered_map>

#include "actors/base/handles.hpp"
#include "actors/services.hpp"

namespace parley::actors {

/// Read by the writer, which sends no messages while no client waits.
struct WaitingClientsFigures {
  std::atomic<std::uint64_t> waiting{0};
};

class WaitingClientsActor : public WaitingClients::base {
 public:
  WaitingClientsActor(caf::actor_config& config, Services& services, WaitingClientsFigures& figures);

  behavior_type make_behavior() override;
  void on_exit() override;

 private:
  struct Waiter {
    Wait wait;
    caf::actor_clock::time_point until;
  };
  using Waiters = std::unordered_multimap<Id, Waiter>;

  void enter(Wait& wait);
  void check(const News& news);
  void tick();
  void end_all();
  Waiters::iterator dismiss(Waiters::iterator waiter, Wait::End end);

  Services& services_;
  WaitingClientsFigures& figures_;
  Waiters waiters_;
  bool is_closed_ = false;
  bool is_ticking_ = false;
};

}  // namespace parley::actors
