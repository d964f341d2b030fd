#include "actors/sweep_actor.hpp"

#include "store/remembered.hpp"

namespace parley::actors {
namespace {

/// Keys of one change set: some milliseconds of the writer.
constexpr std::size_t swept_keys_max = 1'000;
constexpr std::chrono::milliseconds sweep_again_after{50};
constexpr std::chrono::seconds sweep_rest{60};

}  // namespace

SweepActor::SweepActor(caf::actor_config& config, World& world, Records records)
    : Sweep::base(config), world_(world), records_(std::move(records)) {}

SweepActor::behavior_type SweepActor::make_behavior() {
  send(this, Tick{});
  return {
      [this](Tick) { sweep(); },
      [this](const Swept& swept) {
        if (swept.keys == swept_keys_max) {
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
  const auto keys = std::make_shared<std::size_t>(0);
  send(records_, RecordsRequest{[keys](const store::Snapshot& snapshot, Time now,
                                       IdSource&) -> Result<store::ChangeSet> {
                                  store::ChangeSet changes;
                                  *keys = store::forget_expired(snapshot, now, swept_keys_max, changes);
                                  return changes;
                                },
                                [keys, self = Sweep{this}](const Result<Done>& swept) {
                                  caf::anon_send(self, Swept{swept.ok() ? *keys : 0});
                                }});
}

}  // namespace parley::actors
