#include "outbound/client/client_loop.hpp"

#include <algorithm>
#include <new>

#include "model/check.hpp"
#include "outbound/client/loop_call.hpp"
#include "outbound/clock.hpp"

namespace parley::outbound {
namespace {

// Easy handles kept for later transfers: some 6 KB each, and cheaper to reuse than to create.
constexpr std::size_t spare_max = 256;
// Starting a call takes some 50 us; starting a thousand at once must not delay the answers of others (I65).
constexpr int begins_per_turn = 64;
constexpr std::size_t completions_at_once = 16;

Failure too_late() {
  return {FailureKind::canceled, "the call waited for a slot until it was too late to begin", false};
}

Failure starved(const Url& url) {
  return {FailureKind::rate_limited,
          name_of(url) + " asked for fewer calls and has allowed none for a long time", false};
}

Failure out_of_memory() {
  return {FailureKind::overloaded, "this server has no memory left for the call", false};
}

}  // namespace

ClientLoop::ClientLoop(Surroundings around, Lookup lookup, OnSlowed on_slowed)
    : around_(std::move(around)),
      limits_(around_.limits),
      guard_(around_.guard),
      shared_(around_.shared),
      counters_(around_.counters),
      wire_(limits_),
      resolver_(limits_, std::move(lookup), [this] { wire_.wake(); }),
      slots_(limits_, [this](const std::string& origin, bool is_more) { shared_.remember(origin, is_more); }),
      on_slowed_(std::move(on_slowed)),
      random_(std::random_device()()) {}

ClientLoop::~ClientLoop() {
  CHECK(calls_.empty());
}

void ClientLoop::start(NewCall given) {
  ++counters_.calls;
  auto owned = std::make_unique<Call>();
  Call& call = *owned;
  call.id = given.id;
  call.request = std::move(given.request);
  call.rules = given.rules;
  if (call.rules.begins_within_ms) call.begins_until_ms = now_ms() + *call.rules.begins_within_ms;
  call.completion = std::move(given.completion);
  call.line = {std::move(given.origin), call.rules.provider};
  calls_.emplace(call.id, std::move(owned));
  const std::size_t all = ++shared_.calls;
  if (canceled_groups_.holds(call.request)) return complete(call, canceled(false));
  if (all > limits_.calls_max + limits_.waiting_max)
    return complete(call,
                    Failure{FailureKind::overloaded, "this server has too many calls in progress", false});
  if (auto* failure = std::get_if<Failure>(&given.url)) return complete(call, std::move(*failure));
  call.url = std::get<Url>(std::move(given.url));
  if (auto failure = check_message(call.request)) return complete(call, *std::move(failure));
  if (auto failure = check_url(guard_, call.url, call.request.is_trusted))
    return complete(call, *std::move(failure));
  go_on(call);
}

void ClientLoop::wait_for_slot(Call& call) {
  call.phase = Phase::queued;
  slots_.wait(call.id, call.line);
  watch_queued(call);
}

/// The timer fires when the provider may have failed or admitted no call for too long, and when it is too late
/// to begin.
void ClientLoop::watch_queued(Call& call) {
  const auto wait_ms = call.rules.provider.empty() ? limits_.throttled_ms_max : limits_.open_wait_ms_max;
  set_timer(call, std::min(now_ms() + wait_ms, call.begins_until_ms));
}

bool ClientLoop::was_sent(const Call& call) {
  return call.transfer != nullptr && (call.has_left || call.transfer->was_sent());
}

void ClientLoop::cancel(CallId id) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  Call& call = *found->second;
  const bool was_sent = ClientLoop::was_sent(call);
  leave_phase(call, Health::unknown);
  complete(call, canceled(was_sent));
}

void ClientLoop::cancel_group(const CanceledGroup& canceled) {
  canceled_groups_.add(canceled.group, canceled.epoch);
  std::vector<CallId> unsent;
  for (const auto& [id, call] : calls_) {
    if (canceled_groups_.holds(call->request) && !was_sent(*call)) unsent.push_back(id);
  }
  for (const CallId id : unsent) cancel(id);
  report_completed();
  canceled.done();
}

void ClientLoop::cancel_all() {
  while (!calls_.empty()) cancel(calls_.begin()->first);
  report_completed();
}

void ClientLoop::turn() {
  const bool has_more = admit();
  report_completed();
  publish();
  for (const auto& finished : wire_.run(has_more ? now_ms() : next_turn_ms())) on_finished(finished);
  for (const auto& answer : resolver_.take(now_ms())) on_addresses(answer);
  on_timers();
  report_completed();
}

/// True if more calls may be admitted.
bool ClientLoop::admit() {
  lacks_permit_ = false;
  const auto permit = [this] {
    lacks_permit_ = !shared_.permits.take(around_.number);
    return !lacks_permit_;
  };
  for (int number = 0; number < begins_per_turn; ++number) {
    const auto slot = slots_.next(now_ms(), permit);
    if (slot) {
      begin(*calls_.at(slot->id), slot->pass);
      continue;
    }
    while (!lacks_permit_ && shared_.permits.passed_on(around_.number) > 0)
      wake(shared_.permits.decline(around_.number));
    return false;
  }
  return true;
}

void ClientLoop::wake(std::optional<std::size_t> thread) {
  if (thread) shared_.wake(*thread);
}

void ClientLoop::begin(Call& call, CircuitBreaker::Pass pass) {
  call.phase = Phase::resolving;
  call.pass = pass;
  call.began_ms = now_ms();
  if (call.began_ms >= call.begins_until_ms) {
    leave_phase(call, Health::unknown);
    return complete(call, too_late());
  }
  call.is_sent_again = call.has_left = false;
  ++counters_.attempts;
  if (call.tries.made > 0 || call.throttling.answers > 0) ++counters_.retries;
  set_timer(call, call.began_ms + std::min(call.request.connect_ms, call.request.total_ms));
  if (address_from_text(call.url.host)) return send(call, {});
  if (const auto addresses = resolver_.ask(call.url.host, call.began_ms, call.request.is_trusted))
    return send(call, *addresses);
  resolving_[call.url.host].insert(call.id);
}

void ClientLoop::on_addresses(const Resolver::Answer& answer) {
  const auto found = resolving_.find(answer.name);
  if (found == resolving_.end()) return;
  const auto waiting = std::move(found->second);
  resolving_.erase(found);
  for (const auto id : waiting) {
    Call& call = *calls_.at(id);
    if (!answer.addresses.empty()) {
      send(call, answer.addresses);
      continue;
    }
    on_outcome(call,
               Failure{FailureKind::connect, "the name " + call.url.host + " could not be resolved", false});
  }
}

// One forbidden address forbids the name: mixing public and private addresses under one name has no good reason.
void ClientLoop::send(Call& call, const std::vector<Address>& addresses) {
  const Caller caller{call.url.scheme, call.request.is_trusted};
  for (const auto& address : addresses)
    if (!permits(guard_, address, caller)) return on_outcome(call, refused(call.url));
  try {
    Easy easy;
    if (!spare_.empty()) {
      easy = std::move(spare_.back());
      spare_.pop_back();
    } else {
      easy.reset(curl_easy_init());
      if (!easy) throw std::bad_alloc();
    }
    const bool is_fresh = call.is_sent_again || call.request.needs_fresh_connection;
    const Transfer::Plan plan{call.request,
                              call.url,
                              guard_,
                              limits_,
                              wire_.sockets(),
                              shared_.large_bodies_bytes,
                              call.rules.repeats_after_send,
                              is_fresh,
                              call.began_ms,
                              &call};
    const auto began_ms = call.is_sent_again ? now_ms() : call.began_ms;
    call.transfer = std::make_unique<Transfer>(plan, std::move(easy), addresses, began_ms);
    call.shard = wire_.add(call.transfer->easy(), call.request.is_trusted);
  } catch (const std::bad_alloc&) {
    call.transfer.reset();
    return on_outcome(call, out_of_memory());
  }
  call.phase = Phase::on_wire;
  call.addresses = addresses;
  set_timer(call, call.transfer->wake_at_ms(now_ms()));
}

void ClientLoop::on_timers() {
  const auto now = now_ms();
  while (!timers_.empty() && timers_.begin()->first <= now) {
    Call& call = *calls_.at(timers_.begin()->second);
    clear_timer(call);
    on_overdue(call);
  }
}

void ClientLoop::on_overdue(Call& call) {
  const auto now = now_ms();
  switch (call.phase) {
    case Phase::authorizing: leave_phase(call, Health::unknown); return complete(call, too_late());
    case Phase::queued:
      if (now >= call.begins_until_ms) {
        leave_phase(call, Health::unknown);
        return complete(call, too_late());
      }
      if (slots_.is_starved(call.line, now)) {
        leave_phase(call, Health::unknown);
        return complete(call, starved(call.url));
      }
      // The call may also wait for a slot, which has no other time-out.
      if (!slots_.is_open(call.line)) return watch_queued(call);
      leave_phase(call, Health::unknown);
      return complete(call, last_fault_of(call));
    case Phase::resolving: return on_outcome(call, unresolved(call));
    case Phase::on_wire:
      if (auto failure = call.transfer->overdue(now)) return on_outcome(call, *std::move(failure));
      return set_timer(call, call.transfer->wake_at_ms(now));
    case Phase::resting: return go_on(call);
  }
}

/// The name was not resolved in time: because of its name server, or because no lookup thread was free.
Failure ClientLoop::unresolved(const Call& call) const {
  const auto within = " within " + std::to_string(call.request.connect_ms) + " ms";
  if (resolver_.is_waiting(call.url.host))
    return {FailureKind::overloaded,
            "this server has too many names to look up and did not reach " + call.url.host + within, false};
  return {FailureKind::connect, "the name " + call.url.host + " was not resolved" + within, false};
}

void ClientLoop::on_finished(const CurlPool::Finished& finished) {
  void* self = nullptr;
  curl_easy_getinfo(finished.easy, CURLINFO_PRIVATE, &self);
  Call& call = *static_cast<Call*>(self);
  if (!call.is_sent_again && call.transfer->was_lost_on_kept(finished.code)) return send_again(call);
  auto outcome = call.transfer->outcome(finished.code);
  on_outcome(call, std::move(outcome));
}

// The same attempt with the same slot: for the peer it is the first attempt that it can answer.
void ClientLoop::send_again(Call& call) {
  if (canceled_groups_.holds(call.request)) return on_outcome(call, canceled(was_sent(call)));
  clear_timer(call);
  call.has_left = call.transfer->was_sent();
  leave_wire(call);
  call.phase = Phase::resolving;
  call.is_sent_again = true;
  const auto addresses = std::move(call.addresses);
  send(call, addresses);
}

/// Releases what the phase holds.
void ClientLoop::leave_phase(Call& call, Health health, const Pace::Ended& ended) {
  clear_timer(call);
  switch (call.phase) {
    case Phase::authorizing: return tokens_.forget(*call.request.grant, call.id);
    case Phase::queued: return slots_.forget(call.id, call.line);
    case Phase::resting: return;
    case Phase::resolving: {
      const auto found = resolving_.find(call.url.host);
      if (found == resolving_.end()) break;
      found->second.erase(call.id);
      if (!found->second.empty()) break;
      resolving_.erase(found);
      resolver_.withdraw(call.url.host);
      break;
    }
    case Phase::on_wire: leave_wire(call); break;
  }
  release(call, health, ended);
}

void ClientLoop::release(Call& call, Health health, const Pace::Ended& ended) {
  const auto before = slots_.window(call.line);
  slots_.release(call.line, call.pass, health, now_ms(), ended);
  report_pace(call, before);
  wake(shared_.permits.give_back(around_.number));
}

void ClientLoop::leave_wire(Call& call) {
  counters_.connections += call.transfer->connections();
  counters_.sent_bytes += call.transfer->bytes_sent();
  counters_.received_bytes += static_cast<std::uint64_t>(call.transfer->bytes_received());
  wire_.remove(call.transfer->easy(), call.shard);
  take_easy_back(*call.transfer);
  call.transfer.reset();
}

void ClientLoop::complete(Call& call, HttpOutcome outcome) {
  if (const auto* failure = std::get_if<Failure>(&outcome))
    ++counters_.failures.at(static_cast<std::size_t>(failure->kind));
  else
    ++counters_.answers;
  if (auto* answer = std::get_if<HttpAnswer>(&outcome)) {
    answer->throttling = call.throttling;
    answer->token = call.token;
  }
  const auto owned = std::move(calls_.extract(call.id).mapped());
  --shared_.calls;
  shared_.end(owned->line.origin);
  completed_.push_back({std::move(owned->completion), std::move(outcome), owned->tries.made});
  if (completed_.size() >= completions_at_once) report_completed();
}

// Reports several at once: each report alone would wake an actor's thread and let it sleep again.
void ClientLoop::report_completed() {
  // The loop is in a consistent state when a completion starts or cancels calls.
  for (auto& each : std::exchange(completed_, {})) each.completion(std::move(each.outcome), each.attempts);
}

void ClientLoop::set_timer(Call& call, std::int64_t at_ms) {
  clear_timer(call);
  call.timer_ms = at_ms;
  timers_.emplace(at_ms, call.id);
}

void ClientLoop::clear_timer(Call& call) {
  if (call.timer_ms == never_ms) return;
  timers_.erase({call.timer_ms, call.id});
  call.timer_ms = never_ms;
}

std::int64_t ClientLoop::next_turn_ms() const {
  const auto timer = timers_.empty() ? never_ms : timers_.begin()->first;
  // Without a permit, the loop is woken later.
  return lacks_permit_ ? timer : std::min(timer, slots_.opens_at_ms().value_or(never_ms));
}

void ClientLoop::take_easy_back(Transfer& transfer) {
  if (transfer.is_reusable() && spare_.size() < spare_max) spare_.push_back(transfer.release());
}

void ClientLoop::publish() {
  counters_.on_wire = slots_.on_wire();
  counters_.waiting = calls_.size() - slots_.on_wire();
  counters_.open_breakers = slots_.open_breakers();
  counters_.slowed = slots_.slowed();
}

}  // namespace parley::outbound
