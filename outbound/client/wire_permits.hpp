#pragma once
/// WirePermits: limits the calls that all clients together may have on the wire. A client that gets no permit
/// waits. The next returned permit goes to a waiting client, in turn, so that no client takes them all.
///
/// Thread: any; `client` is the caller's own number. Invariant: at most `most` permits are in use, including
/// those that were passed on.

#include <atomic>
#include <cstddef>
#include <optional>
#include <vector>

namespace parley::outbound {

class WirePermits {
 public:
  WirePermits(std::size_t most, std::size_t clients) : most_(most), clients_(clients) {}

  /// False: the client now waits, and is woken when a permit is passed on to it.
  [[nodiscard]] bool take(std::size_t client);
  /// Returns the client to wake, to which the permit was passed on; nullopt: no client, or the caller itself.
  [[nodiscard]] std::optional<std::size_t> give_back(std::size_t client);
  /// The number of permits that were passed on to the client and not used yet.
  [[nodiscard]] std::size_t passed_on(std::size_t client) const { return clients_.at(client).passed_on; }
  /// Returns a permit that was passed on and is not needed. Result: as give_back().
  [[nodiscard]] std::optional<std::size_t> decline(std::size_t client);

  [[nodiscard]] std::size_t out() const { return out_; }

 private:
  struct Client {
    std::atomic<bool> lacks_permit = false;
    std::atomic<std::size_t> passed_on = 0;
  };
  [[nodiscard]] bool take_free();

  std::size_t most_;
  std::atomic<std::size_t> out_ = 0;
  std::vector<Client> clients_;
};

}  // namespace parley::outbound
