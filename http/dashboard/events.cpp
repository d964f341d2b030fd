// GET /events: a stream of server-sent events. Clients can get the same data by polling.

#include <algorithm>

#include "http/auth/auth.hpp"
#include "http/dashboard/dashboard_handlers.hpp"

namespace parley::http {
namespace {

using actors::Topic;
using actors::TopicKind;

constexpr std::size_t topics_max = 8;

struct TopicWord {
  std::string_view word;
  TopicKind kind;
  bool has_id = false;
};
constexpr std::array topic_words{
    TopicWord{"runs", TopicKind::runs},           TopicWord{"run", TopicKind::run, true},
    TopicWord{"result", TopicKind::result, true}, TopicWord{"agents", TopicKind::agents},
    TopicWord{"session", TopicKind::session},     TopicWord{"records", TopicKind::records}};

/// nullopt if the text is not a topic.
std::optional<Topic> topic_of(std::string_view text) {
  const auto colon = text.find(':');
  const bool has_id = colon != std::string_view::npos;
  const auto found = std::find_if(topic_words.begin(), topic_words.end(), [&](const TopicWord& each) {
    return each.word == text.substr(0, colon) && each.has_id == has_id;
  });
  if (found == topic_words.end()) return std::nullopt;
  if (!has_id) return Topic{found->kind, {}};
  const auto id = id_from_text(text.substr(colon + 1));
  return id ? std::optional(Topic{found->kind, *id}) : std::nullopt;
}

/// The requested topics without duplicates.
Expected<std::vector<Topic>> topics_of(const RequestContext& call) {
  QueryReader reader(call.query);
  const std::string text = reader.text("topics").value_or("");
  std::vector<Topic> topics;
  for (std::string_view rest = text; !rest.empty();) {
    const auto end = std::min(rest.find(','), rest.size());
    const auto topic = topic_of(rest.substr(0, end));
    if (!topic) {
      reader.fault("topics",
                   "must list runs, run:ID, result:ID, agents, records or session, separated by commas");
      break;
    }
    if (std::find(topics.begin(), topics.end(), *topic) == topics.end()) topics.push_back(*topic);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (text.empty()) reader.fault("topics", "is required: what to watch");
  if (topics.size() > topics_max) reader.fault("topics", "must have at most 8 topics");
  TRY_DONE(reader.result());
  return topics;
}

std::string_view right_word(Right right) {
  constexpr std::array<std::string_view, 4> words{"none", "read", "write", "admin"};
  return words.at(static_cast<std::size_t>(right));
}

Reply stream_head() {
  Reply head;
  head.media_type = "text/event-stream; charset=utf-8";
  head.fields.emplace_back("X-Accel-Buffering", "no");
  return head;
}

/// The reason why the caller's stream must end; nullopt if it may continue.
std::optional<std::string_view> reason_to_end(const Principal& caller, const Clock& clock,
                                              const store::Snapshot& snapshot) {
  if (!caller.session.is_nil()) {
    const auto session = store::find_session(snapshot, caller.session);
    if (session.ok() && !*session) return "signed-out";
  }
  const auto now = current_principal(caller, snapshot, clock.now());
  return now.ok() && now->right >= Right::read ? std::nullopt : std::optional<std::string_view>("expired");
}

}  // namespace

void get_events(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                ReplyTo reply) {
  if (context.events == nullptr)
    return reply(problem(ProblemKind::busy, "there are no streams; poll instead"));
  auto topics = topics_of(*call);
  if (!topics) return reply(std::move(topics).problem());
  if (!call->accepts_chunks)
    return reply(problem(ProblemKind::unsupported_version, "a stream of events needs HTTP/1.1"));
  actors::Watch watch;
  watch.session = call->principal.session;
  watch.topics = std::move(topics).value();
  watch.last_event_id = call->last_event_id;
  watch.right = right_word(call->principal.right);
  watch.reason_to_end = [caller = call->principal, &context](const store::Snapshot& snapshot) {
    return reason_to_end(caller, context.clock, snapshot);
  };
  watch.open = [reply] { return reply.stream(stream_head()); };
  watch.refuse = [reply](Problem why) { reply(std::move(why)); };
  context.events->watch(std::move(watch), context.event_renderer);
}

}  // namespace parley::http
