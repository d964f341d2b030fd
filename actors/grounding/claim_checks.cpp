#include "actors/grounding/claim_checks.hpp"

#include "actors/models/model_call.hpp"
#include "actors/result/result_loading.hpp"
#include "scoring/prompts/claim_question.hpp"

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

std::vector<std::string_view> views_of(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
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

Expected<std::optional<CheckedClaims>> load_traced(const store::Snapshot& snapshot, const Id& result,
                                                   std::int64_t detection,
                                                   const std::optional<Agent>& agent) {
  TRY(head, snapshot.find<ResultHead>(result));
  if (!head || !is_terminal(head->status)) return std::optional<CheckedClaims>{};
  if (head->has_claims) {
    TRY(stored, snapshot.part<StoredClaims>(*head));
    if (stored && stored->detection == detection) return std::optional<CheckedClaims>{};
  }
  TRY(entries, load_entries(snapshot, *head));
  CheckedClaims traced{result, detection, std::move(entries), head->end_reason, {}};
  if (agent) traced.knowledge = knowledge_of(*agent);
  return std::optional(std::move(traced));
}

void trace(CheckedClaims& traced) {
  traced.claims = scoring::trace_claims({traced.entries, traced.end_reason}, views_of(traced.knowledge));
}

std::variant<outbound::HttpRequest, CallFault> prose_question(const outbound::ChatEndpoint& judge,
                                                              const CheckedClaims& traced) {
  auto asked =
      scoring::claims_question({traced.entries, traced.end_reason}, views_of(traced.knowledge), new_fence());
  if (const auto* fault = std::get_if<CallFault>(&asked)) return *fault;
  return outbound::chat_request(judge, std::get<ChatRequest>(asked));
}

std::optional<VoidAnswer> add_prose(CheckedClaims& traced, const outbound::HttpOutcome& outcome,
                                    const outbound::ChatEndpoint& judge) {
  const auto chat = chat_of(outcome, judge);
  if (const auto* nothing = std::get_if<VoidAnswer>(&chat)) return *nothing;
  auto read = scoring::read_claims({traced.entries, traced.end_reason}, views_of(traced.knowledge),
                                   std::get<ChatAnswer>(chat));
  if (const auto* fault = std::get_if<CallFault>(&read)) return VoidAnswer{*fault, true};
  auto& prose = std::get<std::vector<scoring::ExtractedClaim>>(read);
  traced.claims.insert(traced.claims.end(), prose.begin(), prose.end());
  return std::nullopt;
}

}  // namespace parley::actors
