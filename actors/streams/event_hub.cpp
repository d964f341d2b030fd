#include "actors/streams/event_hub.hpp"

#include <algorithm>
#include <charconv>

#include "model/json/json_writer.hpp"

namespace parley::actors {
namespace {

constexpr std::string_view retry_line = "retry: 2000\n\n";
constexpr std::string_view comment_line = ":\n\n";

std::string json_of(std::string_view key, std::string_view value) {
  json::Writer out;
  out.begin_object().member(key, value).end_object();
  return std::move(out).text();
}

}  // namespace

std::string EventHub::event_text(std::string_view name, std::string_view data, std::uint64_t number) const {
  std::string text = "id: " + epoch_ + "-" + std::to_string(number) + "\nevent: ";
  text.append(name).append("\ndata: ").append(data).append("\n\n");
  return text;
}

std::shared_ptr<const std::string> EventHub::piece_of(std::string_view text) const {
  return std::make_shared<const std::string>(renderer_->framed(text));
}

/// The number of the last event that the client has; nullopt if the events after it are no longer known.
std::optional<std::uint64_t> EventHub::resumed_after(const Watch& watch) const {
  const std::string_view id = watch.last_event_id;
  if (!id.starts_with(epoch_ + "-")) return std::nullopt;
  std::uint64_t last = 0;
  const char* end = id.data() + id.size();
  const auto [stop, error] = std::from_chars(id.data() + epoch_.size() + 1, end, last);
  if (error != std::errc{} || stop != end || last >= next_ || last + 1 < ring_.oldest(next_))
    return std::nullopt;
  const bool is_known = std::all_of(watch.topics.begin(), watch.topics.end(), [&](const Topic& topic) {
    const auto found = interests_.find(topic);
    return found != interests_.end() && found->second.since <= last + 1;
  });
  return is_known ? std::optional(last) : std::nullopt;
}

bool EventHub::watches(const Stream& stream, const std::vector<Topic>& topics) {
  return std::any_of(topics.begin(), topics.end(), [&](const Topic& topic) {
    return std::find(stream.watch.topics.begin(), stream.watch.topics.end(), topic) !=
           stream.watch.topics.end();
  });
}

void EventHub::enter(Watch watch, Time now) {
  now_ = now;
  if (is_closed_) return watch.refuse(problem(ProblemKind::draining, "the server is shutting down"));
  if (!watch.session.is_nil()) make_room(watch.session);
  if (streams_.size() >= streams_max && now.ms - asked_at_.ms >= ask_again_ms) {
    asked_at_ = now;
    comment();
  }
  if (streams_.size() >= streams_max)
    return watch.refuse(problem(ProblemKind::busy, "too many event streams are open; poll instead"));
  auto sink = watch.open();
  if (!sink) return;
  watch.open = nullptr;  // they refer to the request
  watch.refuse = nullptr;
  streams_.push_back({std::move(watch), std::move(sink)});
  greet(streams_.back(), now);
}

void EventHub::greet(Stream& stream, Time now) {
  const auto after = resumed_after(stream.watch);
  for (const Topic& topic : stream.watch.topics) {
    const auto [found, is_new] = interests_.try_emplace(topic);
    if (is_new) found->second.since = next_;
    ++found->second.streams;
  }
  json::Writer hello;
  hello.begin_object().member("epoch", epoch_).member("time", to_text(now));
  hello.member("right", stream.watch.right).key("resumed").boolean(after.has_value()).end_object();
  std::string text(retry_line);
  text += event_text("hello", hello.peek(), after.value_or(next_ - 1));
  if (!stream.watch.last_event_id.empty() && !after) text += event_text("reset", "{}", next_ - 1);
  static_cast<void>(stream.sink->push(piece_of(text)));
  if (!after) return;
  for (const KeptEvent& event : ring_.events()) {
    if (event.number > *after && watches(stream, event.topics))
      static_cast<void>(stream.sink->push(event.piece));
  }
}

/// Ends the session's oldest stream to make room for the new one.
void EventHub::make_room(const Id& session) {
  const auto is_same = [&](const Stream& each) { return each.watch.session == session; };
  const auto count = static_cast<std::size_t>(std::count_if(streams_.begin(), streams_.end(), is_same));
  if (count < streams_of_session_max) return;
  bye(std::find_if(streams_.begin(), streams_.end(), is_same), "superseded");
}

void EventHub::bye(Streams::iterator stream, std::string_view reason) {
  static_cast<void>(stream->sink->push(piece_of(event_text("bye", json_of("reason", reason), next_ - 1))));
  stream->sink->end();
  drop(stream);
}

EventHub::Streams::iterator EventHub::drop(Streams::iterator stream) {
  for (const Topic& topic : stream->watch.topics) {
    const auto found = interests_.find(topic);
    if (found == interests_.end()) continue;
    --found->second.streams;
    found->second.left_at = now_;
  }
  return streams_.erase(stream);
}

void EventHub::publish(std::vector<StreamEvent> events) {
  for (StreamEvent& event : events) {
    const std::uint64_t number = next_++;
    KeptEvent kept{number, std::move(event.topics), piece_of(event_text(event.name, event.data, number))};
    for (auto stream = streams_.begin(); stream != streams_.end();) {
      const bool stays = !watches(*stream, kept.topics) || stream->sink->push(kept.piece);
      stream = stays ? std::next(stream) : drop(stream);
    }
    ring_.add(std::move(kept));
  }
}

void EventHub::comment() {
  const auto piece = piece_of(comment_line);
  for (auto stream = streams_.begin(); stream != streams_.end();)
    stream = stream->sink->push(piece) ? std::next(stream) : drop(stream);
}

void EventHub::check_rights(const store::Snapshot& snapshot) {
  for (auto stream = streams_.begin(); stream != streams_.end();) {
    const auto next = std::next(stream);
    if (const auto reason = stream->watch.reason_to_end(snapshot)) bye(stream, *reason);
    stream = next;
  }
}

void EventHub::forget_topics(Time now) {
  now_ = now;
  std::erase_if(interests_, [&](const auto& each) {
    return each.second.streams == 0 && now.ms - each.second.left_at.ms > interest_kept_ms;
  });
  if (interests_.empty()) ring_.clear();
}

void EventHub::end_all() {
  is_closed_ = true;
  while (!streams_.empty()) bye(streams_.begin(), "drain");
}

}  // namespace parley::actors
