// The conversation of a result: recording entries (D52-D54, D57), merging their metadata, and the tester's next turn
// (D47). The result's actor checks the state; the faults of bodies are found here.

#include <algorithm>
#include <iterator>

#include "actors/result/result_machine.hpp"
#include "http/exchange/idempotency.hpp"
#include "http/exchange/record_lookup.hpp"
#include "http/handlers/handlers.hpp"
#include "http/handlers/long_poll.hpp"
#include "http/handlers/result_replies.hpp"
#include "model/records/entry.hpp"
#include "tester/actions.hpp"

namespace parley::http {
namespace {

/// Whether the result refuses every message and action, of either role (D71). Its state decides, and the actor
/// answers.
bool is_refused_by_state(const EntryBody& body, const ResultHead& head) {
  const bool speaks = body.type == EntryType::message || body.type == EntryType::action;
  return head.is_server_driven && !head.is_manual && speaks;
}

void check_speaker(const EntryBody& body, const ResultHead& head, Findings& findings) {
  const bool is_action = body.type == EntryType::action;
  const bool is_testers = is_action || body.role == Role::tester;
  if (is_testers && !head.is_manual && !is_refused_by_state(body, head)) {
    findings.add(is_action ? "/type" : "/role",
                 "is recorded by the server; only a manual session accepts it");
  }
  if (is_action && body.role == Role::chatbot) findings.add("/role", "must be tester for an action");
  if (body.role == Role::tester && !is_action && body.type != EntryType::message) {
    findings.add("/role", "must be chatbot for tools and events");
  }
}

/// The definitions that an event registers; nullopt if it registers none.
std::optional<tester::ParsedActions> read_actions(const EntryBody& body, Findings& findings) {
  if (!is_event(body.type) || !body.metadata) return std::nullopt;
  const auto metadata = json::parse(body.metadata->text);
  if (!metadata.ok()) return std::nullopt;
  const auto actions = metadata->root().find("actions");
  if (!actions || actions->is(json::Kind::null)) return std::nullopt;  // null counts as absent (D5)
  if (body.after || body.before)
    findings.add("/metadata/actions", "an inserted entry cannot register actions");
  return tester::parse_actions(*actions, "/metadata/actions", findings);
}

/// Needs: a duplicate name. The fault is at the second occurrence of the first such name (D3).
Problem duplicate_name(const tester::ParsedActions& parsed) {
  const std::string& name = parsed.duplicates.front();
  const auto begin = parsed.actions.begin();
  const auto has_name = [&](const tester::ActionDefinition& action) { return action.name == name; };
  const auto first = std::find_if(begin, parsed.actions.end(), has_name);
  const auto second = std::find_if(std::next(first), parsed.actions.end(), has_name);
  return tester::duplicate_action(static_cast<std::size_t>(second - begin),
                                  "the action '" + name + "' is duplicated in this event");
}

Expected<actors::PostEntry> entry_of(In<EntryBody> in, const ResultHead& head) {
  EntryBody& body = in.body;
  Findings& findings = in.findings;
  if (!findings.has("/type")) {
    check_needed_field(body, "", findings);
    if (!findings.has("/role")) check_speaker(body, head, findings);
  }
  if (body.after && body.before) findings.add("/before", "excludes after");
  const bool is_chatbot_message =
      body.type == EntryType::message && body.role.value_or(Role::chatbot) == Role::chatbot;
  if (body.end && (!is_chatbot_message || body.after || body.before))
    findings.add("/end", "is allowed only in a chatbot message at the end of the conversation");
  auto actions = read_actions(body, findings);
  TRY_DONE(in.check());
  if (actions && !actions->duplicates.empty()) {
    return duplicate_name(*actions);
  }
  actors::PostEntry entry;
  entry.type = body.type;
  entry.role = body.type == EntryType::action ? Role::tester : body.role.value_or(Role::chatbot);
  entry.content = std::move(body.content);
  entry.name = std::move(body.name);
  entry.metadata = std::move(body.metadata).value_or(json::Text{});
  if (actions) entry.actions = std::move(actions->actions);
  entry.after = std::move(body.after);
  entry.before = std::move(body.before);
  entry.ends = body.end;
  return entry;
}

/// The answer with only the new or changed entry (D11).
Reply minimal_reply(const actors::ResultReply& cut) {
  CHECK(cut.entry.has_value());
  json::Writer out;
  out.begin_object();
  out.key("entry").raw(entry_json(*cut.entry));
  out.member("status", word_of(cut.head.status));
  out.key("isEnded").boolean(cut.head.is_ended());
  out.end_object();
  Reply reply = json_reply(std::move(out).text());
  reply.fields.emplace_back("Preference-Applied", "return=minimal");
  return reply;
}

actors::Completion<actors::ResultReply> answer_entry(const Context& context, const RequestContextPtr& call,
                                                     const ReplyTo& reply) {
  if (!call->prefer.is_minimal) return answer_result(context, call, reply);
  return [reply](Expected<actors::ResultReply> done) {
    if (!done.ok()) return reply(std::move(done).problem());
    reply(minimal_reply(done.value()));
  };
}

/// Adds the path of the new entry (D13).
Reply located(Reply reply, const RequestContext& call, const Id& entry) {
  reply.fields.emplace_back("Location", location_of(call, entry));
  return reply;
}

void answer_new_entry(const Context& context, const RequestContextPtr& call, const ReplyTo& reply,
                      Expected<actors::ResultReply> done) {
  if (!done.ok()) return reply(std::move(done).problem());
  CHECK(done.value().entry.has_value());
  const Id entry = done.value().entry->id;
  if (call->prefer.is_minimal) {
    return reply(located(minimal_reply(done.value()), *call, entry));
  }
  reply.later([&context, call, entry, cut = std::move(done).value()]() -> Expected<Reply> {
    TRY(shown, result_json(context.store.snapshot(), cut.head, &cut));
    return located(json_reply(std::move(shown)), *call, entry);
  });
}

/// Problem: not_found.
Expected<Entry> entry_at(const store::Snapshot& snapshot, const ResultHead& head, const Id& id) {
  Expected<Entry> found = unknown_record("conversation entry", to_text(id));
  TRY(walked, snapshot.for_each_entry(head, [&](std::uint32_t, const store::StoredEntry& each) {
    if (each.id != id) return true;
    found = entry_from_stored(each.json);
    return false;
  }));
  static_cast<void>(walked);
  return found;
}

Expected<actors::PatchEntry> entry_patch_of(const RequestContext& call, const Unread<EntryPatchBody>& unread,
                                            const Id& entry) {
  TRY(in, unread.read(call));
  const auto metadata = in.document.root().find("metadata");
  if (metadata && metadata->find("actions")) {
    in.findings.add("/metadata/actions", "cannot be changed after recording");
  }
  TRY_DONE(in.check());
  return actors::PatchEntry{entry, std::move(in.body.metadata), std::nullopt};
}

std::string turn_json(const actors::TesterReply& turn) {
  json::Writer out;
  out.begin_object();
  out.member_or_null("message", turn.message);
  out.key("action");
  if (turn.action) {
    out.begin_object();
    out.member("name", turn.action->name);
    out.key("arguments").raw(turn.action->arguments.text);
    out.end_object();
  } else {
    out.null();
  }
  out.key("end_chat").boolean(turn.end_chat);
  out.key("ready").boolean(turn.ready);
  out.member_or_null("message_id", turn.message_id ? std::optional(to_text(*turn.message_id)) : std::nullopt);
  out.end_object();
  return std::move(out).text();
}

constexpr std::chrono::seconds wait_for_turn{2};  // D47

/// A next-message request in progress; several checks of the tester may be needed.
struct Asking {
  const Context& context;
  RequestContextPtr call;
  ReplyTo reply;
  Id result;
  std::chrono::steady_clock::time_point until;
};

/// The turn, with the codes of the result's known warnings in a header (D97).
Reply turn_reply(const actors::TesterReply& turn, const ResultHead& head) {
  Reply reply = json_reply(turn_json(turn));
  const WarningSet warned{head.warned.value_or(0)};
  std::string codes;
  for (std::size_t i = 0; i < warning_codes; ++i) {
    const auto code = static_cast<WarningCode>(i);
    if (warned.has(code)) codes.append(codes.empty() ? "" : ", ").append(word_of(code));
  }
  if (!codes.empty()) reply.fields.emplace_back("Parley-Warnings", std::move(codes));
  return reply;
}

void answer_turn(const Asking& asking, const actors::TesterReply& turn, const ResultHead& head) {
  asking.reply(with_wait_applied(turn_reply(turn, head), *asking.call));
}

/// Whether the result or its conversation has changed since the reply.
bool has_moved(const store::Snapshot& snapshot, const actors::ResultReply& seen) {
  const Id& id = seen.head.stamp.id;
  const auto head = snapshot.raw<ResultHead>(id);
  return !head.ok() || !*head || (*head)->revision != seen.head.stamp.revision ||
         snapshot.entry_count(id) != seen.entries;
}

/// Requests the turn. While the tester works, repeats the request whenever the result has changed, until the time is
/// up.
void ask_for_turn(const Asking& asking) {
  asking.context.gateway.to_result(
      asking.result, actors::NextMessage{}, origin_of(*asking.call),
      [asking](Expected<actors::ResultReply> done) {
        if (!done.ok()) return asking.reply(std::move(done).problem());
        CHECK(done.value().turn.has_value());
        const actors::TesterReply turn = *done.value().turn;
        const auto left = asking.until - std::chrono::steady_clock::now();
        const ResultHead head = done.value().head;
        if (turn.ready || left <= left.zero()) return answer_turn(asking, turn, head);
        actors::Wait wait;
        wait.of = asking.result;
        wait.is_over = [seen = std::move(done).value()](const store::Snapshot& now_stored) {
          return has_moved(now_stored, seen);
        };
        wait.at_most = std::chrono::ceil<std::chrono::milliseconds>(left);
        wait.has_left = [asking] { return asking.reply.has_left(); };
        wait.done = [asking, turn, head](actors::Wait::End end) {
          if (end == actors::Wait::End::cut_short) return answer_turn(asking, turn, head);
          ask_for_turn(asking);
        };
        asking.context.gateway.wait(std::move(wait));
      });
}

}  // namespace

void post_entry(const Context& context, const store::Snapshot&, const RequestContextPtr& call, ReplyTo reply,
                const ResultHead& head, In<EntryBody> in) {
  auto entry = entry_of(std::move(in), head);
  if (!entry) return reply(std::move(entry).problem());
  context.gateway.to_result(head.stamp.id, std::move(entry).value(), origin_of(*call),
                            [&context, call, reply](Expected<actors::ResultReply> done) {
                              answer_new_entry(context, call, reply, std::move(done));
                            });
}

void patch_entry(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
                 ReplyTo reply, const ResultHead& head, Unread<EntryPatchBody> unread) {
  const std::string& entry_text = call->path_values.at(1);
  const auto entry = id_from_text(entry_text);
  if (!entry) return reply(unknown_record("conversation entry", entry_text));
  auto patch = entry_patch_of(*call, unread, *entry);
  if (!patch || !call->if_match.empty()) {
    // An unknown entry takes precedence over the faults of the body and over If-Match (D3). Without either, the actor
    // looks the entry up.
    if (auto known = entry_at(snapshot, head, *entry); !known) return reply(std::move(known).problem());
  }
  if (!patch) return reply(std::move(patch).problem());
  auto wanted = wanted_update(snapshot, *call, head);
  if (!wanted) return reply(std::move(wanted).problem());
  patch->if_updated_at = *wanted;
  context.gateway.to_result(head.stamp.id, std::move(patch).value(), origin_of(*call),
                            answer_entry(context, call, reply));
}

void next_message(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                  ReplyTo reply, const ResultHead& head, NoBody) {
  const auto until =
      std::chrono::steady_clock::now() +
      std::min<std::chrono::milliseconds>(call->prefer.wait.value_or(wait_for_turn), longest_wait);
  ask_for_turn(Asking{context, call, reply, head.stamp.id, until});
}

Expected<Reply> post_entry_again(const Context& context, const store::Snapshot& snapshot,
                                 const RequestContext& call, const AffectedIds& ids) {
  if (!call.prefer.is_minimal) {
    TRY(shown, finish_result_again(context, snapshot, call, ids));
    return located(std::move(shown), call, ids.back());
  }
  TRY(head, kept_record<ResultHead>(snapshot, ids));
  TRY(entry, entry_at(snapshot, head, ids.back()));
  actors::ResultReply cut;
  cut.head = std::move(head);
  cut.entry = std::move(entry);
  return located(minimal_reply(cut), call, ids.back());
}

Expected<Reply> next_message_again(const Context&, const store::Snapshot& snapshot,
                                   const RequestContext& call, const AffectedIds& ids) {
  TRY(head, kept_record<ResultHead>(snapshot, ids));
  if (ids.size() == 1) return with_wait_applied(turn_reply(actors::end_of_chat(), head), call);
  TRY(entry, entry_at(snapshot, head, ids.back()));
  return with_wait_applied(turn_reply(actors::reply_of(entry), head), call);
}

}  // namespace parley::http
