#include "actors/cluster/read_barrier.hpp"

#include <algorithm>
#include <utility>

namespace parley::actors {

ReadGround ground_without_leader(const NodeView& view, WhenLeaderless rule, std::int64_t now_ms) {
  using enum ReadGround::Kind;
  const std::int64_t age_ms = now_ms - view.complete_ms;
  const bool is_too_old = view.complete_ms == 0 || age_ms > stale_ms_max;
  if (rule == WhenLeaderless::refuse || view.role == NodeRole::joining || is_too_old) return {refused, 0};
  return {stale, std::max<std::int64_t>(age_ms, 0)};
}

void ReadBarrier::enter(Done done, std::int64_t now_ms) {
  waiting_.push_back({std::move(done), now_ms, 0, std::nullopt});
}

std::optional<std::uint64_t> ReadBarrier::ask(std::int64_t now_ms) {
  const auto has_none = [](const Waiting& each) { return each.question == 0; };
  if (is_asking_ || now_ms < ask_after_ms_ || std::none_of(waiting_.begin(), waiting_.end(), has_none))
    return std::nullopt;
  is_asking_ = true;
  ++questions_;
  for (Waiting& each : waiting_) {
    if (has_none(each)) each.question = questions_;
  }
  return questions_;
}

void ReadBarrier::answered(std::uint64_t question, std::optional<std::uint64_t> head, std::int64_t now_ms) {
  if (question != questions_) return;
  is_asking_ = false;
  if (!head) ask_after_ms_ = now_ms + ask_again_ms;
  for (Waiting& each : waiting_) {
    if (each.question != question) continue;
    each.head = head;
    if (!head) each.question = 0;
  }
}

void ReadBarrier::settle(const NodeView& view, bool leads_here, std::int64_t now_ms) {
  std::vector<std::pair<Done, ReadGround>> over;
  std::erase_if(waiting_, [&](Waiting& each) {
    const bool is_current = leads_here || (each.head && view.applied >= *each.head);
    const bool is_late = now_ms - each.since_ms >= read_waits_ms;
    // Another node often leads within that time. After that, reads at a node without a known leader do not
    // wait for an answer.
    const bool was_long = now_ms - view.complete_ms >= read_waits_ms;
    const bool is_hopeless =
        view.role == NodeRole::joining || (view.role == NodeRole::leaderless && was_long);
    if (!is_current && !is_late && !(is_hopeless && !each.head)) return false;
    over.emplace_back(std::move(each.done),
                      is_current ? ReadGround{} : ground_without_leader(view, rule_, now_ms));
    return true;
  });
  for (auto& [done, ground] : over) done(ground);
}

std::uint64_t ReadBarrier::wanted() const {
  std::uint64_t most = 0;
  for (const Waiting& each : waiting_) most = std::max(most, each.head.value_or(0));
  return most;
}

}  // namespace parley::actors
