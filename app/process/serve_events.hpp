#pragma once
/// How the owner of a server controls it: the program itself, or a command that starts a server. Main thread.

#include <functional>
#include <optional>
#include <string>

#include "app/options/config.hpp"

namespace parley::app {

/// The callbacks and settings of a server's owner.
struct ServeEvents {
  /// The admin key of the first start (D81); empty: a generated one.
  std::optional<std::string> first_key;
  /// Called once the server answers.
  std::function<void(const Config&, std::uint16_t port, const std::optional<std::string>& first_key)> ready;
  /// Returns when the server must end.
  std::function<void(const std::function<void()>& daily)> wait;
  bool shows_link = false;  ///< prints a link that signs in, if the output is a terminal
};

}  // namespace parley::app
