#include "outbound/client/curl_pool.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <system_error>

#include "model/check.hpp"
#include "outbound/clock.hpp"

namespace parley::outbound {
namespace {

constexpr std::size_t events_per_wait = 256;
constexpr std::uint64_t wakeup_tag = ~std::uint64_t{0};
constexpr std::int64_t wait_ms_max = 60'000;

// An event also carries the shard: a descriptor that was closed and opened again may belong to another shard.
std::uint64_t tag_of(std::size_t shard, int fd) {
  return static_cast<std::uint64_t>(shard) << 32 | static_cast<std::uint32_t>(fd);
}

int curl_mask(std::uint32_t events) {
  int mask = 0;
  if (events & EPOLLIN) mask |= CURL_CSELECT_IN;
  if (events & EPOLLOUT) mask |= CURL_CSELECT_OUT;
  if (events & (EPOLLERR | EPOLLHUP)) mask |= CURL_CSELECT_ERR;
  return mask;
}

std::uint32_t epoll_mask(int what) {
  std::uint32_t events = 0;
  if (what & CURL_POLL_IN) events |= EPOLLIN;
  if (what & CURL_POLL_OUT) events |= EPOLLOUT;
  return events;
}

}  // namespace

struct CurlPool::Shard {
  struct Closer {
    void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
  };
  CurlPool& wire;
  std::size_t number;
  bool is_trusted;
  bool is_active = false;  ///< libcurl has worked on it, so transfers may have finished
  std::size_t transfers = 0;
  std::int64_t timer_ms = never_ms;  ///< the time when libcurl wants to be called
  std::int64_t idle_ms = never_ms;   ///< the time since which the shard has no transfers
  std::unique_ptr<CURLM, Closer> multi = nullptr;

  // Created on demand. Destroyed, with its connections, after a long idle time.
  void open() {
    if (multi) return;
    multi.reset(curl_multi_init());
    if (!multi) throw std::bad_alloc();
    curl_multi_setopt(multi.get(), CURLMOPT_SOCKETFUNCTION, &CurlPool::on_socket);
    curl_multi_setopt(multi.get(), CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(multi.get(), CURLMOPT_TIMERFUNCTION, &CurlPool::on_timer);
    curl_multi_setopt(multi.get(), CURLMOPT_TIMERDATA, this);
    curl_multi_setopt(multi.get(), CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_NOTHING));
    curl_multi_setopt(multi.get(), CURLMOPT_MAXCONNECTS, static_cast<long>(wire.limits_.calls_per_shard_max));
  }
  void act(int fd, int mask) {
    if (!is_active) wire.active_.push_back(number);
    is_active = true;
    int running = 0;
    curl_multi_socket_action(multi.get(), fd, mask, &running);
  }
};

CurlPool::CurlPool(const CallLimits& limits)
    : limits_(limits),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      wakeup_fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      sockets_(epoll_) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = wakeup_tag;
  if (epoll_ >= 0 && wakeup_fd_ >= 0 && ::epoll_ctl(epoll_, EPOLL_CTL_ADD, wakeup_fd_, &event) == 0) return;
  const std::system_error error(errno, std::generic_category(), "descriptors of the HTTP client");
  if (epoll_ >= 0) ::close(epoll_);
  if (wakeup_fd_ >= 0) ::close(wakeup_fd_);
  throw error;
}

CurlPool::~CurlPool() {
  for (const auto& shard : shards_) CHECK(shard->transfers == 0);
  shards_.clear();
  ::close(epoll_);
  ::close(wakeup_fd_);
}

std::size_t CurlPool::add(CURL* easy, bool is_trusted) {
  Shard& shard = room_for(is_trusted);
  shard.open();
  // Fails only if memory is exhausted or a handle is added twice.
  if (curl_multi_add_handle(shard.multi.get(), easy) != CURLM_OK) throw std::bad_alloc();
  ++shard.transfers;
  shard.idle_ms = never_ms;
  return shard.number;
}

void CurlPool::remove(CURL* easy, std::size_t number) {
  Shard& shard = *shards_.at(number);
  curl_multi_remove_handle(shard.multi.get(), easy);
  CHECK(shard.transfers > 0);
  if (--shard.transfers == 0) shard.idle_ms = now_ms();
}

std::vector<CurlPool::Finished> CurlPool::run(std::int64_t until_ms) {
  on_events(until_ms);
  on_timers();
  std::vector<Finished> finished;
  for (const std::size_t number : active_) {
    Shard& shard = *shards_[number];
    shard.is_active = false;
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(shard.multi.get(), &left))
      if (message->msg == CURLMSG_DONE) finished.push_back({message->easy_handle, message->data.result});
  }
  active_.clear();
  close_idle();
  return finished;
}

void CurlPool::wake() {
  const std::uint64_t one = 1;
  // Fails only if the counter is full; run() then wakes anyway.
  [[maybe_unused]] const auto written = ::write(wakeup_fd_, &one, sizeof one);
}

// The first shard with room, so that few calls share few handles and reuse each other's connections.
CurlPool::Shard& CurlPool::room_for(bool is_trusted) {
  for (const auto& shard : shards_)
    if (shard->is_trusted == is_trusted && shard->transfers < limits_.calls_per_shard_max) return *shard;
  shards_.push_back(std::make_unique<Shard>(Shard{*this, shards_.size(), is_trusted}));
  return *shards_.back();
}

void CurlPool::on_events(std::int64_t until_ms) {
  const auto now = now_ms();
  auto until = std::min(until_ms, now + wait_ms_max);
  for (const auto& shard : shards_) {
    until = std::min(until, shard->timer_ms);
    if (shard->idle_ms != never_ms) until = std::min(until, shard->idle_ms + limits_.idle_connection_ms);
  }
  std::array<epoll_event, events_per_wait> events{};
  const int wait = static_cast<int>(std::clamp<std::int64_t>(until - now, 0, wait_ms_max));
  const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), wait);
  for (int i = 0; i < count; ++i) {
    const auto& event = events[static_cast<std::size_t>(i)];
    if (event.data.u64 == wakeup_tag) {
      // Read before the work is accepted, so that the next wait sees a later wake-up.
      std::uint64_t wakeups = 0;
      [[maybe_unused]] const auto read = ::read(wakeup_fd_, &wakeups, sizeof wakeups);
      continue;
    }
    const int fd = static_cast<int>(event.data.u64 & 0xffffffff);
    if (sockets_.end_idle(fd)) continue;
    Shard& shard = *shards_.at(event.data.u64 >> 32);
    // A descriptor that was closed in the meantime no longer belongs to libcurl, which ignores it.
    if (shard.multi) shard.act(fd, curl_mask(event.events));
  }
}

void CurlPool::on_timers() {
  const auto now = now_ms();
  for (const auto& shard : shards_) {
    if (shard->timer_ms > now || !shard->multi) continue;
    shard->timer_ms = never_ms;
    shard->act(CURL_SOCKET_TIMEOUT, 0);
  }
}

void CurlPool::close_idle() {
  for (const auto& shard : shards_) {
    if (shard->idle_ms == never_ms || now_ms() < shard->idle_ms + limits_.idle_connection_ms) continue;
    shard->multi.reset();
    shard->idle_ms = never_ms;
    shard->timer_ms = never_ms;
  }
}

int CurlPool::on_socket(CURL*, curl_socket_t fd, int what, void* self, void*) {
  const auto& shard = *static_cast<Shard*>(self);
  Sockets& sockets = shard.wire.sockets_;
  if (what == CURL_POLL_REMOVE)
    sockets.rest(fd);
  else
    sockets.watch(fd, epoll_mask(what), tag_of(shard.number, fd));
  return 0;
}

int CurlPool::on_timer(CURLM*, long timeout_ms, void* self) {
  static_cast<Shard*>(self)->timer_ms = timeout_ms < 0 ? never_ms : now_ms() + timeout_ms;
  return 0;
}

}  // namespace parley::outbound
