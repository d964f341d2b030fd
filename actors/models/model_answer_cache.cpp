#include "actors/models/model_answer_cache.hpp"

#include <array>

#include "actors/base/commit_outcome.hpp"
#include "outbound/redaction/reply_redaction.hpp"
#include "store/side/answer_cache_table.hpp"

namespace parley::actors {

std::string kept_as(const Services& services, const ResultHead& head, ModelRole role,
                    const outbound::HttpRequest& request) {
  // A retry must be played again, especially if the model's answer caused the failure.
  if (!services.settings.keeps_answers || head.previous) return {};
  const std::string repetition = std::to_string(head.repetition.value_or(0));
  const std::array<std::string_view, 4> parts{role == ModelRole::tester ? "tester" : "judge", request.url,
                                              request.body, repetition};
  return store::answer_digest(parts);
}

std::optional<outbound::HttpOutcome> find_kept(const Services& services, const std::string& kept_as) {
  if (kept_as.empty()) return std::nullopt;
  auto body = guarded<std::optional<std::string>>(
      [&] { return store::kept_answer(services.store.snapshot(), kept_as); });
  if (!body || !*body) return std::nullopt;
  outbound::HttpAnswer answer;
  answer.status = 200;
  answer.body = std::move(**body);
  return outbound::HttpOutcome(std::move(answer));
}

void keep_answer(const Writer& writer, const std::string& kept_as, const outbound::HttpOutcome& outcome,
                 const outbound::ChatEndpoint& endpoint) {
  const auto* answer = std::get_if<outbound::HttpAnswer>(&outcome);
  if (kept_as.empty() || answer == nullptr) return;
  std::string body = answer->body;
  outbound::ReplyRedaction(outbound::secrets_of(endpoint)).hide(body);
  if (body != answer->body) return;
  store::ChangeSet changes;
  store::keep_answer(changes, kept_as, answer->body);
  if (!changes.writes.empty()) caf::anon_send(writer, Commit{std::move(changes)});
}

}  // namespace parley::actors
