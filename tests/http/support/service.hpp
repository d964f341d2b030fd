#pragma once
/// A server on a free port with a test handler, and a thread that answers later.

#include <gtest/gtest.h>

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "http/transport/server.hpp"

namespace parley::http::support {

inline std::string get(const std::string& target) {
  return "GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n";
}

inline std::string post(const std::string& target, const std::string& body) {
  return "POST " + target + " HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

inline Response render(const FramingFault& fault) {
  return {fault.status(), {{"Content-Type", "text/plain"}}, std::string(fault.slug())};
}

/// Answers with the target and the body.
inline void echo(const Request& request, const Responder& responder) {
  responder.send({200, {}, std::string(request.target) + std::string(request.body)});
}

/// A started server; stopped by its destructor.
class Service : public Server {
 public:
  explicit Service(Handler handler, ServerOptions options = two_threads())
      : Server(std::move(options), std::move(handler), render) {
    EXPECT_TRUE(listen().ok());
    EXPECT_TRUE(start().ok());
  }

  static ServerOptions two_threads() {
    ServerOptions options;
    options.threads = 2;
    return options;
  }
};

/// One thread that runs the given functions in order.
class Elsewhere {
 public:
  Elsewhere() : thread_([this] { run(); }) {}
  ~Elsewhere() {
    run_later(nullptr);
    thread_.join();
  }
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;

  /// An empty function ends the thread.
  void run_later(std::function<void()> act) {
    const std::lock_guard lock(mutex_);
    acts_.push(std::move(act));
    filled_.notify_one();
  }

 private:
  void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      filled_.wait(lock, [this] { return !acts_.empty(); });
      const auto act = std::move(acts_.front());
      acts_.pop();
      lock.unlock();
      if (!act) return;
      act();
    }
  }

  std::mutex mutex_;
  std::condition_variable filled_;
  std::queue<std::function<void()>> acts_;
  std::thread thread_;
};

/// Stores Responders that a test answers later.
class Kept {
 public:
  void add(Responder responder) {
    const std::lock_guard lock(mutex_);
    responders_.push_back(std::move(responder));
  }
  [[nodiscard]] std::size_t size() {
    const std::lock_guard lock(mutex_);
    return responders_.size();
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    responders_.clear();
  }
  [[nodiscard]] Responder at(std::size_t index) {
    const std::lock_guard lock(mutex_);
    return responders_.at(index);
  }

 private:
  std::mutex mutex_;
  std::vector<Responder> responders_;
};

inline std::size_t entries_of(const char* folder) {
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++entries;
  return entries;
}

inline std::size_t open_descriptors() {
  return entries_of("/proc/self/fd");
}
inline std::size_t running_threads() {
  return entries_of("/proc/self/task");
}

}  // namespace parley::http::support
