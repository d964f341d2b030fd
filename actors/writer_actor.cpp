#include "actors/writer_actor.hpp"

#include "model/limits.hpp"

namespace parley::actors {

WriterActor::WriterActor(caf::actor_config& config, World& world) : Writer::base(config), world_(world) {}

WriterActor::behavior_type WriterActor::make_behavior() {
  return {
      [this](Commit& commit) { return gather(commit); },
      [this](Flush) { flush(); },
  };
}

void WriterActor::on_exit() {
  flush();
}

WriterActor::Promise WriterActor::gather(Commit& commit) {
  // The first put after a commit sends Flush behind everything that is waiting already: no timer, no added latency.
  if (batch_.empty()) send(this, Flush{});
  batch_.push_back(std::move(commit.changes));
  promises_.push_back(make_response_promise<Promise>());
  Promise promise = promises_.back();
  if (batch_.size() >= limits::batch_change_sets_max) flush();
  return promise;
}

void WriterActor::flush() {
  if (batch_.empty()) return;
  const std::vector<store::ChangeSet> batch = std::move(batch_);
  std::vector<Promise> promises = std::move(promises_);
  batch_.clear();
  promises_.clear();
  std::vector<store::Outcome> outcomes = world_.store.committer().commit(batch);
  for (std::size_t i = 0; i < promises.size(); ++i) promises[i].deliver(std::move(outcomes[i]));
  if (world_.store.committer().is_broken() && !told_broken_) {
    told_broken_ = true;
    if (world_.on_broken_store)
      world_.on_broken_store("a commit failed; the state on disk is unknown until a restart");
  }
}

}  // namespace parley::actors
