// Rescores one result or the results of a run: as a preview, or with new verdicts that the results' actors save. Also
// lists the previous verdicts of a result.

#include <algorithm>
#include <atomic>
#include <functional>

#include "actors/verdicts/rescoring.hpp"
#include "http/bodies/result_bodies.hpp"
#include "http/exchange/idempotency.hpp"
#include "http/exchange/record_lookup.hpp"
#include "http/handlers/handlers.hpp"
#include "http/lists/page.hpp"
#include "http/views/link.hpp"
#include "scoring/kinds.hpp"

namespace parley::http {
namespace {

using actors::Rescoring;

Expected<RescoreBody> checked_body(In<RescoreBody> in) {
  scoring::check_assertions(in.body.assertions, "/assertions", in.findings);
  TRY_DONE(in.check());
  return std::move(in.body);
}

void write_outcome(json::Writer& out, std::string_view name, std::int64_t score, bool passed, bool decided) {
  out.key(name).begin_object();
  out.key("score").integer(score);
  out.key("overallPassed").boolean(passed);
  out.key("decided").boolean(decided);
  out.end_object();
}

void write_status(json::Writer& out, std::string_view name, const std::optional<AssertionStatus>& status) {
  out.member_or_null(name, status ? std::optional<std::string>(word_of(*status)) : std::nullopt);
}

void write_flip(json::Writer& out, const actors::Flip& flip) {
  out.begin_object();
  out.member("id", flip.assertion.id);
  out.member_or_null("name", flip.assertion.name);
  out.member("type", flip.assertion.type);
  write_status(out, "before", flip.before);
  write_status(out, "after", flip.after);
  out.member_or_null("reason", flip.after ? std::optional(flip.reason) : std::nullopt);
  out.end_object();
}

/// The outcome of saving one rescored result; a preview saves nothing.
struct Saved {
  bool is_saved = false;
  std::optional<Problem> problem;
};

void write_rescoring(json::Writer& out, const Rescoring& row, const Saved& saved, const Linker& linker) {
  const ResultHead& head = row.head;
  out.begin_object();
  out.member("id", to_text(head.stamp.id));
  out.key("test");
  if (head.test) {
    linker.append(out, RecordKind::test, head.test->id);
  } else {
    out.null();
  }
  write_outcome(out, "before", head.score, head.overall_passed, head.is_decided);
  write_outcome(out, "after", row.command.score, row.command.overall_passed, row.command.is_decided);
  out.key("flips").begin_array();
  for (const actors::Flip& flip : row.flips) write_flip(out, flip);
  out.end_array();
  out.key("saved").boolean(saved.is_saved);
  out.member_or_null("problem", saved.problem ? std::optional(saved.problem->detail) : std::nullopt);
  out.end_object();
}

Reply rescoring_reply(const Context& context, const Rescoring& row, const Saved& saved) {
  const store::Snapshot snapshot = context.store.snapshot();
  const SnapshotLinker linker(snapshot);
  json::Writer out;
  write_rescoring(out, row, saved, linker);
  return json_reply(std::move(out).text());
}

json::Text shown_verdict(std::int64_t version, const std::optional<Time>& replaced_at, std::int64_t score,
                         bool passed, const ResultVerdict& verdict) {
  json::Writer out;
  out.begin_object();
  out.key("version").integer(version);
  out.member_or_null("replacedAt", replaced_at ? std::optional(to_text(*replaced_at)) : std::nullopt);
  out.key("score").integer(score);
  out.key("overallPassed").boolean(passed);
  out.key("assertionResults").raw(verdict.assertion_results.text);
  out.end_object();
  return {std::move(out).text()};
}

/// The current verdict and the replaced verdicts, newest first.
Expected<std::vector<json::Text>> verdicts_of(const store::Snapshot& snapshot, const ResultHead& head) {
  std::vector<json::Text> rows;
  std::int64_t rescored = head.rescored;
  TRY(newest, snapshot.verdict(head));
  if (!newest) return rows;
  rows.push_back(shown_verdict(rescored + 1, std::nullopt, head.score, head.overall_passed, *newest));
  ResultVerdict newer = std::move(*newest);
  while (newer.before && rescored > 0 && rows.size() <= limits::verdicts_kept_max) {
    TRY(older, snapshot.verdict(head.stamp.id, rescored - 1));
    if (!older) return snapshot.report(store::TableId::result_verdicts, head.stamp.id.key());
    const ReplacedVerdict& said = *newer.before;
    rows.push_back(shown_verdict(rescored, said.replaced_at, said.score, said.overall_passed, *older));
    newer = std::move(*older);
    --rescored;
  }
  rows.insert(rows.end(), newer.replaced.begin(), newer.replaced.end());
  if (rows.size() > limits::verdicts_kept_max + 1) rows.resize(limits::verdicts_kept_max + 1);
  return rows;
}

/// One page of a run's results while their actors process them. Each completion writes its own slot; the one that
/// decrements the counter to zero answers.
struct PageOfRun {
  RequestContextPtr call;
  Id run;
  Id arrival;  ///< its timestamp is when the request arrived
  PageQuery page;
  std::int64_t total = 0;
  std::vector<Rescoring> rows;
  std::vector<Saved> saved;
  std::atomic<std::size_t> left{1};  ///< commands in progress, plus one for the loop that sends them
};

Expected<Reply> shown_page(const Context& context, const PageOfRun& state) {
  const store::Snapshot snapshot = context.store.snapshot();
  const SnapshotLinker linker(snapshot);
  return envelope_reply(*state.call, state.page, state.total, state.rows.size(),
                        [&](json::Writer& out, std::size_t i) -> Expected<Done> {
                          write_rescoring(out, state.rows[i], state.saved[i], linker);
                          return Done{};
                        });
}

/// Renders in the background, because it may take long. The outcome of saving is always answered.
void answer_page(const Context& context, const std::shared_ptr<PageOfRun>& state, const ReplyTo& reply) {
  context.gateway.in_background([&context, state, reply](const Expected<Done>& turn) {
    if (!turn.ok()) return reply.later([&context, state] { return shown_page(context, *state); });
    reply(shown_page(context, *state));
  });
}

/// The idempotency record is stored after the effects. A repeat before that finds what the first request saved,
/// because the ids of new assertions are derived from the key, and changes only the rest (I4).
void keep_key(const Context& context, const std::shared_ptr<PageOfRun>& state, const ReplyTo& reply) {
  const auto nothing = [](const store::Snapshot&, Time, IdSource&) {
    return Expected<store::ChangeSet>(store::ChangeSet{});
  };
  const auto kept = [run = state->run, arrival = state->arrival] { return AffectedIds{run, arrival}; };
  context.gateway.change_records(once(state->call, nothing, kept),
                                 [&context, state, reply](Expected<Done> done) {
                                   if (!done.ok()) return reply(std::move(done).problem());
                                   answer_page(context, state, reply);
                                 });
}

void count_down(const Context& context, const std::shared_ptr<PageOfRun>& state, const ReplyTo& reply) {
  if (state->left.fetch_sub(1) != 1) return;
  if (state->call->keep) return keep_key(context, state, reply);
  answer_page(context, state, reply);
}

void save_page(const Context& context, const std::shared_ptr<PageOfRun>& state, const ReplyTo& reply) {
  for (std::size_t i = 0; i < state->rows.size(); ++i) {
    if (!state->rows[i].changes) continue;
    state->left.fetch_add(1);
    context.gateway.to_result(state->rows[i].head.stamp.id, state->rows[i].command,
                              actors::Origin({}, author_of(*state->call)),
                              [&context, state, reply, i](Expected<actors::ResultReply> done) {
                                state->saved[i].is_saved = done.ok();
                                if (!done.ok()) state->saved[i].problem = std::move(done).problem();
                                count_down(context, state, reply);
                              });
  }
}

/// The completed results of the page. If the whole run is completed, its index contains the page. Otherwise both
/// filters must be evaluated, which reads all results of the run.
Expected<store::ListPage> completed_of(const store::Snapshot& snapshot, const PageOfRun& state) {
  store::ListQuery query = list_of(RecordKind::test_result);
  add_filter(query, store::Facet::run, {store::value_of(state.run)});
  query.retired = store::Retired::left_out;
  turn_to(query, state.page);
  TRY(all, store::list(snapshot, query));
  TRY(counters, snapshot.run_counters(state.run));
  if (counters.completed == all.total) return all;
  add_filter(query, store::Facet::status, {store::value_of(word_of(ResultStatus::completed))});
  return store::list(snapshot, query);
}

using RowOf = std::function<Expected<Rescoring>(const ResultHead&)>;

/// Fills the page with the rows that `row_of` creates.
Expected<Done> fill_page(const store::Snapshot& snapshot, PageOfRun& state, const RowOf& row_of) {
  QueryReader reader(state.call->query);
  state.page = read_page(reader);
  check_sort(reader, state.page, words_of(state.call->route->sorts));
  TRY_DONE(reader.result());
  TRY(found, completed_of(snapshot, state));
  state.total = found.total;
  std::size_t bytes = 0;
  for (const Id& id : found.ids) {
    TRY(head, snapshot.find<ResultHead>(id));
    if (!head) return snapshot.report(store::TableId::result_heads, id.key());
    TRY(row, row_of(*head));
    bytes += row.bytes;
    if (bytes > limits::page_bytes_max && !state.rows.empty()) {
      return problem(ProblemKind::page_too_large, "the conversations of this page exceed 32 MiB; use limit=" +
                                                      std::to_string(state.rows.size()));
    }
    state.rows.push_back(std::move(row));
  }
  state.saved.resize(state.rows.size());
  return Done{};
}

Expected<Done> score_page(const Context& context, const store::Snapshot& snapshot, const RescoreBody& body,
                          PageOfRun& state) {
  RequestIds ids(*state.call, state.run);
  actors::Rescorer rescorer(snapshot, body.assertions, context.clock.now(), ids,
                            context.gateway.is_stopping());
  return fill_page(snapshot, state, [&](const ResultHead& head) { return rescorer.rescore(head); });
}

Expected<Rescoring> score_one(const Context& context, const store::Snapshot& snapshot, const Id& result,
                              const RescoreBody& body) {
  TRY(head, snapshot.find<ResultHead>(result));
  if (!head) return unknown_record("test result", to_text(result));
  RandomIds ids;
  actors::Rescorer rescorer(snapshot, body.assertions, context.clock.now(), ids,
                            context.gateway.is_stopping());
  return rescorer.rescore(*head);
}

void score_and_save(const Context& context, const RequestContextPtr& call, const Id& result,
                    const RescoreBody& body, const ReplyTo& reply) {
  auto made = score_one(context, context.store.snapshot(), result, body);
  if (!made) return reply(std::move(made).problem());
  if (body.preview || !made->changes) return reply(rescoring_reply(context, *made, {}));
  const auto row = std::make_shared<const Rescoring>(std::move(made).value());
  context.gateway.to_result(result, row->command, origin_of(*call),
                            [&context, row, reply](Expected<actors::ResultReply> done) {
                              if (!done.ok()) return reply(std::move(done).problem());
                              reply.later([&context, row]() -> Expected<Reply> {
                                return rescoring_reply(context, *row, {true, {}});
                              });
                            });
}

void score_and_save_page(const Context& context, const std::shared_ptr<PageOfRun>& state,
                         const RescoreBody& body, const ReplyTo& reply) {
  if (auto done = score_page(context, context.store.snapshot(), body, *state); !done)
    return reply(std::move(done).problem());
  if (body.preview) return reply(shown_page(context, *state));
  save_page(context, state, reply);
  count_down(context, state, reply);
}

}  // namespace

void rescore_result(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                    ReplyTo reply, const ResultHead& head, In<RescoreBody> in) {
  auto body = checked_body(std::move(in));
  if (!body) return reply(std::move(body).problem());
  context.gateway.in_background(
      [&context, call, reply, result = head.stamp.id, body = std::move(body).value()](Expected<Done> turn) {
        if (!turn.ok()) return reply(std::move(turn).problem());
        score_and_save(context, call, result, body, reply);
      });
}

/// The results saved by the request or since then (D9); only a request that saves stores its key.
Expected<Reply> rescore_result_again(const Context& context, const store::Snapshot& snapshot,
                                     const RequestContext&, const AffectedIds& ids) {
  TRY(head, kept_record<ResultHead>(snapshot, ids));
  TRY(row, actors::rescored_since(snapshot, head, Time{}));
  return rescoring_reply(context, row, {row.changes, {}});
}

void rescore_run(const Context& context, const store::Snapshot&, const RequestContextPtr& call, ReplyTo reply,
                 const Run& run, In<RescoreBody> in) {
  auto body = checked_body(std::move(in));
  if (!body) return reply(std::move(body).problem());
  const auto state = std::make_shared<PageOfRun>();
  state->call = call;
  state->run = run.stamp.id;
  state->arrival = RandomIds().next(context.clock.now());
  context.gateway.in_background(
      [&context, state, reply, body = std::move(body).value()](Expected<Done> turn) {
        if (!turn.ok()) return reply(std::move(turn).problem());
        score_and_save_page(context, state, body, reply);
      });
}

/// The page as it is now. Results rescored since the request arrived count as saved (D9).
Expected<Reply> rescore_run_again(const Context& context, const store::Snapshot& snapshot,
                                  const RequestContext& call, const AffectedIds& ids) {
  TRY(run, kept_record<Run>(snapshot, ids));
  PageOfRun state;
  state.call = std::make_shared<const RequestContext>(call);
  state.run = run.stamp.id;
  const Time arrival = ids.size() > 1 ? time_of(ids[1]) : Time{};
  const auto row_of = [&](const ResultHead& head) { return actors::rescored_since(snapshot, head, arrival); };
  TRY_DONE(fill_page(snapshot, state, row_of));
  for (std::size_t i = 0; i < state.rows.size(); ++i) state.saved[i].is_saved = state.rows[i].changes;
  return shown_page(context, state);
}

Expected<Reply> list_verdicts(const Context&, const store::Snapshot& snapshot, const RequestContext& call,
                              const ResultHead& head) {
  QueryReader reader(call.query);
  const PageQuery page = read_page(reader);
  check_sort(reader, page, words_of(call.route->sorts));
  TRY_DONE(reader.result());
  TRY(rows, verdicts_of(snapshot, head));
  if (page.is_ascending) std::reverse(rows.begin(), rows.end());
  return page_of(call, page, rows, [](json::Writer& out, const auto& row) { out.raw(row.text); });
}

}  // namespace parley::http
