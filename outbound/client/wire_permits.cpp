#include "outbound/client/wire_permits.hpp"

namespace parley::outbound {

bool WirePermits::take(std::size_t client) {
  Client& mine = clients_.at(client);
  if (mine.passed_on > 0) {
    --mine.passed_on;  // only the client's own thread takes it
    return true;
  }
  if (take_free()) {
    if (mine.lacks_permit) mine.lacks_permit = false;
    return true;
  }
  mine.lacks_permit = true;
  // A permit may have been returned before the mark was visible, so try again.
  if (!take_free()) return false;
  mine.lacks_permit = false;
  return true;
}

// The permit is free before the marks are read, so a client that starts to wait in the meantime finds it or is found.
std::optional<std::size_t> WirePermits::give_back(std::size_t client) {
  --out_;
  const std::size_t count = clients_.size();
  for (std::size_t step = 1; step < count; ++step) {
    Client& other = clients_[(client + step) % count];
    if (!other.lacks_permit) continue;
    if (!take_free()) return std::nullopt;  // the thread that took it returns it and checks again
    if (other.lacks_permit.exchange(false)) {
      ++other.passed_on;
      return (client + step) % count;
    }
    --out_;  // that client was served in the meantime
    step = 0;
  }
  return std::nullopt;
}

std::optional<std::size_t> WirePermits::decline(std::size_t client) {
  --clients_.at(client).passed_on;
  return give_back(client);
}

bool WirePermits::take_free() {
  std::size_t out = out_;
  while (out < most_) {
    if (out_.compare_exchange_weak(out, out + 1)) return true;
  }
  return false;
}

}  // namespace parley::outbound
