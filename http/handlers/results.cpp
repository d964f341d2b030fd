// Test results: reading, listing, patching, retrying, finishing. result_create.cpp creates them.

#include "http/bodies/result_bodies.hpp"
#include "http/exchange/idempotency.hpp"
#include "http/exchange/record_lookup.hpp"
#include "http/handlers/handlers.hpp"
#include "http/handlers/long_poll.hpp"
#include "http/handlers/result_replies.hpp"
#include "http/protocol/transport_limits.hpp"
#include "http/views/failure_of.hpp"
#include "http/views/link.hpp"
#include "model/outcome/state_letter.hpp"
#include "model/records/service_metadata.hpp"

namespace parley::http {
namespace {

/// Metadata keys that belong to the server must be sent unchanged, if at all (D46). They are not stored in the
/// metadata.
void check_service_keys(json::Text& metadata, const ResultHead& head, Findings& findings) {
  ServiceKeys found = without_service_keys(metadata, head);
  for (Fault& fault : found.faults) findings.add(std::move(fault.pointer), std::move(fault.detail));
  metadata = std::move(found.rest);
}

/// The fault that the client reports together with the status failed (D101).
std::optional<actors::ReportedFailure> error_of(ResultPatchBody& patch, Findings& findings) {
  if (!patch.error) return std::nullopt;
  if (patch.status != ResultStatus::failed) findings.add("/error", "is for the status failed");
  ReportedError& error = *patch.error;
  const bool is_known = error.source == FaultSource::agent || error.source == FaultSource::client ||
                        error.source == FaultSource::infrastructure;
  if (!is_known) findings.add("/error/source", "must be agent, client or infrastructure");
  return actors::ReportedFailure{error.source, std::move(error.code), std::move(error.detail)};
}

Expected<actors::PatchResult> patch_of(const store::Snapshot& snapshot, const RequestContext& call,
                                       const ResultHead& head, In<ResultPatchBody> in) {
  ResultPatchBody& patch = in.body;
  if (patch.metadata && !in.findings.has("/metadata")) check_service_keys(*patch.metadata, head, in.findings);
  auto error = error_of(patch, in.findings);
  TRY_DONE(in.check());
  TRY(if_updated_at, wanted_update(snapshot, call, head));
  return actors::PatchResult{
      patch.status,  patch.completion_mode, std::move(patch.metadata), std::move(patch.external_links),
      if_updated_at, std::move(error)};
}

/// Unfinished if the result without `output=head` has more than `bytes_max` bytes.
Expected<Reply> shown_within(std::size_t bytes_max, const store::Snapshot& snapshot,
                             const RequestContext& call, const ResultHead& head) {
  QueryReader reader(call.query);
  const bool is_head = reader.word("output", {"full", "head"}) == "head";
  TRY_DONE(reader.result());
  if (is_head) {
    TRY(shown, result_head_json(snapshot, head));
    return tagged_reply(std::move(shown), call.if_none_match);
  }
  TRY(shown, short_result_json(snapshot, head, bytes_max));
  if (!shown) return cut_short();
  return tagged_reply(std::move(*shown), call.if_none_match);
}

Expected<Reply> shown_result(const store::Snapshot& snapshot, const RequestContext& call,
                             const ResultHead& head) {
  return shown_within(SIZE_MAX, snapshot, call, head);
}

/// The list filters that need the result head, in addition to the facets.
struct HeadFilter {
  std::string letters;  ///< empty: any
  std::optional<bool> overall_passed;
  std::optional<std::string> group;

  [[nodiscard]] bool is_set() const { return !letters.empty() || overall_passed || group; }
  [[nodiscard]] bool is_in_group(const store::Snapshot& snapshot, const ResultHead& head) const {
    if (!group) return true;
    const auto signature = group_of(snapshot, head, state_letter(head));
    return signature.ok() && !signature->empty() && *signature == *group;
  }
  [[nodiscard]] bool passes(const ResultHead& head) const {
    if (overall_passed && head.overall_passed != *overall_passed) return false;
    return letters.empty() || letters.find(state_letter(head)) != std::string::npos;
  }
};

/// The state letters of `state`, with or without commas.
std::string read_letters(QueryReader& reader) {
  std::string letters;
  const auto given = reader.text("state");
  if (!given) return letters;
  for (const char letter : *given) {
    if (state_letters.find(letter) != std::string_view::npos) letters += letter;
    if (letter != ',' && state_letters.find(letter) == std::string_view::npos) letters.clear();
    if (letter != ',' && letters.empty()) break;
  }
  if (letters.empty())
    reader.fault("state", "must be letters of " + std::string(state_letters) + ", such as f or f,u");
  return letters;
}

store::Retired read_retired(QueryReader& reader) {
  const std::string_view word = reader.word("retired", {"false", "true", "all"});
  if (word == "all") return store::Retired::included;
  return word == "true" ? store::Retired::only : store::Retired::left_out;
}

/// Filters by `retired`, `state`, `overallPassed` and `group`. Returns the parameter that requires reading heads;
/// empty if none does.
std::string_view filter_heads(QueryReader& reader, const store::Snapshot& snapshot, store::ListQuery& query) {
  query.retired = read_retired(reader);
  const HeadFilter filter{read_letters(reader), reader.flag("overallPassed"), reader.text("group")};
  if (!filter.is_set()) return {};
  if (!filter.letters.empty()) {
    std::vector<store::FacetValue> statuses;
    for (const ResultStatus status : statuses_of(filter.letters))
      statuses.push_back(store::value_of(word_of(status)));
    add_filter(query, store::Facet::status, std::move(statuses));
  }
  query.predicate = [&snapshot, filter](const Id& id) {
    const auto head = snapshot.find<ResultHead>(id);
    // the row of a damaged head reports the damage
    return !head.ok() || !*head || (filter.passes(**head) && filter.is_in_group(snapshot, **head));
  };
  if (filter.group) return "group";
  return filter.letters.empty() ? "overallPassed" : "state";
}

/// The most heads that a connection's thread may read for a filter: a few milliseconds of work.
constexpr std::int64_t heads_at_once_max = 1'000;

/// Whether the heads may be read now; false for an interactive call that must be repeated on a background thread.
Expected<bool> may_walk(const store::Snapshot& snapshot, const RequestContext& call,
                        const store::ListQuery& query, std::string_view parameter) {
  TRY(rows, store::candidates(snapshot, query));
  if (rows > static_cast<std::int64_t>(limits::sorted_rows_max)) {
    return parameter_fault(std::string(parameter),
                           "more than " + std::to_string(limits::sorted_rows_max) +
                               " results would have to be read; narrow the list by run, test or agent");
  }
  return !call.is_interactive || rows <= heads_at_once_max;
}

void show_in_background(const Context& context, const RequestContextPtr& call, const ReplyTo& reply) {
  context.gateway.in_background([&context, call, reply](Expected<Done> turn) {
    if (!turn.ok()) return reply(std::move(turn).problem());
    reply.guarded([&] { reply(shown_later<ResultHead>(context, call, &shown_result)()); });
  });
}

std::string result_location(const Context& context, const Id& id) {
  return context.options.base_path + "/test-results/" + to_text(id);
}

}  // namespace

Expected<std::optional<Time>> wanted_update(const store::Snapshot& snapshot, const RequestContext& call,
                                            const ResultHead& head) {
  if (!names_state(call)) return std::optional<Time>();
  TRY(shown, result_json(snapshot, head));
  TRY_DONE(check_if_match(call, shown));
  TRY(updated, snapshot.newest_change(head));
  return std::optional(updated);
}

Rows result_rows(const store::Snapshot& snapshot, const Linker& linker, WriteMode mode) {
  Rows rows;
  rows.write = [&snapshot, &linker, mode](json::Writer& out, const Id& id) -> Expected<Done> {
    TRY(head, snapshot.find<ResultHead>(id));
    if (!head) return snapshot.report(store::TableId::result_heads, id.key());
    return write_result(out, snapshot, *head, nullptr, mode, linker);
  };
  rows.key = [&snapshot](const Id& id, std::string_view field) {
    return result_sort_key(snapshot, id, field);
  };
  rows.sortable = &sortable_of_results;
  return rows;
}

Expected<Reply> result_page(const store::Snapshot& snapshot, const RequestContext& call, QueryReader& reader,
                            store::ListQuery query) {
  const PageQuery page = read_page(reader);
  const std::string_view read_for = filter_heads(reader, snapshot, query);
  if (!read_for.empty()) {
    TRY_DONE(reader.result());
    TRY(walks, may_walk(snapshot, call, query, read_for));
    if (!walks) return cut_short();
  }
  const SnapshotLinker linker(snapshot);
  const Rows rows = result_rows(snapshot, linker, page.is_minimal ? WriteMode::minimal : WriteMode::full);
  return page_reply(snapshot, call, reader, page, std::move(query), rows);
}

actors::Completion<actors::ResultReply> answer_result(const Context& context, const RequestContextPtr& call,
                                                      ReplyTo reply) {
  return [&context, call, reply](Expected<actors::ResultReply> done) {
    if (!done.ok()) return reply(std::move(done).problem());
    reply.later([&context, call, cut = std::move(done).value()]() -> Expected<Reply> {
      TRY(shown, result_json(context.store.snapshot(), cut.head, &cut));
      return json_reply(std::move(shown));
    });
  };
}

Expected<Reply> list_results(const Context&, const store::Snapshot& snapshot, const RequestContext& call) {
  store::ListQuery query = list_of(RecordKind::test_result);
  QueryReader reader(call.query);
  filter_by_id(reader, query, "run", RecordKind::run, store::Facet::run);
  filter_by_id(reader, query, "test", RecordKind::test, store::Facet::test);
  filter_by_id(reader, query, "agent", RecordKind::agent, store::Facet::agent);
  filter_by_word<ResultStatus>(reader, query, "status", store::Facet::status);
  return result_page(snapshot, call, reader, std::move(query));
}

void get_result(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
                ReplyTo reply, const ResultHead& head) {
  const bool waits = call->prefer.wait && !is_terminal(head.status);
  if (waits) return show_settled<ResultHead>(context, snapshot, call, reply, head, &shown_result);
  // A long result would delay the other clients of this thread (I65).
  auto shown = shown_within(bounds::page_bytes_at_once_max, snapshot, *call, head);
  if (shown.ok() && shown->is_unfinished) return show_in_background(context, call, reply);
  reply(with_wait_applied(std::move(shown), *call));
}

void patch_result(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
                  ReplyTo reply, const ResultHead& head, In<ResultPatchBody> in) {
  auto patch = patch_of(snapshot, *call, head, std::move(in));
  if (!patch) return reply(std::move(patch).problem());
  context.gateway.to_result(head.stamp.id, std::move(patch).value(), origin_of(*call),
                            answer_result(context, call, reply));
}

void retry_result(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                  ReplyTo reply, const ResultHead& head, NoBody) {
  context.gateway.to_result(head.stamp.id, actors::Retry{}, origin_of(*call),
                            [&context, call, reply](Expected<actors::ResultReply> done) {
                              answer_new_result(context, reply, std::move(done));
                            });
}

void answer_new_result(const Context& context, const ReplyTo& reply, Expected<actors::ResultReply> done) {
  if (!done.ok()) return reply(std::move(done).problem());
  reply.later([&context, cut = std::move(done).value()]() -> Expected<Reply> {
    TRY(text, result_json(context.store.snapshot(), cut.head, &cut));
    Reply shown = json_reply(std::move(text));
    shown.fields.emplace_back("Location", result_location(context, cut.head.stamp.id));
    return shown;
  });
}

Expected<Reply> create_result_again(const Context& context, const store::Snapshot& snapshot,
                                    const RequestContext&, const AffectedIds& ids) {
  TRY(head, kept_record<ResultHead>(snapshot, ids));
  TRY(shown, result_json(snapshot, head));
  Reply reply = json_reply(std::move(shown));
  reply.fields.emplace_back("Location", result_location(context, head.stamp.id));
  return reply;
}

Expected<Reply> finish_result_again(const Context&, const store::Snapshot& snapshot, const RequestContext&,
                                    const AffectedIds& ids) {
  TRY(head, kept_record<ResultHead>(snapshot, ids));
  TRY(shown, result_json(snapshot, head));
  return json_reply(std::move(shown));
}

void finish_result(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                   ReplyTo reply, const ResultHead& head, NoBody) {
  context.gateway.to_result(head.stamp.id, actors::Finish{}, origin_of(*call),
                            answer_result(context, call, reply));
}

}  // namespace parley::http
