// POST /v1/traces (D154): conversations in spans with GenAI attributes become external logs, or extend the logs that
// they belong to.

#include <algorithm>

#include "http/bodies/log_messages.hpp"
#include "http/exchange/idempotency.hpp"
#include "http/logs/new_logs.hpp"
#include "http/traces/log_merge.hpp"
#include "http/traces/trace_handlers.hpp"
#include "store/engine/encoding.hpp"

namespace parley::http {
namespace {

/// The most logs in one change set, so that other commits do not wait for long.
constexpr std::size_t step_logs_max = 50;
/// The work limit for the smart tag rules of one log: some 5 ms.
constexpr Steps rule_work_of_log_max = 2'000'000;

/// One trace, ready to be saved.
struct ReadTrace {
  ExternalLog log;  ///< in the form of a new log
  std::vector<LogMessage> messages;
  std::string trace;
  std::size_t spans = 0;
  std::string refusal;  ///< set if saving the trace failed
};

struct Upload {
  const Context& context;
  RequestContextPtr call;
  ReplyTo reply;
  OtlpBody body;
  std::vector<ReadTrace> traces = {};
  std::size_t saved = 0;
  std::size_t spans_refused = 0;
  std::string message = {};

  void refuse(std::size_t spans, const std::string& why) {
    spans_refused += spans;
    if (message.empty()) message = why;
  }
};
using UploadPtr = std::shared_ptr<Upload>;

Expected<ReadTrace> read_trace(const Upload& upload, const store::Snapshot& snapshot,
                               const convert::PushedLog& pushed, const std::vector<Id>& smart) {
  TRY(document, json::parse(pushed.line, json::outside));
  const json::Value root = document.root();
  TRY(log, read_log(upload.context, snapshot, *upload.call, root));
  Findings none;  // read_log has reported these faults
  ReadTrace read{std::move(log), read_messages(root, none), pushed.trace, pushed.spans, {}};
  read.log.metadata = with_trace_parts(read.log.metadata, {{pushed.trace, 0, read.messages.size()}});
  RandomIds ids;
  read.log.conversation = conversation_of(read.messages, upload.context.clock.now(), ids);
  if (!smart.empty()) {
    TRY(tagging, tagging_of(upload.context, read.log, smart, rule_work_of_log_max));
    read.log.tags = std::move(tagging.tags);
  }
  return read;
}

/// Problem: the whole request is refused.
Expected<Done> read_upload(Upload& upload) {
  TRY(pushed, read_otlp(upload.body, upload.call->body));
  upload.spans_refused = pushed.spans_refused;
  upload.message = pushed.refusal;
  const store::Snapshot snapshot = upload.context.store.snapshot();
  TRY(smart, smart_tags(snapshot));
  for (const convert::PushedLog& each : pushed.logs) {
    if (upload.context.gateway.is_stopping()) return problem(ProblemKind::draining, "the server is stopping");
    auto read = read_trace(upload, snapshot, each, smart);
    if (read) {
      upload.traces.push_back(std::move(*read));
    } else {
      upload.refuse(each.spans, "trace " + each.trace + ": " + read.problem().detail);
    }
  }
  if (pushed.without_content > 0 && upload.message.empty()) {
    upload.message =
        std::to_string(pushed.without_content) +
        " spans about models have no messages: turn on the recording of content in your instrumentation";
  }
  return Done{};
}

/// The log, extended by the trace; nullopt if the log already contains the whole trace, or would become too large.
std::optional<ExternalLog> extended(const ExternalLog& before, ReadTrace& read, Time now, IdSource& ids) {
  TracedLog log{messages_of(before), trace_parts(before.metadata)};
  if (!merge_trace(log, read.trace, read.messages)) return std::nullopt;
  if (log.messages.size() > limits::external_messages_max) {
    read.refusal = "the conversation would have more than 10000 entries";
    return std::nullopt;
  }
  ExternalLog after = before;
  after.conversation = conversation_of(log.messages, now, ids);
  after.metadata = with_trace_parts(before.metadata, log.parts);
  if (after.conversation.text.size() > limits::conversation_bytes_max ||
      after.metadata.text.size() > limits::record_json_bytes_max) {
    read.refusal = "the conversation would be too large";
    return std::nullopt;
  }
  forget_verdict(after);
  after.stamp.updated_at = std::max(now, Time{before.stamp.updated_at.ms + 1});
  return after;
}

/// The logs that one change set writes; several traces may belong to one log.
class Step {
 public:
  Step(const store::Snapshot& snapshot, Time now, IdSource& ids)
      : snapshot_(snapshot), now_(now), ids_(ids) {}

  Expected<Done> take(ReadTrace& read) {
    read.refusal.clear();
    const std::string name = store::unique_name(read.log.external_id);
    auto found = logs_.find(name);
    if (found == logs_.end()) {
      TRY(owner, snapshot_.unique(store::Namespace::external_id, name));
      std::optional<ExternalLog> stored;
      if (owner) {
        TRY(log, snapshot_.find_listed<ExternalLog>(*owner));
        stored = std::move(log);
      }
      if (!stored) {
        ExternalLog made = read.log;
        made.stamp = {ids_.next(now_), now_, 1};
        logs_.emplace(name, Written{std::nullopt, std::move(made)});
        return Done{};
      }
      found = logs_.emplace(name, Written{stored, *stored}).first;
    }
    if (auto after = extended(found->second.after, read, now_, ids_)) found->second.after = std::move(*after);
    return Done{};
  }

  Expected<store::ChangeSet> finish() {
    store::ChangeSet changes;
    for (const auto& [name, log] : logs_) {
      if (!log.before) {
        changes.create(log.after);
        changes.claim_unique(store::Namespace::external_id, name, log.after.stamp.id);
      } else if (write_stored(*log.before) != write_stored(log.after)) {
        changes.replace(*log.before, log.after);
      }
    }
    return changes;
  }

 private:
  struct Written {
    std::optional<ExternalLog> before;
    ExternalLog after;
  };

  const store::Snapshot& snapshot_;
  Time now_;
  IdSource& ids_;
  std::map<std::string, Written> logs_;
};

void save_on(const UploadPtr& upload) {
  if (upload->saved == upload->traces.size()) {
    return upload->reply(otlp_reply(upload->body, upload->spans_refused, upload->message));
  }
  const std::size_t count = std::min(step_logs_max, upload->traces.size() - upload->saved);
  const std::span<ReadTrace> step = std::span(upload->traces).subspan(upload->saved, count);
  const auto decide = [upload, step](const store::Snapshot& snapshot, Time now,
                                     IdSource& ids) -> Expected<store::ChangeSet> {
    Step work(snapshot, now, ids);
    for (ReadTrace& each : step) TRY_DONE(work.take(each));
    return work.finish();
  };
  upload->context.gateway.change_records(
      signed_by(upload->call, decide), [upload, step](Expected<Done> done) {
        if (!done.ok())
          return upload->reply(std::move(done).problem());  // the exporter then sends the whole request again
        for (const ReadTrace& each : step) {
          if (!each.refusal.empty()) upload->refuse(each.spans, "trace " + each.trace + ": " + each.refusal);
        }
        upload->saved += step.size();
        save_on(upload);
      });
}

}  // namespace

/// Runs in the background, because a request may contain thousands of spans. No Idempotency-Key is stored, because a
/// repeat adds nothing.
void export_traces(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                   ReplyTo reply, OtlpBody body) {
  context.gateway.in_background([&context, call, reply, body](Expected<Done> turn) {
    if (!turn.ok()) return reply(std::move(turn).problem());
    reply.guarded([&] {
      const auto upload = std::make_shared<Upload>(Upload{context, call, reply, body});
      if (auto read = read_upload(*upload); !read) return reply(std::move(read).problem());
      save_on(upload);
    });
  });
}

}  // namespace parley::http
