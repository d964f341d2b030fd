#include "outbound/admission/canceled_groups.hpp"

namespace parley::outbound {

void CanceledGroups::add(const Id& group, std::uint64_t epoch) {
  epochs_[group] = epoch;
  in_order_.emplace_back(epoch, group);
  if (in_order_.size() <= groups_max_) return;
  const auto [oldest, forgotten] = in_order_.front();
  in_order_.pop_front();
  forgotten_ = oldest;
  const auto found = epochs_.find(forgotten);
  if (found != epochs_.end() && found->second == oldest) epochs_.erase(found);
}

bool CanceledGroups::holds(const HttpRequest& request) const {
  if (request.group.is_nil()) return false;
  if (request.epoch < forgotten_) return true;
  const auto found = epochs_.find(request.group);
  return found != epochs_.end() && request.epoch < found->second;
}

}  // namespace parley::outbound
