#pragma once
/// Results written to the store without the API, for tests whose gateway has no actors.

#include "tests/http/support/api_world.hpp"

namespace parley::http {

inline Id id_of(const std::string& text) {
  return id_from_text(text).value_or(Id{});
}

/// A stored run of the agent.
inline Run stored_run(ApiWorld& world, const std::string& scenario, const std::string& agent,
                      RunStatus status) {
  Run run;
  run.stamp = {world.next_id(), world.clock.now(), 1};
  run.scenario.id = id_of(scenario);
  run.agent.id = id_of(agent);
  run.status = status;
  store::ChangeSet changes;
  changes.create(run);
  EXPECT_TRUE(world.commit(changes).ok());
  return run;
}

/// A stored result of the agent.
inline ResultHead stored_result(ApiWorld& world, const std::string& agent, const std::optional<Id>& run,
                                ResultStatus status = ResultStatus::pending) {
  ResultHead head;
  head.stamp = {world.next_id(), world.clock.now(), 1};
  head.agent.id = id_of(agent);
  if (run) head.run = Ref<RecordKind::run>{*run};
  head.status = status;
  if (is_terminal(status)) head.end_reason = EndReason::tester_ended;
  store::ChangeSet changes;
  changes.create(head);
  changes.put_part(head.stamp.id, TestCase{"say: hi", {}});
  if (status == ResultStatus::completed) changes.put_part(head.stamp.id, ResultVerdict{});
  EXPECT_TRUE(world.commit(changes).ok());
  return head;
}

/// Changes the status of the result.
inline void move_to(ApiWorld& world, ResultHead& head, ResultStatus status) {
  ResultHead after = head;
  after.status = status;
  store::ChangeSet changes;
  after.stamp.revision = changes.replace(head, after);
  if (status == ResultStatus::completed) changes.put_part(head.stamp.id, ResultVerdict{});
  EXPECT_TRUE(world.commit(changes).ok());
  head = after;
}

}  // namespace parley::http
