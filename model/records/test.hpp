#pragma once
/// Tests: an instruction for the tester and the assertions on the conversation. A test with a parent is a
/// variant, whose instruction and assertions are an overlay (D41).

#include "model/description/record.hpp"
#include "model/limits.hpp"
#include "model/records/applied.hpp"
#include "model/records/assertion.hpp"
#include "model/records/entry.hpp"
#include "model/values/warning.hpp"

namespace parley {

struct Test {
  Stamp stamp;
  std::string name;
  std::string description;
  bool is_enabled = true;
  bool is_archived = false;
  Ref<RecordKind::scenario> scenario;
  std::string instruction;
  std::vector<Assertion> assertions;
  json::Text fields;
  std::optional<Ref<RecordKind::external_log>> source_conversation_log;  ///< the source of its script
  std::optional<std::string> parent_test;  ///< an id; stays a string in responses (D8)
  json::Text metadata;
  std::vector<std::string> tags;
  std::vector<HistoryMessage> history;
  std::optional<std::vector<Warning>> warnings;  ///< never stored: found when one test is shown (D97)
  Applied applied;

  static constexpr bool described = true;
  static constexpr RecordKind kind = RecordKind::test;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.stamp(self.stamp);
    v.field("name", self.name, Rules{.chars_max = limits::name_chars_max}, "The display name of the test.");
    v.field("description", self.description, Rules{.bytes_max = limits::description_bytes_max},
            "What it is about.");
    v.field("isEnabled", self.is_enabled, Rules{}, "Whether scenario runs include the test.");
    v.field("isArchived", self.is_archived, Rules{}, "Archived records are listed only on request.");
    v.field("scenario", self.scenario, Rules{.access = Access::create, .required = true},
            "The owning scenario.");
    v.field("instruction", self.instruction, Rules{.bytes_max = limits::instruction_bytes_max},
            "What the tester is to do; a script, line by line, unless a model plays the tester: `say: TEXT`, "
            "or just TEXT, `invoke: NAME {..}`, `if /RE2/ say: TEXT`, "
            "`end if /RE2/`, `max turns: N`, `end`.");
    v.field("assertions", self.assertions, Rules{.items_max = limits::assertions_max},
            "The checks to score.");
    v.field("fields", self.fields, Rules{.bytes_max = limits::record_json_bytes_max},
            "Values of the test's custom fields.");
    v.field("sourceConversationLog", self.source_conversation_log, Rules{.access = Access::create},
            "The external log that it replays; without an instruction the log's user turns become the "
            "script.");
    v.field("parentTest", self.parent_test, Rules{.access = Access::create},
            "Makes the test a variant of its parent.");
    v.field("metadata", self.metadata, Rules{.bytes_max = limits::test_metadata_bytes_max},
            "Any object; copied into the metadata of each result, which agents receive.");
    v.field("tags", self.tags, Rules{.chars_max = limits::tag_chars_max, .items_max = limits::test_tags_max},
            "Words to choose tests by: lists filter by one, and testConfigs name some.");
    v.field("history", self.history, Rules{.items_max = limits::history_messages_max},
            "Messages recorded before the first turn. Agents and models see them; no assertion counts them.");
    v.field("warnings", self.warnings, Rules{.access = Access::service, .shown_if_null = false},
            "Why results of the test may mean less than they seem to; not in lists.");
    describe_applied(self.applied, v);
  }
};

}  // namespace parley
