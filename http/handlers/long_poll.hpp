#pragma once
/// GET of a run or result that waits until the record is terminal (D96), and the answer to `Prefer: wait` (RFC 7240).
/// No thread is held: the gateway keeps the client, and the answer is rendered when the wait ends.

#include <functional>

#include "http/exchange/record_lookup.hpp"
#include "http/exchange/reply_to.hpp"
#include "http/handlers/handler_context.hpp"

namespace parley::http {

/// Adds Preference-Applied if the client asked to wait.
[[nodiscard]] inline Expected<Reply> with_wait_applied(Expected<Reply> reply, const RequestContext& call) {
  if (reply.ok() && call.prefer.wait) {
    reply->fields.emplace_back("Preference-Applied", "wait=" + std::to_string(call.prefer.wait->count()));
  }
  return reply;
}

/// Whether a record is terminal or deleted.
template <store::Stamped T>
[[nodiscard]] bool is_settled(const store::Snapshot& snapshot, const Id& id) {
  const auto found = snapshot.find<T>(id);
  return !found.ok() || !*found || is_terminal((*found)->status);
}

/// Renders a record from the snapshot that it was read from.
template <store::Stamped T>
using Show = Expected<Reply> (*)(const store::Snapshot&, const RequestContext&, const T& record);

/// Renders the record as it is stored at the time of the call.
template <store::Stamped T>
[[nodiscard]] std::function<Expected<Reply>()> shown_later(const Context& context,
                                                           const RequestContextPtr& call, Show<T> show) {
  return [&context, call, show]() -> Expected<Reply> {
    const store::Snapshot later = context.store.snapshot();
    TRY(record, record_at<T>(later, call->id_text()));
    return with_wait_applied(show(later, *call, record), *call);
  };
}

/// Answers with the output of `show`: immediately, or with `Prefer: wait` as soon as the record is terminal or the
/// time is up.
template <store::Stamped T>
void show_settled(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
                  const ReplyTo& reply, const T& record, Show<T> show) {
  if (!call->prefer.wait || is_terminal(record.status)) {
    return reply(with_wait_applied(show(snapshot, *call, record), *call));
  }
  actors::Wait wait;
  wait.of = record.stamp.id;
  wait.is_over = [id = wait.of](const store::Snapshot& now_stored) { return is_settled<T>(now_stored, id); };
  wait.at_most = std::min(*call->prefer.wait, longest_wait);
  wait.has_left = [reply] { return reply.has_left(); };
  wait.done = [reply, shown = shown_later<T>(context, call, show)](actors::Wait::End) { reply.later(shown); };
  context.gateway.wait(std::move(wait));
}

}  // namespace parley::http
