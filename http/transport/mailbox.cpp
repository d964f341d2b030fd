#include "http/transport/mailbox.hpp"

#include <sys/eventfd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace parley::http {

Mailbox::Mailbox(std::shared_ptr<TransportCounters> counters)
    : counters_(std::move(counters)), wakeup_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!wakeup_) throw std::system_error(errno, std::generic_category(), "eventfd");
}

template <class Put>
bool Mailbox::put(Put put_in) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return false;
    put_in(batch_);
    first = !std::exchange(signaled_, true);
  }
  if (first) wake();
  return true;
}

void Mailbox::post(Answer answer) {
  if (owner_.load() == std::this_thread::get_id()) return take_(std::move(answer));
  const bool kept = put([&](Batch& batch) { batch.answers.push_back(std::move(answer)); });
  if (!kept) count(counters_->answers_dropped);
}

void Mailbox::adopt(Arrival arrival) {
  put([&](Batch& batch) { batch.arrivals.push_back(std::move(arrival)); });
}

void Mailbox::ask_to_drain() {
  put([](Batch& batch) { batch.drain = true; });
}

void Mailbox::ask_to_give_up() {
  put([](Batch& batch) { batch.give_up = true; });
}

void Mailbox::own(std::function<void(Answer)> take) {
  take_ = std::move(take);
  owner_ = std::this_thread::get_id();
}

Mailbox::Batch Mailbox::take() {
  eventfd_t ignored = 0;
  eventfd_read(wakeup_.get(), &ignored);
  const std::lock_guard lock(mutex_);
  signaled_ = false;
  return std::exchange(batch_, {});
}

void Mailbox::wake() const {
  eventfd_write(wakeup_.get(), 1);
}

void Mailbox::close() {
  owner_ = std::thread::id{};
  Batch dropped;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    dropped = std::exchange(batch_, {});
  }
  // Destroyed outside the lock, because destroying the contents may post again.
  counters_->answers_dropped += dropped.answers.size();
}

}  // namespace parley::http
