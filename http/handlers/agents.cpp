// Agents: config by type (D70-D72), and write-only secrets (D23).

#include "http/bodies/agent_secrets.hpp"
#include "http/handlers/record_operations.hpp"
#include "outbound/agents/agent_config.hpp"

namespace parley::http {
template <>
struct Specials<Agent> : NoSpecials<Agent> {
  static void complete(Agent& agent, const Draft& draft) {
    agent.owner = Ref<RecordKind::user>{draft.call.principal.user};
  }
  static void check(const Agent& agent, const Agent* before, const Draft& draft, Findings& findings) {
    if (before == nullptr || before->type != agent.type || before->config != agent.config) {
      outbound::check_agent_config(agent, findings);
    }
    check_secrets(draft.body, agent.type, "", findings);
  }
  static Expected<Done> settle(Agent& agent, const Agent* before, const Draft& draft, Time /*now*/,
                               IdSource& /*ids*/) {
    agent.secrets = sealed_secrets(agent, before, draft.body, draft.context.secrets);
    return Done{};
  }
  static void filter(QueryReader& reader, const RequestContext& /*call*/, store::ListQuery& query) {
    if (const auto type = reader.text("type"))
      add_filter(query, store::Facet::type, {store::value_of(*type)});
    filter_by_id(reader, query, "owner", RecordKind::user, store::Facet::owner);
    filter_by_project(reader, query);
  }
  static void show(const Agent& agent, RecordWriter& writer) {
    auto redacted = texts_in(agent.secrets);
    for (auto& [name, text] : redacted) text = secret_mask;
    writer.show_as("secrets", object_of(redacted).text);
  }
};

template struct RecordOperations<Agent>;

}  // namespace parley::http
