#pragma once
/// An ApiWorld with an agent, a scenario, a test and a run, and results written directly to the store. One
/// thread.

#include "tests/http/support/api_world.hpp"

namespace parley::http {

/// The attributes of a stored result.
struct ResultSpec {
  ResultHead head;
  TestCase test_case;
  ResultExtras extras;
  std::optional<ResultVerdict> verdict;
  std::vector<Entry> entries;
};

class ResultWorld : public ApiWorld {
 public:
  ResultWorld() {
    agent = made("/agents", {{"name", "bot"}, {"type", "EXTERNAL"}});
    personality = made("/personalities", {{"name", "calm"}});
    scenario = made("/scenarios", {{"name", "s"}, {"agents", {agent}}});
    test = made("/tests", {{"scenario", scenario}, {"name", "t"}, {"instruction", "say: hi"}});
    Run stored_run;
    stored_run.stamp = {next_id(), clock.now(), 0};
    stored_run.scenario = {*id_from_text(scenario)};
    stored_run.agent = {*id_from_text(agent)};
    stored_run.personality = Ref<RecordKind::personality>{*id_from_text(personality)};
    stored_run.status = RunStatus::running;
    put(stored_run);
    run = to_text(stored_run.stamp.id);
  }

  template <class T>
  void put(const T& record) {
    store::ChangeSet changes;
    changes.create(record);
    EXPECT_TRUE(commit(changes).ok());
  }

  /// Stores the result and returns its id.
  std::string result(ResultSpec spec) {
    spec.head.stamp = {next_id(), clock.now(), 0};
    spec.head.agent = {*id_from_text(agent)};
    if (spec.head.status == ResultStatus::completed && !spec.verdict) spec.verdict.emplace();
    store::ChangeSet changes;
    changes.create(spec.head);
    changes.put_part(spec.head.stamp.id, spec.test_case);
    changes.put_part(spec.head.stamp.id, spec.extras);
    if (spec.verdict) changes.put_part(spec.head.stamp.id, *spec.verdict);
    EXPECT_TRUE(commit(changes).ok());
    spec.head.stamp.revision = 1;
    for (std::uint32_t i = 0; i < spec.entries.size(); ++i) append(spec.head.stamp, i, spec.entries[i]);
    return to_text(spec.head.stamp.id);
  }

  Entry message(Role role, const std::string& metadata) {
    Entry entry;
    entry.id = next_id();
    entry.role = role;
    entry.content = "text";
    entry.metadata.text = metadata;
    entry.created_at = clock.now();
    return entry;
  }

  std::string variant_with_one_assertion() {
    return made("/tests", {{"scenario", scenario},
                           {"parentTest", test},
                           {"assertions", {{{"id", "mine"}, {"criteria", "x"}}}}});
  }

  std::string agent, personality, scenario, test, run;

 private:
  void append(const Stamp& head, std::uint32_t ordinal, const Entry& entry) {
    const std::string text = entry_json(entry);
    const auto metadata = json::parse(entry.metadata.text);
    store::StoredEntry stored;
    stored.id = entry.id;
    stored.type = entry.type;
    stored.role = entry.role;
    stored.touched_at = entry.created_at;
    if (is_chatbot_message(entry)) stored.measures = measures_of(metadata->root());
    stored.json = text;
    store::ChangeSet changes;
    changes.append_entry(head, ordinal, stored);
    EXPECT_TRUE(commit(changes).ok());
  }
};

}  // namespace parley::http
