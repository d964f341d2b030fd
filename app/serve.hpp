#pragma once
/// Assembles the parts and runs the server until it is asked to stop. Main thread.

#include <functional>
#include <optional>
#include <string>

#include "app/options/config.hpp"

namespace parley::app {

/// What the surroundings of a server do with it.
struct ServeEvents {
  /// The admin key of the first start (D81); empty: a generated one.
  std::optional<std::string> first_key;
  /// Called once the server answers.
  std::function<void(const Config&, std::uint16_t port, const std::optional<std::string>& first_key)> ready;
  /// Returns when the server is to end.
  std::function<void(const std::function<void()>& daily)> wait;
  bool shows_link = false;  ///< prints a link that signs in, if the output is a terminal
};

/// Serves until `events.wait` returns, then drains (D91). The exit code as of serve(). One thread at a time.
[[nodiscard]] int serve_until(const Config& config, const ServeEvents& events);

/// Serves until SIGTERM or SIGINT, then drains (D91). Returns the exit code: 0 after a clean stop, 1 if the
/// start failed, 3 if the disk failed during a commit (F7).
[[nodiscard]] int serve(const Config& config);

}  // namespace parley::app
