#include "http/views/result_view.hpp"

#include <algorithm>
#include <array>

#include "http/views/link.hpp"
#include "http/views/result_warnings.hpp"
#include "model/description/stored_text.hpp"
#include "model/outcome/state_letter.hpp"
#include "model/records/service_metadata.hpp"
#include "model/values/metadata.hpp"

namespace parley::http {
namespace {

/// Space for a result with about ten entries, so that a typical answer grows without copying.
constexpr std::size_t usual_bytes = 8 * 1024;

/// The inputs of one result's view.
struct Source {
  const store::Snapshot& snapshot;
  const ResultHead& head;
  const Cut* cut;
  const Linker& linker;
  std::size_t bytes_max = SIZE_MAX;  ///< no entry is written after this many bytes

  [[nodiscard]] std::uint32_t bound() const { return cut == nullptr ? store::no_bound : cut->entries; }
};

/// Further results of a walk over the entries.
struct Walked {
  MeasureSums sums;
  Time touched;
};

template <RecordKind K>
void write_link(json::Writer& out, std::string_view name, const std::optional<Ref<K>>& link,
                const Linker& linker) {
  out.key(name);
  if (link) {
    linker.append(out, K, link->id);
  } else {
    out.null();
  }
}

void write_time(json::Writer& out, std::string_view name, const std::optional<Time>& time) {
  out.member_or_null(name, time ? std::optional(to_text(*time)) : std::nullopt);
}

void write_mean(json::Writer& out, std::string_view name, const MeasureSum& sum) {
  out.key(name);
  if (const auto mean = sum.mean()) {
    out.number(*mean);
  } else {
    out.null();
  }
}

void write_averages(json::Writer& out, const MeasureSums& sums) {
  out.key("averages").begin_object();
  write_mean(out, "responseTime", sums.response_time);
  write_mean(out, "inputTokens", sums.input_tokens);
  write_mean(out, "outputTokens", sums.output_tokens);
  write_mean(out, "cost", sums.cost);
  out.end_object();
}

template <class Number>
void write_known(json::Writer& out, std::string_view name, const std::optional<Number>& number) {
  out.key(name);
  if (!number) {
    out.null();
  } else if constexpr (std::is_same_v<Number, double>) {
    out.number(*number);
  } else {
    out.integer(*number);
  }
}

void write_use(json::Writer& out, std::string_view role, const std::optional<ModelUse>& use) {
  if (!use) return;
  out.key(role).begin_object();
  out.member("model", use->model);
  out.key("calls").integer(use->calls);
  out.key("repeated").integer(use->repeated);
  write_known(out, "inputTokens", use->input_tokens);
  write_known(out, "outputTokens", use->output_tokens);
  write_known(out, "cost", use->cost);
  out.end_object();
}

/// The usage of tester and judge models, separate from the agent's averages; left out if no model was used.
void write_usage(json::Writer& out, const ResultHead& head) {
  if (!head.tester_use && !head.judge_use) return;
  out.key("usage").begin_object();
  write_use(out, "tester", head.tester_use);
  write_use(out, "judge", head.judge_use);
  out.end_object();
}

/// Walks over the entries; if `out` is given, also writes them as an array.
Expected<Walked> walk(const Source& source, json::Writer* out) {
  Walked walked;
  if (out != nullptr) out->key("conversation").begin_array();
  const auto visit = [&](std::uint32_t, const store::StoredEntry& entry) {
    if (out != nullptr) out->raw(entry.json);
    walked.touched = std::max(walked.touched, entry.touched_at);
    if (entry.type == EntryType::message && entry.role == Role::chatbot) walked.sums.add(entry.measures);
    return out == nullptr || out->size() <= source.bytes_max;
  };
  auto done = source.snapshot.for_each_entry(source.head, visit, source.bound());
  if (!done) return std::move(done).problem();
  if (out != nullptr) out->end_array();
  return walked;
}

/// Sums for a minimal row: the sums stored at scoring, or else computed from the entry headers.
Expected<Walked> summed(const Source& source) {
  if (!source.head.sums) return walk(source, nullptr);
  TRY(newest, source.snapshot.newest_change(source.head));
  return Walked{*source.head.sums, newest};
}

/// Writes the assertions with their verdicts; all are pending before the verdict exists (D32).
Expected<Done> write_assertion_results(json::Writer& out, const Source& source) {
  out.key("assertionResults");
  if (is_terminal(source.head.status)) {  // a cut from before the verdict must not show it
    TRY(verdict, source.snapshot.verdict(source.head));
    if (verdict) {
      out.raw(verdict->assertion_results.text);
      return Done{};
    }
  }
  TRY(test_case, source.snapshot.part<TestCase>(source.head));
  std::vector<AssertionResult> pending;
  if (test_case) {
    for (Assertion& assertion : test_case->assertions)
      pending.push_back({std::move(assertion), {}, {}, {}, {}});
  }
  out.raw(shown_results(pending).text);
  return Done{};
}

Expected<ResultExtras> extras_of(const Source& source) {
  if (source.cut != nullptr && source.cut->extras) return *source.cut->extras;
  TRY(extras, source.snapshot.part<ResultExtras>(source.head));
  return std::move(extras).value_or(ResultExtras{});
}

void write_links(json::Writer& out, const ResultHead& head, const Linker& linker) {
  write_link(out, "test", head.test, linker);
  write_link(out, "run", head.run, linker);
  out.key("agent");
  linker.append(out, RecordKind::agent, head.agent.id);
  write_link(out, "personality", head.personality, linker);
  write_link(out, "sourceConversationLog", head.source_conversation_log, linker);
}

void write_state(json::Writer& out, const ResultHead& head) {
  out.member("status", word_of(head.status));
  const char letter = state_letter(head);
  out.member("state", std::string_view(&letter, 1));
  out.key("isEnded").boolean(head.is_ended());
  out.key("endReason");
  if (head.end_reason) {
    out.string(word_of(*head.end_reason));
  } else {
    out.null();
  }
  out.member("completionMode", word_of(head.completion_mode));
  write_time(out, "scoringEnqueuedAt", head.scoring_enqueued_at);
  out.key("overallPassed").boolean(head.overall_passed);
  out.key("score").integer(head.score);
  out.key("isManual").boolean(head.is_manual);
  out.key("isArchived").boolean(head.is_archived);
  out.member_or_null("retiredBy", head.retired_by);
  write_time(out, "testCreatedAt", head.test_created_at);
}

/// Writes the findings on a finished result: its claim check and its review.
Expected<Done> write_findings(json::Writer& out, const Source& source) {
  std::string claims = "[]";
  if (source.head.has_claims) {
    TRY(stored, source.snapshot.part<StoredClaims>(source.head));
    if (stored) claims = std::move(stored->claims.text);
  }
  out.key("claims").raw(claims);
  std::string review = "null";
  if (source.head.has_review) {
    TRY(stored, source.snapshot.part<StoredReview>(source.head));
    if (stored) review = std::move(stored->review.text);
  }
  out.key("review").raw(review);
  return Done{};
}

/// Reads only the instruction, without parsing the rest of the case. Empty for a result that was deleted in the
/// meantime.
Expected<std::string> instruction_of(const store::Snapshot& snapshot, const ResultHead& head) {
  TRY(test_case, snapshot.raw<TestCase>(head.stamp.id));
  if (test_case) return stored_member(test_case->payload, "instruction");
  TRY(deleted, snapshot.lost_part(head, store::TableId::result_cases, head.stamp.id.key()));
  return std::string();
}

/// Writes the parts that only full rows show, except the conversation.
Expected<Done> write_heavy(json::Writer& out, const Source& source) {
  TRY_DONE(write_assertion_results(out, source));
  TRY(extras, extras_of(source));
  out.key("metadata").raw(shown_metadata(extras.metadata, source.head).text);
  TRY_DONE(write_findings(out, source));
  out.key("externalLinks").begin_array();
  for (const json::Text& link : extras.external_links) out.raw(link.text);
  out.end_array();
  return Done{};
}

}  // namespace

json::Text shown_metadata(const json::Text& client, const ResultHead& head) {
  const json::Text own = service_metadata(head);
  if (own == json::Text{}) return client;
  return client == json::Text{} ? own : merged(client, own);
}

namespace {

enum class Part : std::uint8_t { conversation, heavy };

/// `shows`: whether a large part is written.
template <class Shows>
Expected<Done> write_parts(json::Writer& out, const Source& source, const Shows& shows) {
  const store::Snapshot& snapshot = source.snapshot;
  const ResultHead& head = source.head;
  const Linker& linker = source.linker;
  const bool has_conversation = shows(Part::conversation);
  TRY(instruction, instruction_of(snapshot, head));
  out.member("id", to_text(head.stamp.id));
  out.member("createdAt", to_text(head.stamp.created_at()));
  write_links(out, head, linker);
  write_state(out, head);
  const WriteMode warned_in = shows(Part::heavy) ? WriteMode::full : WriteMode::minimal;
  TRY_DONE(write_warnings(out, snapshot, head, source.bound(), warned_in));
  TRY(walked, has_conversation ? walk(source, &out) : summed(source));
  out.member("updatedAt", to_text(std::max(head.stamp.updated_at, walked.touched)));
  out.member("testInstruction", instruction);
  write_averages(out, walked.sums);
  write_usage(out, head);
  if (shows(Part::heavy)) {
    TRY_DONE(write_heavy(out, source));
  }
  return Done{};
}

}  // namespace

Expected<Done> write_result(json::Writer& out, const store::Snapshot& snapshot, const ResultHead& head,
                            const Cut* cut, WriteMode mode, const Linker& linker) {
  out.begin_object();
  TRY_DONE(write_parts(out, {snapshot, head, cut, linker}, [&](Part) { return mode == WriteMode::full; }));
  out.end_object();
  return Done{};
}

Expected<std::string> result_head_json(const store::Snapshot& snapshot, const ResultHead& head) {
  const SnapshotLinker linker(snapshot);
  json::Writer out;
  out.begin_object();
  TRY_DONE(
      write_parts(out, {snapshot, head, nullptr, linker}, [](Part part) { return part == Part::heavy; }));
  out.key("entries").integer(snapshot.entry_count(head.stamp.id));
  out.end_object();
  return std::move(out).text();
}

namespace {

Expected<std::string> full_text(const store::Snapshot& snapshot, const ResultHead& head, const Cut* cut,
                                std::size_t bytes_max) {
  const SnapshotLinker linker(snapshot);
  json::Writer out;
  out.reserve(usual_bytes);
  out.begin_object();
  TRY_DONE(write_parts(out, {snapshot, head, cut, linker, bytes_max}, [](Part) { return true; }));
  out.end_object();
  return std::move(out).text();
}

}  // namespace

Expected<std::string> result_json(const store::Snapshot& snapshot, const ResultHead& head, const Cut* cut) {
  return full_text(snapshot, head, cut, SIZE_MAX);
}

Expected<std::optional<std::string>> short_result_json(const store::Snapshot& snapshot,
                                                       const ResultHead& head, std::size_t bytes_max) {
  TRY(text, full_text(snapshot, head, nullptr, bytes_max));
  if (text.size() > bytes_max) return std::optional<std::string>();
  return std::optional(std::move(text));
}

namespace {

SortKey time_key(const std::optional<Time>& time) {
  return time ? SortKey(time->ms) : SortKey();
}

struct SortField {
  std::string_view name;
  SortKey (*key)(const ResultHead& head);
};

/// The sortable fields of the result head.
constexpr std::array sort_fields{
    SortField{"status", [](const ResultHead& head) { return SortKey(std::string(word_of(head.status))); }},
    SortField{"state", [](const ResultHead& head) { return SortKey(std::string(1, state_letter(head))); }},
    SortField{"isEnded", [](const ResultHead& head) { return SortKey(head.is_ended()); }},
    SortField{"endReason",
              [](const ResultHead& head) {
                return head.end_reason ? SortKey(std::string(word_of(*head.end_reason))) : SortKey();
              }},
    SortField{"completionMode",
              [](const ResultHead& head) { return SortKey(std::string(word_of(head.completion_mode))); }},
    SortField{"scoringEnqueuedAt", [](const ResultHead& head) { return time_key(head.scoring_enqueued_at); }},
    SortField{"overallPassed", [](const ResultHead& head) { return SortKey(head.overall_passed); }},
    SortField{"score", [](const ResultHead& head) { return SortKey(head.score); }},
    SortField{"isManual", [](const ResultHead& head) { return SortKey(head.is_manual); }},
    SortField{"isArchived", [](const ResultHead& head) { return SortKey(head.is_archived); }},
    SortField{"testCreatedAt", [](const ResultHead& head) { return time_key(head.test_created_at); }},
    SortField{"retiredBy",
              [](const ResultHead& head) { return head.retired_by ? SortKey(*head.retired_by) : SortKey(); }},
};

}  // namespace

std::vector<std::string_view> sortable_of_results() {
  std::vector<std::string_view> names{"id", "createdAt", "updatedAt", "testInstruction"};
  for (const SortField& field : sort_fields) names.push_back(field.name);
  return names;
}

Expected<std::optional<SortKey>> result_sort_key(const store::Snapshot& snapshot, const Id& id,
                                                 std::string_view field) {
  if (field == "testInstruction") {
    TRY(test_case, snapshot.find<TestCase>(id));
    if (!test_case && snapshot.has(RecordKind::test_result, id))
      return snapshot.report(store::TableId::result_cases, id.key());
    return std::optional<SortKey>(test_case ? SortKey(std::move(test_case->instruction)) : SortKey());
  }
  TRY(head, snapshot.find<ResultHead>(id));
  if (!head) return std::optional<SortKey>{};
  if (field == "updatedAt") {
    TRY(updated, snapshot.newest_change(*head));
    return std::optional<SortKey>(updated.ms);
  }
  const auto found = std::find_if(sort_fields.begin(), sort_fields.end(),
                                  [&](const SortField& each) { return each.name == field; });
  return found == sort_fields.end() ? std::optional<SortKey>{} : std::optional(found->key(*head));
}

}  // namespace parley::http
