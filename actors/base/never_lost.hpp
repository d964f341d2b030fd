#pragma once
/// Completions that cross actors. A completion in the mailbox of an actor that ends is destroyed with it, but
/// its caller must still be answered. Thread: the completion may be called or destroyed on any thread.

#include <memory>
#include <utility>

#include "actors/base/commit_outcome.hpp"
#include "actors/commands.hpp"

namespace parley::actors {

/// Wraps the completion: if it is destroyed before it was called, it is called with broken_off(). Copies
/// share one call.
template <class T>
[[nodiscard]] Completion<T> never_lost(Completion<T> done) {
  struct Held {
    explicit Held(Completion<T> given) : done(std::move(given)) {}
    ~Held() {
      if (done) answer_with(broken_off());
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

    void answer_with(Expected<T> answer) {
      const auto answered = guarded<Done>([&] {
        std::exchange(done, {})(std::move(answer));
        return Done{};
      });
      static_cast<void>(answered);  // the exception is logged
    }

    Completion<T> done;
  };
  const auto held = std::make_shared<Held>(std::move(done));
  return [held](Expected<T> answer) { held->answer_with(std::move(answer)); };
}

}  // namespace parley::actors
