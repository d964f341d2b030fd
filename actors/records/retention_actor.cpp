#include "actors/records/retention_actor.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "actors/base/actor_failure.hpp"
#include "actors/base/commit_outcome.hpp"

namespace parley::actors {
namespace {

/// The pause between two steps that found nothing, so that a long walk does not occupy a thread.
constexpr std::chrono::milliseconds pause_between_steps{10};

}  // namespace

RetentionActor::RetentionActor(caf::actor_config& config, Services& services, Records records)
    : Retention::base(config), services_(services), records_(std::move(records)) {}

RetentionActor::behavior_type RetentionActor::make_behavior() {
  set_exception_handler(ends_process("retention actor", services_));
  delayed_send(this, rest(), Tick{});
  return {
      [this](Tick) { step(); },
      [this](const Removed& removed) { go_on(removed); },
  };
}

void RetentionActor::on_exit() {
  records_ = nullptr;
}

Time RetentionActor::cutoff() const {
  return Time{services_.clock.now().ms - services_.settings.retention_ms};
}

std::chrono::milliseconds RetentionActor::rest() const {
  return std::chrono::milliseconds{
      std::clamp<std::int64_t>(services_.settings.retention_ms / 10, 1'000, 3'600'000)};
}

void RetentionActor::step() {
  const auto found =
      guarded<std::optional<Expired>>([this] { return walk_.check(services_.store.snapshot(), cutoff()); });
  if (!found.ok()) spdlog::error("retention stopped at a record reason=\"{}\"", found.problem().detail);
  if (found.ok() && *found) return remove(**found);
  delayed_send(this, walk_.is_over() ? rest() : pause_between_steps, Tick{});
}

void RetentionActor::go_on(const Removed& removed) {
  if (removed.is_gone) return step();
  delayed_send(this, rest(), Tick{});  // a full disk or a busy store: further deletions would fail too
}

void RetentionActor::remove(const Expired& expired) {
  const auto decide = [expired, at = cutoff()](const store::Snapshot& snapshot, Time now, IdSource&) {
    return deletion_of(snapshot, expired, at, now);
  };
  const auto on_done = [self = Retention{this}, expired](Expected<Done> removed) {
    if (removed.ok()) {
      spdlog::info("retention removed kind=\"{}\" id={}", noun_of(expired.kind), to_text(expired.id));
    } else {
      spdlog::warn("retention skipped a record id={} reason=\"{}\"", to_text(expired.id),
                   removed.problem().detail);
    }
    caf::anon_send(self, Removed{removed.ok()});
  };
  send(records_, RecordsRequest{decide, on_done});
}

}  // namespace parley::actors
