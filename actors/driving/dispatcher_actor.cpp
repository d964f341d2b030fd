#include "actors/driving/dispatcher_actor.hpp"

#include <spdlog/spdlog.h>

#include "actors/base/actor_failure.hpp"
#include "actors/base/commit_outcome.hpp"

namespace parley::actors {

DispatcherActor::DispatcherActor(caf::actor_config& config, Services& services, Workflow workflow,
                                 DispatchFigures& figures)
    : Dispatcher::base(config),
      services_(services),
      workflow_(std::move(workflow)),
      figures_(figures),
      machine_(services.settings.driving_paused ? 0 : services.settings.conversations_max) {}

DispatcherActor::behavior_type DispatcherActor::make_behavior() {
  set_exception_handler(ends_process("dispatcher", services_));
  return {
      [this](DriveThese& these) {
        if (these.by_workflow) {
          if (services_.settings.driving_paused) return;  // the next start offers them again
          send(workflow_, StartWorkflow{these.run, std::move(these.results)});
          return;
        }
        start(machine_.on(Offer{these.run.value_or(Id{}), slots_of(these.run), std::move(these.results)}));
      },
      [this](const Released& released) { start(machine_.release(released.results)); },
      [this](const Withdrawn& withdrawn) {
        machine_.withdraw(withdrawn.results);
        start({});
      },
      [this](const Introduce& introduce) { directory_ = caf::actor_cast<Directory>(introduce.directory); },
  };
}

void DispatcherActor::on_exit() {
  directory_ = nullptr;
  workflow_ = nullptr;
}

std::int64_t DispatcherActor::slots_of(const std::optional<Id>& run) const {
  if (!run) return services_.settings.conversations_max;
  const auto found = guarded<std::optional<Run>>([&] { return services_.store.snapshot().find<Run>(*run); });
  if (!found) spdlog::error("run unreadable run={} detail=\"{}\"", to_text(*run), found.problem().detail);
  const bool has_own = found && *found && (*found)->max_concurrent_tests > 0;
  return has_own ? (*found)->max_concurrent_tests : services_.settings.tests_max;
}

void DispatcherActor::start(const std::vector<Id>& results) {
  for (const Id& id : results) send(directory_, DriveResult{id});
  figures_.driven = machine_.driven();
  figures_.waiting = machine_.waiting();
}

}  // namespace parley::actors
