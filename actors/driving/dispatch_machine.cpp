#include "actors/driving/dispatch_machine.hpp"

namespace parley::actors {

std::vector<Id> DispatchMachine::on(const Offer& offer) {
  Queue& queue = queues_[offer.run];
  queue.slots_max = offer.slots_max;
  for (const Id& result : offer.results) {
    if (places_.try_emplace(result, Place{offer.run, false}).second) queue.waiting.push_back(result);
  }
  let_in_turn(offer.run, queue);
  return fill();
}

std::vector<Id> DispatchMachine::release(std::span<const Id> results) {
  for (const Id& result : results) {
    const auto place = places_.find(result);
    if (place == places_.end()) continue;
    const Id run = place->second.run;
    const auto queue = queues_.find(run);
    if (place->second.is_driven) {
      --driven_;
      --queue->second.driven;
    }
    places_.erase(place);
    let_in_turn(run, queue->second);
    const bool is_spent = queue->second.driven == 0 && queue->second.waiting.empty();
    if (is_spent && !queue->second.is_in_turn) queues_.erase(queue);
  }
  return fill();
}

void DispatchMachine::withdraw(std::span<const Id> results) {
  for (const Id& result : results) {
    const auto place = places_.find(result);
    if (place != places_.end() && !place->second.is_driven) places_.erase(place);
  }
}

void DispatchMachine::let_in_turn(const Id& run, Queue& queue) {
  if (queue.is_in_turn || queue.waiting.empty() || queue.driven >= queue.slots_max) return;
  queue.is_in_turn = true;
  turns_.push_back(run);
}

Id DispatchMachine::next_of(Queue& queue) {
  while (!queue.waiting.empty()) {
    const Id result = queue.waiting.front();
    queue.waiting.pop_front();
    const auto place = places_.find(result);
    if (place == places_.end() || place->second.is_driven) continue;
    place->second.is_driven = true;
    return result;
  }
  return {};
}

std::vector<Id> DispatchMachine::fill() {
  std::vector<Id> started;
  while (driven_ < slots_max_ && !turns_.empty()) {
    const Id run = turns_.front();
    turns_.pop_front();
    const auto found = queues_.find(run);
    Queue& queue = found->second;
    queue.is_in_turn = false;
    const Id result = next_of(queue);
    if (!result.is_nil()) {
      ++queue.driven;
      ++driven_;
      started.push_back(result);
    }
    let_in_turn(run, queue);
    if (queue.driven == 0 && queue.waiting.empty()) queues_.erase(found);
  }
  return started;
}

}  // namespace parley::actors
