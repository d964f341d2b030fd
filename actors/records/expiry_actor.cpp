#include "actors/records/expiry_actor.hpp"

#include <spdlog/spdlog.h>

#include <utility>

#include "actors/base/actor_failure.hpp"
#include "store/side/idempotency_records.hpp"
#include "store/side/pending_erasures.hpp"
#include "store/side/sessions.hpp"

namespace parley::actors {
namespace {

/// Per change set: a few milliseconds of the writer's time.
constexpr std::size_t swept_keys_max = 1'000;
constexpr store::ErasureBound erased_max{2'000, 4 * 1024 * 1024};
constexpr std::chrono::milliseconds sweep_again_after{50};
constexpr std::chrono::seconds sweep_rest{60};

}  // namespace

ExpiryActor::ExpiryActor(caf::actor_config& config, Services& services, Records records)
    : Expiry::base(config), services_(services), records_(std::move(records)) {}

ExpiryActor::behavior_type ExpiryActor::make_behavior() {
  set_exception_handler(ends_process("sweeper", services_));
  send(this, Tick{});
  return {
      [this](Tick) { sweep(); },
      [this](const ExpiryStepDone& swept) {
        has_more_ = has_more_ || swept.has_more;
        if (swept.step == ExpiryStepDone::Step::keys) return erase();
        if (std::exchange(has_more_, false)) {
          delayed_send(this, sweep_again_after, Tick{});
        } else {
          delayed_send(this, sweep_rest, Tick{});
        }
      },
  };
}

void ExpiryActor::on_exit() {
  records_ = nullptr;
}

void ExpiryActor::sweep() {
  const auto has_more = std::make_shared<bool>(false);
  const auto decide = [has_more](const store::Snapshot& snapshot, Time now,
                                 IdSource&) -> Expected<store::ChangeSet> {
    store::ChangeSet changes;
    *has_more = store::forget_expired(snapshot, now, swept_keys_max, changes) == swept_keys_max;
    store::forget_ended_sessions(snapshot, now, swept_keys_max, changes);
    return changes;
  };
  const auto on_done = [has_more, self = Expiry{this}](const Expected<Done>& swept) {
    if (!swept.ok()) spdlog::warn("sweep of keys stopped reason=\"{}\"", swept.problem().detail);
    caf::anon_send(self, ExpiryStepDone{ExpiryStepDone::Step::keys, swept.ok() && *has_more});
  };
  send(records_, RecordsRequest{decide, on_done});
}

void ExpiryActor::erase() {
  const auto step = std::make_shared<store::ErasureStep>();
  const auto decide = [step](const store::Snapshot& snapshot, Time, IdSource&) -> Expected<store::ChangeSet> {
    store::ChangeSet changes;
    *step = store::erase_leftovers(snapshot, erased_max, changes);
    return changes;
  };
  const auto on_done = [step, self = Expiry{this}](const Expected<Done>& swept) {
    if (!swept.ok()) {
      spdlog::warn("sweep of deleted texts stopped reason=\"{}\"", swept.problem().detail);
    } else {
      for (const Id& id : step->damaged) {
        spdlog::warn("damaged table=erasures result={} effect=\"the rest of it was found from its texts\"",
                     to_text(id));
      }
    }
    caf::anon_send(self, ExpiryStepDone{ExpiryStepDone::Step::texts, swept.ok() && step->has_more});
  };
  send(records_, RecordsRequest{decide, on_done});
}

}  // namespace parley::actors
