// POST /external-conversation-logs/batch (D107): stores many logs, sent as JSON Lines, and reports one outcome per
// line.

#include <spdlog/spdlog.h>

#include <algorithm>
#include <unordered_map>

#include "http/bodies/json_lines.hpp"
#include "http/exchange/idempotency.hpp"
#include "http/handlers/handlers.hpp"
#include "http/logs/new_logs.hpp"
#include "model/json/json_writer.hpp"
#include "model/json/problem_json.hpp"
#include "scoring/support/tag_rule.hpp"
#include "store/engine/encoding.hpp"

namespace parley::http {
namespace {

/// The most logs in one change set, so that other commits do not wait for long.
constexpr std::size_t chunk_logs_max = 1'000;
constexpr std::size_t chunk_bytes_max = 2 * 1024 * 1024;
/// The work limit for the rules of one log in a batch: some 5 ms.
constexpr Steps rule_work_of_line_max = 2'000'000;

struct Outcome {
  std::size_t line = 0;  ///< from 1
  std::string external_id;
  std::optional<Id> id;  ///< of the new log; for a conflict, of the log that has the externalId
  std::optional<Problem> problem;
};

/// A log that was read, and the index of its outcome.
struct ReadLog {
  std::size_t outcome;
  ExternalLog log;
};

/// One request: read completely, then saved chunk by chunk.
struct Batch {
  const Context& context;
  RequestContextPtr call;
  ReplyTo reply;
  std::vector<Outcome> outcomes = {};
  std::vector<ReadLog> logs = {};
  std::size_t saved = 0;  ///< logs already saved or refused
};
using BatchPtr = std::shared_ptr<Batch>;

Expected<ExternalLog> read_line(const Batch& batch, const store::Snapshot& snapshot, std::string_view line,
                                Outcome& outcome) {
  TRY(document, json::parse(line, json::outside));
  const json::Value root = document.root();
  if (!root.is(json::Kind::object)) return body_fault("", "must be an object");
  if (const auto id = root.find("externalId"); id && id->is(json::Kind::string))
    outcome.external_id = id->string();
  TRY(log, read_log(batch.context, snapshot, *batch.call, root));
  RandomIds ids;
  take_conversation(log, root, batch.context.clock.now(), ids);
  return log;
}

/// Problem: draining if the server stops in the meantime.
Expected<Done> read_lines(Batch& batch, std::span<const JsonLine> lines) {
  std::optional<store::Snapshot> snapshot;
  std::vector<Id> smart;
  bool is_cut_short = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (batch.context.gateway.is_stopping()) return problem(ProblemKind::draining, "the server is stopping");
    if (i % chunk_logs_max == 0) {  // no snapshot is held for long
      snapshot.emplace(batch.context.store.snapshot());
      TRY(tags, smart_tags(*snapshot));
      smart = std::move(tags);
    }
    Outcome outcome{lines[i].number, {}, {}, {}};
    auto log = read_line(batch, *snapshot, lines[i].text, outcome);
    if (log && !smart.empty()) {
      TRY(tagging, tagging_of(batch.context, *log, smart, rule_work_of_line_max));
      log->tags = std::move(tagging.tags);
      is_cut_short = is_cut_short || tagging.is_cut_short;
    }
    if (log) {
      batch.logs.push_back({batch.outcomes.size(), std::move(*log)});
    } else {
      outcome.problem = std::move(log).problem();
    }
    batch.outcomes.push_back(std::move(outcome));
  }
  if (is_cut_short) {
    spdlog::warn("smart tags left out request={} reason=\"their rules are too much work for a batch\"",
                 batch.call->request_id);
  }
  return Done{};
}

void write_outcome(json::Writer& out, const Outcome& outcome, const RequestContext& call) {
  out.begin_object();
  out.key("line").integer(static_cast<std::int64_t>(outcome.line));
  out.key("status").integer(outcome.problem ? outcome.problem->status() : 201);
  out.member_or_null("externalId",
                     outcome.external_id.empty() ? std::nullopt : std::optional(outcome.external_id));
  out.member_or_null("id", outcome.id ? std::optional(to_text(*outcome.id)) : std::nullopt);
  if (outcome.problem) out.key("problem").raw(problem_json(*outcome.problem, call.request_id));
  out.end_object();
}

Reply batch_reply(const Batch& batch) {
  const auto failed = std::count_if(batch.outcomes.begin(), batch.outcomes.end(),
                                    [](const Outcome& each) { return each.problem.has_value(); });
  json::Writer out;
  out.begin_object();
  out.key("created").integer(static_cast<std::int64_t>(batch.outcomes.size()) - failed);
  out.key("failed").integer(failed);
  out.key("outcomes").begin_array();
  for (const Outcome& outcome : batch.outcomes) write_outcome(out, outcome, *batch.call);
  out.end_array();
  out.end_object();
  return json_reply(std::move(out).text());
}

/// The logs after batch.saved that fit into one change set; at least one.
std::span<ReadLog> next_chunk(Batch& batch) {
  std::size_t end = batch.saved;
  std::size_t bytes = 0;
  while (end < batch.logs.size() && end - batch.saved < chunk_logs_max && bytes < chunk_bytes_max) {
    bytes += batch.logs[end++].log.conversation.text.size();
  }
  return std::span(batch.logs).subspan(batch.saved, end - batch.saved);
}

/// Adds the log. If its externalId is in use, records that as its outcome instead.
Expected<Done> add_log(Batch& batch, ReadLog& read, std::unordered_map<std::string, Id>& taken,
                       const store::Snapshot& snapshot, store::ChangeSet& changes) {
  Outcome& outcome = batch.outcomes[read.outcome];
  outcome.id.reset();
  outcome.problem.reset();
  const std::string name = store::unique_name(read.log.external_id);
  TRY(stored, snapshot.unique(store::Namespace::external_id, name));
  const auto earlier = taken.find(name);
  const std::optional<Id> owner = earlier != taken.end() ? std::optional(earlier->second) : stored;
  if (owner) {
    outcome.id = owner;
    outcome.problem = problem(ProblemKind::conflict,
                              "the log " + to_text(*owner) + " already has this externalId; change that log");
    return Done{};
  }
  outcome.id = read.log.stamp.id;
  taken.emplace(name, read.log.stamp.id);
  changes.create(read.log);
  changes.claim_unique(store::Namespace::external_id, name, read.log.stamp.id);
  return Done{};
}

void save_on(const BatchPtr& batch) {
  const std::span<ReadLog> chunk = next_chunk(*batch);
  if (chunk.empty()) {
    return batch->reply.later([batch]() -> Expected<Reply> { return batch_reply(*batch); });
  }
  const auto decide = [batch, chunk](const store::Snapshot& snapshot, Time now,
                                     IdSource& ids) -> Expected<store::ChangeSet> {
    store::ChangeSet changes;
    std::unordered_map<std::string, Id> taken;
    for (ReadLog& read : chunk) {
      read.log.stamp = {ids.next(now), now, 1};
      TRY_DONE(add_log(*batch, read, taken, snapshot, changes));
    }
    return changes;
  };
  batch->context.gateway.change_records(signed_by(batch->call, decide), [batch, chunk](Expected<Done> done) {
    for (const ReadLog& read : chunk) {
      Outcome& outcome = batch->outcomes[read.outcome];
      if (!done.ok()) outcome = {outcome.line, outcome.external_id, {}, done.problem()};
    }
    batch->saved += chunk.size();
    save_on(batch);
  });
}

}  // namespace

/// Runs in the background, because ten thousand lines take half a second. No Idempotency-Key is stored for a batch:
/// the externalIds make a repeat safe.
void create_external_logs(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                          ReplyTo reply, JsonLines<ExternalLog> lines) {
  context.gateway.in_background([&context, call, reply, lines = std::move(lines.lines)](Expected<Done> turn) {
    if (!turn.ok()) return reply(std::move(turn).problem());
    reply.guarded([&] {
      const auto batch = std::make_shared<Batch>(Batch{context, call, reply});
      if (auto read = read_lines(*batch, lines); !read) return reply(std::move(read).problem());
      save_on(batch);
    });
  });
}

}  // namespace parley::http
