#include "scoring/prompts/criteria_question.hpp"

#include <algorithm>

#include "model/json/json_writer.hpp"
#include "model/text/shown_text.hpp"
#include "scoring/prompts/citations.hpp"
#include "scoring/support/scope.hpp"

namespace parley::scoring {
namespace {

constexpr std::string_view criterion_task =
    "You judge one criterion on the transcript of a conversation between a tester and a chatbot.\n";

constexpr std::string_view criterion_form =
    "- Judge what the chatbot did, by the transcript alone. That the chatbot says it did something is not "
    "yet that it did it: look for the tool call, event or message itself where the criterion asks for one.\n"
    "- verdict: passed if the criterion holds, failed if it does not or if the transcript does not show that "
    "it does.\n"
    "- reason: one or two sentences.\n"
    "- evidence: the entries that the verdict rests on, each with a quote copied character by character out "
    "of that entry's content, name or metadata. A passed verdict needs at least one.\n"
    "- Answer with one JSON object and nothing else: "
    R"({"verdict":"passed"|"failed","reason":"...","evidence":[{"entry":"e1","quote":"..."}]})"
    "\n\nThe criterion, as a JSON string:\n";

constexpr std::string_view history_note =
    "- Entries with \"history\": true were recorded before the conversation began. They are context and are "
    "not "
    "judged.\n";
constexpr std::size_t beginning_chars = 300;

constexpr std::string_view cut_note = " (The judge was shown only the beginnings of the longest texts.)";

constexpr std::string_view answer_schema =
    R"({"type":"object","properties":{)"
    R"("verdict":{"type":"string","enum":["passed","failed"]},)"
    R"("reason":{"type":"string"},)"
    R"("evidence":{"type":"array","items":{"type":"object","properties":{)"
    R"("entry":{"type":"string"},"quote":{"type":"string"}},)"
    R"("required":["entry","quote"],"additionalProperties":false}}},)"
    R"("required":["verdict","reason","evidence"],"additionalProperties":false})";

/// Describes the part of the transcript that is judged, if it is not the whole transcript.
std::string scope_note(const Subject& subject, const Assertion& assertion) {
  std::string note;
  const bool has_history = std::any_of(subject.entries.begin(), subject.entries.end(),
                                       [](const Entry& entry) { return entry.is_history; });
  if (has_history) note += history_note;
  const auto config = json::parse(assertion.config ? assertion.config->text : "{}");
  if (!config.ok()) return note;
  CompiledPatterns none;
  const auto scope = turn_scope_of(config->root(), Conversation(subject, none));
  if (scope && scope->turn) {
    note += "- Judge only what the chatbot did in the entries whose turn is " + std::to_string(*scope->turn) +
            ". All other entries are context.\n";
  }
  return note;
}

std::string system_text(const Subject& subject, const Assertion& assertion, std::string_view marker) {
  std::string criterion;
  json::append_quoted(criterion, assertion.criteria.value_or(""));
  return std::string(criterion_task) + about_transcript(marker) + scope_note(subject, assertion) +
         std::string(criterion_form) + shown_text(criterion);
}

Judged read_object(const Subject& subject, const json::Value& root) {
  const auto verdict = *root.find("verdict");
  const auto reason = *root.find("reason");
  const auto evidence = *root.find("evidence");
  const std::string_view word = verdict.is(json::Kind::string) ? verdict.string() : "";
  if (word != "passed" && word != "failed")
    return wrong_shape("has a verdict that is neither passed nor failed");
  auto said = reason_of(reason);
  if (!said) return wrong_shape("gives no reason");
  auto entries = cited(subject, evidence);
  if (const auto* fault = std::get_if<CallFault>(&entries)) return *fault;
  Judgement judgement{word == "passed", std::move(*said), std::get<std::vector<Id>>(std::move(entries)),
                      quotes_of(subject, evidence)};
  if (judgement.passed && judgement.evidence.empty()) {
    return CallFault{"no_evidence", "The judge let the criterion pass without citing any entry."};
  }
  return judgement;
}

}  // namespace

json::Text shown_use(const ModelUse& use) {
  json::Writer out;
  out.begin_object();
  out.member("model", use.model);
  out.key("inputTokens");
  use.input_tokens ? out.integer(*use.input_tokens) : out.null();
  out.key("outputTokens");
  use.output_tokens ? out.integer(*use.output_tokens) : out.null();
  out.key("cost");
  use.cost ? out.number(*use.cost) : out.null();
  out.end_object();
  return {std::move(out).text()};
}

bool needs_model(const AssertionResult& result) {
  return result.assertion.type == "criteria" && result.status == AssertionStatus::skipped;
}

std::variant<CriteriaQuestion, CallFault> criteria_question(const Subject& subject,
                                                            const Assertion& assertion,
                                                            std::string_view fence) {
  auto fenced = fenced_transcript(subject, fence);
  if (const auto* fault = std::get_if<CallFault>(&fenced)) return *fault;
  auto& transcript = std::get<FencedTranscript>(fenced);
  ChatRequest request;
  request.messages.push_back({ChatRole::system, system_text(subject, assertion, transcript.marker)});
  request.messages.push_back({ChatRole::user, std::move(transcript.text)});
  request.response = ChatSchema{"verdict", json::Text{std::string(answer_schema)}};
  return CriteriaQuestion{std::move(request), transcript.is_cut};
}

Judged read_judgement(const Subject& subject, const ChatAnswer& answer) {
  const auto object = object_of(answer, {"verdict", "reason", "evidence"});
  if (const auto* fault = std::get_if<CallFault>(&object)) return *fault;
  return read_object(subject, std::get<json::Document>(object).root());
}

std::string beginning_of(const ChatAnswer& answer) {
  if (!answer.content) return {};
  const std::string_view text = *answer.content;
  std::size_t end = 0;
  for (std::size_t chars = 0; end < text.size() && chars < beginning_chars; ++chars) {
    ++end;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) ++end;
  }
  return shown_text(text.substr(0, end)) + (end < text.size() ? "..." : "");
}

AssertionResult judged_result(const Assertion& assertion, const Judged& judged, const ModelUse& use,
                              bool saw_cut_texts) {
  AssertionResult result{assertion, AssertionStatus::error, {}, {}, shown_use(use)};
  if (const auto* fault = std::get_if<CallFault>(&judged)) {
    result.reason = "No valid verdict (" + fault->code + "): " + fault->detail;
    return result;
  }
  const auto& judgement = std::get<Judgement>(judged);
  result.status = judgement.passed ? AssertionStatus::passed : AssertionStatus::failed;
  result.reason = judgement.reason;
  if (saw_cut_texts) result.reason += cut_note;
  for (const Id& id : judgement.evidence) result.evidence.push_back(to_text(id));
  result.quotes = judgement.quotes;
  return result;
}

}  // namespace parley::scoring
