#include "actors/sweep_actor.hpp"

#include <spdlog/spdlog.h>

#include "actors/thrown.hpp"
#include "store/erasures.hpp"
#include "store/remembered.hpp"

namespace parley::actors {
namespace {

/// Of one change set: some milliseconds of the writer.
constexpr std::size_t swept_keys_max = 1'000;
constexpr std::size_t erased_entries_max = 2'000;
constexpr std::chrono::milliseconds sweep_again_after{50};
constexpr std::chrono::seconds sweep_rest{60};

}  // namespace

SweepActor::SweepActor(caf::actor_config& config, World& world, Records records)
    : Sweep::base(config), world_(world), records_(std::move(records)) {}

SweepActor::behavior_type SweepActor::make_behavior() {
  set_exception_handler(ends_process("sweeper", world_));
  send(this, Tick{});
  return {
      [this](Tick) { sweep(); },
      [this](const Swept& swept) {
        if (swept.has_more) {
          delayed_send(this, sweep_again_after, Tick{});
        } else {
          delayed_send(this, sweep_rest, Tick{});
        }
      },
  };
}

void SweepActor::on_exit() {
  records_ = nullptr;
}

void SweepActor::sweep() {
  const auto has_more = std::make_shared<bool>(false);
  const auto decide = [has_more](const store::Snapshot& snapshot, Time now,
                                 IdSource&) -> Result<store::ChangeSet> {
    store::ChangeSet changes;
    const std::size_t keys = store::forget_expired(snapshot, now, swept_keys_max, changes);
    TRY(erased, store::erase_leftovers(snapshot, erased_entries_max, changes));
    *has_more = keys == swept_keys_max || erased;
    return changes;
  };
  const auto tell = [has_more, self = Sweep{this}](const Result<Done>& swept) {
    if (!swept.ok()) spdlog::warn("sweep stopped reason=\"{}\"", swept.problem().detail);
    caf::anon_send(self, Swept{swept.ok() && *has_more});
  };
  send(records_, RecordsRequest{decide, tell});
}

}  // namespace parley::actors
