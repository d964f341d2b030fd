#pragma once
/// OriginPins: assigns each origin to one of several clients. All calls to an origin go through one client, so
/// that the client's state for the origin is exact: concurrent calls, pace, circuit breaker, connections. Pure.
///
/// An origin without calls, for which its client keeps no state, may move to the client with the fewest calls.
/// It moves only if its own client has clearly more calls, because its connections do not move along.

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace parley::outbound {

class OriginPins {
 public:
  /// Needs: at least one client. `idle_max`: the maximum number of remembered origins without calls.
  explicit OriginPins(std::size_t clients, std::size_t idle_max = 4'096)
      : clients_(clients), idle_max_(idle_max) {}

  /// A call begins; returns its client.
  [[nodiscard]] std::size_t begin(const std::string& origin);
  /// A call ended. Needs: one begin() for each.
  void end(const std::string& origin);
  /// The origin's client keeps one more or one less piece of state for it. Needs: the origin has a call or such state.
  void remember(const std::string& origin, bool is_more);

  [[nodiscard]] std::size_t size() const { return pins_.size(); }

 private:
  struct Pin {
    std::size_t client = 0;
    std::size_t calls = 0;
    std::size_t remembered = 0;
  };
  struct Load {
    std::size_t calls = 0;
    std::size_t origins = 0;
    auto operator<=>(const Load&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  [[nodiscard]] std::size_t least_loaded() const;
  [[nodiscard]] bool should_move(const Pin& pin) const;
  void forget_idle();

  std::vector<Load> clients_;
  std::size_t idle_max_;
  std::size_t idle_ = 0;
  std::unordered_map<std::string, Pin> pins_;
};

}  // namespace parley::outbound
