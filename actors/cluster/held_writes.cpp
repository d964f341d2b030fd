#include "actors/cluster/held_writes.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "actors/base/commit_outcome.hpp"

namespace parley::actors {
namespace {

bool is(ProblemKind kind, const outbound::HttpAnswer& answer) {
  const ProblemRow& row = row_of(kind);
  return answer.status == row.status &&
         answer.body.find("/problems/" + std::string(row.slug)) != std::string::npos;
}

/// An earlier sending of the same write is still being processed.
bool is_under_way(const outbound::HttpAnswer& answer) {
  return is(ProblemKind::idempotency_key_in_progress, answer);
}

/// The node that was called lost the lead before it knew the outcome.
bool is_in_doubt(const outbound::HttpAnswer& answer) {
  return is(ProblemKind::in_doubt, answer);
}

/// The write did not happen on that node and will not: another node leads, or soon will.
bool is_from_no_leader(const outbound::HttpAnswer& answer) {
  return is(ProblemKind::no_leader, answer);
}

std::size_t bytes_of(const PeerRequest& request) {
  constexpr std::size_t fields_bytes = 2'048;
  return request.body.size() + fields_bytes;
}

}  // namespace

void HeldWrites::enter(PeerRequest request, Done done, std::int64_t now_ms) {
  ++figures_.forwarded;
  const std::size_t bytes = bytes_of(request);
  if (held_.size() >= held_writes_max || bytes_ + bytes > held_bytes_max) {
    ++figures_.failed;
    return done(problem(ProblemKind::busy, "too many writes wait for the leader; send it again in a moment"));
  }
  bytes_ += bytes;
  const bool was_lost = request.is_doubtful;
  held_.emplace(++number_, Held{std::move(request), std::move(done), now_ms, now_ms, Id{}, false, was_lost});
}

void HeldWrites::led_by(const Id& leader, std::int64_t now_ms) {
  if (leader.is_nil() || leader == leader_) return;
  leader_ = leader;
  led_since_ms_ = now_ms;
}

std::optional<HeldWrites::Sending> HeldWrites::next(std::int64_t now_ms) {
  for (auto& [number, held] : held_) {
    if (held.is_out || now_ms < held.not_before_ms) continue;
    held.is_out = true;
    held.asked = leader_;
    const std::int64_t left = held.since_ms + write_answered_ms + held.request.wait_ms - now_ms;
    return Sending{number, &held.request, std::max<std::int64_t>(left, 1)};
  }
  return std::nullopt;
}

void HeldWrites::hold(Held& held, std::int64_t now_ms) {
  held.is_out = false;
  held.not_before_ms = now_ms + send_again_ms;
  if (!std::exchange(held.was_held, true)) ++figures_.held;
}

void HeldWrites::returned(std::uint64_t number, outbound::HttpOutcome outcome, std::int64_t now_ms) {
  const auto place = held_.find(number);
  if (place == held_.end() || !place->second.is_out) return;
  Held& held = place->second;
  if (auto* answered = std::get_if<outbound::HttpAnswer>(&outcome)) {
    if (is_from_no_leader(*answered) || (held.was_lost && is_under_way(*answered))) return hold(held, now_ms);
    if (held.request.has_key && is_in_doubt(*answered)) return lost(place, now_ms);
    return answer(place, std::move(*answered));
  }
  if (!std::get<outbound::Failure>(outcome).was_sent) return hold(held, now_ms);
  lost(place, now_ms);
}

void HeldWrites::lost(Place place, std::int64_t now_ms) {
  Held& held = place->second;
  if (!held.request.has_key || std::exchange(held.was_lost, true)) return answer(place, in_doubt());
  hold(held, now_ms);
}

void HeldWrites::drop_old_leader(std::int64_t now_ms) {
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, held] : held_) {
    const std::int64_t waits = held.request.has_key ? old_leader_answers_keyed_ms : old_leader_answers_ms;
    const bool is_late = now_ms - led_since_ms_ >= waits + held.request.wait_ms;
    if (held.is_out && held.asked != leader_ && is_late) numbers.push_back(number);
  }
  for (const std::uint64_t number : numbers) {
    auto taken = held_.extract(number);
    taken.key() = ++number_;  // late answers of the old leader then match no write
    lost(held_.insert(std::move(taken)).position, now_ms);
  }
}

void HeldWrites::settle(bool leads_here, std::int64_t now_ms) {
  drop_old_leader(now_ms);
  std::vector<Place> over;
  for (auto place = held_.begin(); place != held_.end(); ++place) {
    const Held& held = place->second;
    const std::int64_t age = now_ms - held.since_ms;
    const bool is_late = age >= write_answered_ms + held.request.wait_ms;
    const std::int64_t held_for = held.was_lost ? 2 * write_held_ms : write_held_ms;
    if (is_late || (!held.is_out && (leads_here || age >= held_for))) over.push_back(place);
  }
  for (const Place place : over) {
    const Held& held = place->second;
    if (leads_here && !held.is_out) {
      answer(place, LeadsHere{held.was_lost});
    } else {
      answer(place, held.is_out || held.was_lost ? PeerOutcome(in_doubt()) : PeerOutcome(no_leader()));
    }
  }
}

void HeldWrites::answer(Place place, PeerOutcome outcome) {
  if (std::holds_alternative<Problem>(outcome)) ++figures_.failed;
  const Done done = std::move(place->second.done);
  bytes_ -= bytes_of(place->second.request);
  held_.erase(place);
  done(std::move(outcome));
}

}  // namespace parley::actors
