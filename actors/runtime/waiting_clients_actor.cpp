#include "actors/runtime/waiting_clients_actor.hpp"

#include "actors/base/actor_failure.hpp"
#include "actors/base/commit_outcome.hpp"
#include "model/limits.hpp"

namespace parley::actors {
namespace {

/// The most that a wait may end late; small compared with the whole seconds that clients request.
constexpr std::chrono::milliseconds room_tick_every{100};

/// A record that can no longer be read ends the wait.
bool is_over(const Wait& wait, const store::Snapshot& snapshot) {
  const Expected<bool> over = guarded<bool>([&]() -> Expected<bool> { return wait.is_over(snapshot); });
  return !over || *over;
}

}  // namespace

WaitingClientsActor::WaitingClientsActor(caf::actor_config& config, Services& services,
                                         WaitingClientsFigures& figures)
    : WaitingClients::base(config), services_(services), figures_(figures) {}

WaitingClientsActor::behavior_type WaitingClientsActor::make_behavior() {
  set_exception_handler(ends_process("waiting room", services_));
  return {
      [this](Wait& wait) { enter(wait); },
      [this](const News& news) { check(news); },
      [this](Tick) { tick(); },
      [this](Stop) { end_all(); },
  };
}

void WaitingClientsActor::on_exit() {
  end_all();
}

void WaitingClientsActor::enter(Wait& wait) {
  if (is_closed_ || waiters_.size() >= limits::waiters_max) return wait.done(Wait::End::cut_short);
  const auto until = clock().now() + wait.at_most;
  const Id id = wait.of;
  const auto waiter = waiters_.emplace(id, Waiter{std::move(wait), until});
  figures_.waiting = waiters_.size();
  if (is_over(waiter->second.wait, services_.store.snapshot())) {
    dismiss(waiter, Wait::End::fulfilled);
    return;
  }
  if (!is_ticking_) delayed_send(this, room_tick_every, Tick{});
  is_ticking_ = true;
}

void WaitingClientsActor::check(const News& news) {
  const store::Snapshot snapshot = services_.store.snapshot();
  for (const Id& id : news.moved) {
    auto [waiter, end] = waiters_.equal_range(id);
    while (waiter != end) {
      waiter =
          is_over(waiter->second.wait, snapshot) ? dismiss(waiter, Wait::End::fulfilled) : std::next(waiter);
    }
  }
}

void WaitingClientsActor::tick() {
  const auto now = clock().now();
  for (auto waiter = waiters_.begin(); waiter != waiters_.end();) {
    const bool is_late = now >= waiter->second.until || waiter->second.wait.has_left();
    waiter = is_late ? dismiss(waiter, Wait::End::cut_short) : std::next(waiter);
  }
  is_ticking_ = !waiters_.empty();
  if (is_ticking_) delayed_send(this, room_tick_every, Tick{});
}

void WaitingClientsActor::end_all() {
  is_closed_ = true;
  for (auto waiter = waiters_.begin(); waiter != waiters_.end();)
    waiter = dismiss(waiter, Wait::End::cut_short);
}

WaitingClientsActor::Waiters::iterator WaitingClientsActor::dismiss(Waiters::iterator waiter, Wait::End end) {
  const auto on_done = std::move(waiter->second.wait.done);
  const auto next = waiters_.erase(waiter);
  figures_.waiting = waiters_.size();
  on_done(end);
  return next;
}

}  // namespace parley::actors
