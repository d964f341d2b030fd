#pragma once
/// How the owner of a server controls it. The owner is the program itself, or a command that starts a server. Main
/// thread.

#include <functional>
#include <optional>
#include <string>

#include "app/options/config.hpp"

namespace parley::app {

/// The callbacks and settings of a server's owner.
struct ServeEvents {
  /// The admin key for the first start (D81); if empty, one is generated.
  std::optional<std::string> first_key;
  /// Called as soon as the server answers.
  std::function<void(const Config&, std::uint16_t port, const std::optional<std::string>& first_key)> ready;
  /// Returns when the server must end.
  std::function<void(const std::function<void()>& daily)> wait;
  bool shows_link = false;  ///< print a sign-in link if the output is a terminal
};

}  // namespace parley::app
