#include "http/transport/event_loop.hpp"

#include <pistache/reactor.h>

#include <exception>

#include "model/check.hpp"

namespace parley::http {

namespace aio = Pistache::Aio;
namespace polling = Pistache::Polling;

class EventLoop::Dispatch : public aio::Handler {
 public:
  explicit Dispatch(OnReady on_ready) : on_ready_(std::move(on_ready)) {}

  void onReady(const aio::FdSet& fds) override {
    ready_.clear();
    for (const auto& entry : fds) ready_.push_back({entry.getTag().value(), entry.isHangup()});
    on_ready_(ready_);
  }

  void registerPoller(polling::Epoll&) override {}

  /// Only Pistache's asynchronous context clones handlers, for its own threads.
  std::shared_ptr<aio::Handler> clone() const override { CHECK(false); }

 private:
  OnReady on_ready_;
  std::vector<Readiness> ready_;
};

struct EventLoop::Parts {
  std::shared_ptr<aio::Reactor> reactor = aio::Reactor::create();
  aio::Reactor::Key key;
};

EventLoop::EventLoop(OnReady on_ready) : parts_(std::make_unique<Parts>()) {
  parts_->reactor->init();
  parts_->key = parts_->reactor->addHandler(std::make_shared<Dispatch>(std::move(on_ready)));
}

EventLoop::~EventLoop() = default;

void EventLoop::watch(int fd, std::uint64_t tag) {
  using polling::NotifyOn;
  parts_->reactor->registerFd(parts_->key, fd, NotifyOn::Read | NotifyOn::Write | NotifyOn::Shutdown,
                              polling::Tag(tag), polling::Mode::Edge);
}

void EventLoop::forget(int fd) {
  try {
    parts_->reactor->removeFd(parts_->key, fd);
  } catch (const std::exception&) {
    // The descriptor was never watched; closing it removes it anyway.
    return;
  }
}

void EventLoop::run() {
  parts_->reactor->run();
}

void EventLoop::stop() {
  parts_->reactor->shutdown();
}

}  // namespace parley::http
