#pragma once
/// Agents under test (D70). Secrets are write-only (D23): the stored form is ciphertext.

#include "model/description/record.hpp"
#include "model/limits.hpp"
#include "model/records/applied.hpp"

namespace parley {

struct Agent {
  Stamp stamp;
  std::string name;
  std::string type;
  json::Text config;
  json::Text metadata;
  json::Text secrets;
  std::optional<Ref<RecordKind::user>> owner;
  bool is_enabled = true;
  bool is_archived = false;
  /// For a LOCAL agent: the name that its runner reports (D73).
  std::optional<std::string> unique_identifier;
  std::optional<Time> last_seen_at;  ///< heartbeat of its runner, to the minute
  Applied applied;

  static constexpr bool described = true;
  static constexpr RecordKind kind = RecordKind::agent;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.stamp(self.stamp);
    v.field("name", self.name, Rules{.chars_max = limits::name_chars_max}, "The display name of the agent.");
    v.field("type", self.type, Rules{.chars_max = 64, .body_schema = "AgentType"},
            "Who calls the agent; empty counts as EXTERNAL.");
    v.field("config", self.config, Rules{.bytes_max = limits::record_json_bytes_max, .minimal = false},
            "Settings of the type.");
    v.field("metadata", self.metadata, Rules{.bytes_max = limits::metadata_bytes_max, .minimal = false},
            "Anything the owner wants to keep.");
    v.field("secrets", self.secrets,
            Rules{.bytes_max = limits::record_json_bytes_max, .minimal = false, .body_schema = "Secrets"},
            "Write-only: reads show each key with \"***\".");
    v.field("owner", self.owner, Rules{.access = Access::service},
            "The user whose API key created the record.");
    v.field("isEnabled", self.is_enabled, Rules{}, "A disabled agent cannot be used.");
    v.field("isArchived", self.is_archived, Rules{}, "Archived records are listed only on request.");
    v.field("uniqueIdentifier", self.unique_identifier,
            Rules{.access = Access::service, .shown_if_null = false},
            "What the runner of a LOCAL agent calls itself.");
    v.field("lastSeenAt", self.last_seen_at, Rules{.access = Access::service, .shown_if_null = false},
            "When the runner of a LOCAL agent last reported, to the minute.");
    describe_applied(self.applied, v);
  }
};

/// Agent types (D70), in the order in which messages list them.
inline constexpr std::array<std::string_view, 7> agent_types{"",     "EXTERNAL", "LOCAL", "GITHUB",
                                                             "HTTP", "OPENAI",   "DEMO"};
/// Whether the type is one of agent_types. The service itself calls server-driven agents.
[[nodiscard]] bool is_agent_type(std::string_view type);
[[nodiscard]] bool is_server_driven(std::string_view type);
/// Who drives the conversation of a result, given the agent's type; if all are false, the client does.
struct Driving {
  bool by_service = false;
  bool by_person = false;    ///< a person plays the tester and the service asks the agent (D52)
  bool by_workflow = false;  ///< the workflow of a GITHUB agent (D72)
};
[[nodiscard]] Driving driving_of(std::string_view type, bool is_manual);
/// Types whose results the service creates at a launch (D43): hosted, LOCAL, GITHUB.
[[nodiscard]] bool gets_results_at_launch(std::string_view type);

}  // namespace parley
