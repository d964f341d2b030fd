#pragma once
/// How a test waits for real threads. Runs on the test's own thread.

#include <chrono>
#include <functional>
#include <future>
#include <thread>

#include "model/expected.hpp"

namespace parley::actors::test {

/// Makes the call and waits for the answer.
template <class T>
[[nodiscard]] Expected<T> wait_for(const std::function<void(Completion<T>)>& call) {
  std::promise<Expected<T>> promise;
  call([&promise](Expected<T> answer) { promise.set_value(std::move(answer)); });
  return promise.get_future().get();
}

/// Polls until another thread has done its work; returns false if it was not done in time.
[[nodiscard]] inline bool comes(const std::function<bool()>& is_there) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!is_there()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

}  // namespace parley::actors::test
