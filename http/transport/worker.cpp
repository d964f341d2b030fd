#include "http/transport/worker.hpp"

#include <pthread.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace parley::http {
namespace {

constexpr std::uint64_t mail_tag = 0;
constexpr std::uint64_t timer_tag = 1;
constexpr std::uint64_t first_connection_tag = 2;

/// A quarter of the shortest timeout, at most half a second. With 12,000 connections, a pass over all of them costs
/// less than 1 ms.
std::chrono::milliseconds tick_of(const Timeouts& timeouts) {
  using std::chrono::milliseconds;
  const auto shortest =
      std::min({timeouts.head, timeouts.body, timeouts.idle, timeouts.write_stall, timeouts.linger});
  return std::clamp(shortest / 4, milliseconds(5), milliseconds(500));
}

Descriptor ticking(std::chrono::milliseconds period) {
  Descriptor timer(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
  const timespec interval{period.count() / 1000, period.count() % 1000 * 1'000'000};
  const itimerspec setting{interval, interval};
  if (!timer || timerfd_settime(timer.get(), 0, &setting, nullptr) != 0)
    throw std::system_error(errno, std::generic_category(), "timerfd");
  return timer;
}

}  // namespace

Worker::Worker(const Common& common)
    : counters_(common.counters),
      mailbox_(std::make_shared<Mailbox>(common.counters)),
      timer_(ticking(tick_of(common.options.timeouts))),
      scope_{common.options,
             common.handle,
             common.render_fault,
             common.preauthorize,
             *counters_,
             common.bodies,
             common.answers_held,
             mailbox_,
             {},
             {},
             {},
             {}},
      next_id_(first_connection_tag),
      loop_([this](const std::vector<Readiness>& events) { on_ready(events); }) {
  loop_.watch(mailbox_->descriptor(), mail_tag);
  loop_.watch(timer_.get(), timer_tag);
}

Worker::~Worker() {
  stop();
}

void Worker::start(const std::string& name) {
  thread_ = std::thread([this] {
    mailbox_->own([this](Answer answer) { on_answer(std::move(answer)); });
    loop_.run();
    mailbox_->close();
  });
  pthread_setname_np(thread_.native_handle(), name.c_str());
}

void Worker::stop() {
  loop_.stop();
  if (thread_.joinable()) thread_.join();
  mailbox_->close();
  connections_.clear();
}

void Worker::on_ready(const std::vector<Readiness>& events) {
  scope_.now = Monotonic::now();
  try {
    for (const auto& event : events) on_event(event);
    go_on_with_unfinished();
  } catch (...) {
    // Out of memory between connections: the remaining events are lost, and the timeouts clean up.
    count(scope_.counters.worker_exceptions);
  }
}

void Worker::on_event(const Readiness& event) {
  switch (event.tag) {
    case mail_tag: return on_mail();
    case timer_tag: return on_tick();
    default: return let(event.tag, [&](Connection& each) { return each.on_ready(event.hung_up); });
  }
}

void Worker::on_mail() {
  auto batch = mailbox_->take();
  for (auto& arrival : batch.arrivals) on_arrival(std::move(arrival));
  for (auto& answer : batch.answers) on_answer(std::move(answer));
  if (batch.drain) on_drain();
  if (batch.give_up) let_all([](Connection& each) { return each.on_give_up(); });
}

void Worker::on_arrival(Arrival arrival) {
  const auto id = next_id_++;
  try {
    auto connection = std::make_unique<Connection>(id, std::move(arrival), scope_);
    loop_.watch(connection->descriptor(), id);
    connections_.emplace(id, std::move(connection));
  } catch (...) {
    // Out of memory or watches: this client is refused, the others are kept (F41).
    count(scope_.counters.worker_exceptions);
  }
}

void Worker::on_answer(Answer answer) {
  if (auto* resumed = std::get_if<Resumed>(&answer.content)) {
    try {
      return resumed->work();
    } catch (...) {
      // By now, the work's own copies of the Responder are destroyed, so the client gets a 500.
      return count(scope_.counters.handler_exceptions);
    }
  }
  const auto id = answer.connection;
  const bool was_given = !std::holds_alternative<Abandoned>(answer.content);
  const auto found = connections_.find(id);
  auto taken = Connection::Accepted::no;
  try {
    if (found != connections_.end()) taken = found->second->answer(std::move(answer));
    if (taken == Connection::Accepted::outside) unfinished_.push_back(id);
  } catch (...) {
    // No memory for the answer: the connection is closed at the next tick at the latest.
    count(scope_.counters.worker_exceptions);
    found->second->give_up();
    return;
  }
  if (taken == Connection::Accepted::no && was_given) count(scope_.counters.answers_dropped);
}

void Worker::on_tick() {
  std::uint64_t ignored = 0;
  if (::read(timer_.get(), &ignored, sizeof ignored) < 0) return;
  let_all([](Connection& each) { return each.on_tick(); });
}

void Worker::on_drain() {
  scope_.draining = true;
  let_all([](Connection& each) { return each.on_drain(); });
}

/// Resumes the connections whose turn ended unfinished, and those that were answered: each of them once, then other
/// events come first.
void Worker::go_on_with_unfinished() {
  const auto ids = std::exchange(unfinished_, {});
  for (const auto id : ids) let(id, [](Connection& each) { return each.resume(); });
  if (!unfinished_.empty()) mailbox_->wake();
}

/// Runs one connection and removes it if it is closed. A connection that runs out of memory is the only one that ends
/// (I64).
template <class Act>
void Worker::let(std::uint64_t id, Act act) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  auto turn = Connection::Turn::closed;
  try {
    turn = act(*found->second);
  } catch (...) {
    count(scope_.counters.worker_exceptions);
  }
  switch (turn) {
    case Connection::Turn::waiting: return;
    case Connection::Turn::unfinished: unfinished_.push_back(id); return;
    case Connection::Turn::closed: break;
  }
  loop_.forget(found->second->descriptor());
  connections_.erase(found);
}

template <class Act>
void Worker::let_all(Act act) {
  std::vector<std::uint64_t> ids;
  ids.reserve(connections_.size());
  for (const auto& [id, connection] : connections_) ids.push_back(id);
  for (const auto id : ids) let(id, act);
}

}  // namespace parley::http
