#pragma once
/// A random history of records, for tests of what must hold after every history. One thread.

#include <random>

#include "tests/store/world.hpp"

namespace parley::store {

/// Random creates, replaces, erases and cancels of scenarios, runs and results.
class History {
 public:
  explicit History(unsigned seed) : random_(seed) {
    for (int i = 0; i < 3; ++i) links_.push_back(world.id());
  }

  void step() {
    switch (random_() % 8) {
      case 0: return change(scenarios, random_scenario(world.scenario()));
      case 1: return change(runs, random_run(world.run()));
      case 2: return cancel();
      default: return change(results, random_result(world.result(any_run(), link())));
    }
  }

  World world;
  std::vector<Scenario> scenarios;
  std::vector<parley::Run> runs;
  std::vector<ResultHead> results;

 private:
  Id link() { return links_[random_() % links_.size()]; }
  bool chance() { return random_() % 2 == 0; }
  parley::Run any_run() {
    if (runs.empty()) change(runs, created(world.run()));
    return runs[random_() % runs.size()];
  }

  Scenario random_scenario(Scenario record) {
    record.is_archived = chance();
    record.folders.clear();
    for (const Id& id : links_) {
      if (chance()) record.folders.push_back({id});
    }
    record.created_by.reset();
    if (chance()) record.created_by = Ref<RecordKind::user>{link()};
    return record;
  }
  parley::Run random_run(parley::Run record) {
    record.is_archived = chance();
    record.status = static_cast<RunStatus>(random_() % 6);
    record.personality.reset();
    if (chance()) record.personality = Ref<RecordKind::personality>{link()};
    return record;
  }
  ResultHead random_result(ResultHead record) {
    record.is_archived = chance();
    record.status = static_cast<ResultStatus>(random_() % 5);
    record.is_decided = chance();
    record.overall_passed = chance();
    record.score = static_cast<std::int64_t>(random_() % 101);
    record.retired_by.reset();
    if (random_() % 4 == 0) record.retired_by = to_text(link());
    if (chance()) record.test.reset();
    if (random_() % 8 == 0) record.run.reset();
    record.sums.reset();
    if (chance())
      record.sums = MeasureSums{{0.1 * static_cast<double>(random_() % 1000), 3}, {7, 1}, {}, {1e-7, 1}};
    return record;
  }
  Scenario another(const Scenario& record) { return random_scenario(record); }
  parley::Run another(const parley::Run& record) { return random_run(record); }
  ResultHead another(const ResultHead& record) { return random_result(record); }

  /// Creates `fresh`, or replaces or erases an existing record.
  template <class T>
  void change(std::vector<T>& known, T fresh) {
    ChangeSet set;
    if (known.size() < 5 || random_() % 3 == 0) {
      set.create(fresh);
      known.push_back(created(fresh));
    } else {
      const std::size_t at = random_() % known.size();
      if (random_() % 6 == 0) {
        set.erase(known[at]);
        known.erase(known.begin() + static_cast<std::ptrdiff_t>(at));
      } else {
        T after = another(known[at]);
        after.stamp.revision = set.replace(known[at], after);
        known[at] = after;
      }
    }
    world.must_commit(set);
  }

  void cancel() {
    ChangeSet set;
    set.cancel_live({any_run().stamp.id, Time{noon.ms + ++world.clock_ms}});
    const Outcome outcome = world.commit(set);
    ASSERT_EQ(outcome.kind, Outcome::Kind::committed);
    for (ResultHead& head : results) {
      const auto& ids = outcome.canceled;
      if (std::find(ids.begin(), ids.end(), head.stamp.id) != ids.end())
        head = world.get<ResultHead>(head.stamp.id);
    }
  }

  std::mt19937 random_;
  std::vector<Id> links_;
};

}  // namespace parley::store
