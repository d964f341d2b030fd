#include "actors/tracing.hpp"

#include "actors/result_loading.hpp"
#include "scoring/claims.hpp"

namespace parley::actors {
namespace {

void add_texts(const std::optional<json::Value>& value, std::vector<std::string>& texts) {
  if (!value) return;
  if (value->is(json::Kind::string)) texts.emplace_back(value->string());
  if (!value->is(json::Kind::array)) return;
  for (const json::Value& item : value->children()) {
    if (item.is(json::Kind::string)) texts.emplace_back(item.string());
  }
}

}  // namespace

std::vector<std::string> knowledge_of(const Agent& agent) {
  std::vector<std::string> texts;
  if (const auto metadata = json::parse(agent.metadata.text))
    add_texts(metadata->root().find("knowledge"), texts);
  if (agent.type != "OPENAI") return texts;
  if (const auto config = json::parse(agent.config.text)) add_texts(config->root().find("system"), texts);
  return texts;
}

Result<std::optional<KeepClaims>> trace_result(const store::Snapshot& snapshot, const Id& result,
                                               std::int64_t detection,
                                               const std::vector<std::string>& knowledge) {
  TRY(head, snapshot.find<ResultHead>(result));
  if (!head || !is_terminal(head->status)) return std::optional<KeepClaims>{};
  if (head->has_claims) {
    TRY(stored, snapshot.find<StoredClaims>(result));
    if (stored && stored->detection == detection) return std::optional<KeepClaims>{};
  }
  TRY(entries, load_entries(snapshot, result));
  const std::vector<std::string_view> given(knowledge.begin(), knowledge.end());
  const auto claims = scoring::trace_claims({entries, head->end_reason}, given);
  return std::optional(KeepClaims{detection, scoring::shown_claims(claims)});
}

}  // namespace parley::actors
