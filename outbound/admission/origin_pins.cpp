#include "outbound/admission/origin_pins.hpp"

#include <algorithm>

#include "model/check.hpp"

namespace parley::outbound {
namespace {

/// A smaller difference does not justify new connections.
constexpr std::size_t clearly_more = 32;

template <class Pin>
bool is_idle(const Pin& pin) {
  return pin.calls == 0 && pin.remembered == 0;
}

}  // namespace

std::size_t OriginPins::begin(const std::string& origin) {
  auto found = pins_.find(origin);
  if (found == pins_.end()) {
    if (idle_ >= idle_max_) forget_idle();
    found = pins_.emplace(origin, Pin{least_loaded()}).first;
    ++clients_.at(found->second.client).origins;
  } else if (is_idle(found->second)) {
    --idle_;
    if (should_move(found->second)) {
      --clients_.at(found->second.client).origins;
      found->second.client = least_loaded();
      ++clients_.at(found->second.client).origins;
    }
  }
  Pin& pin = found->second;
  ++pin.calls;
  ++clients_.at(pin.client).calls;
  return pin.client;
}

void OriginPins::end(const std::string& origin) {
  const auto found = pins_.find(origin);
  CHECK(found != pins_.end() && found->second.calls > 0);
  Pin& pin = found->second;
  --pin.calls;
  --clients_.at(pin.client).calls;
  if (is_idle(pin)) ++idle_;
}

void OriginPins::remember(const std::string& origin, bool is_more) {
  const auto found = pins_.find(origin);
  CHECK(found != pins_.end() && !is_idle(found->second));
  Pin& pin = found->second;
  CHECK(is_more || pin.remembered > 0);
  is_more ? ++pin.remembered : --pin.remembered;
  if (is_idle(pin)) ++idle_;
}

std::size_t OriginPins::least_loaded() const {
  return static_cast<std::size_t>(std::min_element(clients_.begin(), clients_.end()) - clients_.begin());
}

bool OriginPins::should_move(const Pin& pin) const {
  const std::size_t mine = clients_.at(pin.client).calls;
  return mine > 2 * clients_.at(least_loaded()).calls + clearly_more;
}

void OriginPins::forget_idle() {
  std::erase_if(pins_, [this](const auto& entry) {
    if (!is_idle(entry.second)) return false;
    --clients_.at(entry.second.client).origins;
    return true;
  });
  idle_ = 0;
}

}  // namespace parley::outbound
