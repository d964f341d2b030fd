#pragma once
/// EventHub: the open streams, the topics that each watches, and the events that returning clients may still
/// request. Time is passed in. Belongs to one thread.
///
///   id of an event = EPOCH "-" number    the epoch is that of the process: after a restart every client gets `reset`
///   stream         = "retry: 2000" hello [replayed events | reset] {event | comment} [bye]
///
/// Bound: streams_max streams, streams_of_session_max for each session; the ring of event_ring.hpp.

#include <list>
#include <map>

#include "actors/streams/event_ring.hpp"

namespace parley::actors {

inline constexpr std::size_t streams_max = 1'000;
inline constexpr std::size_t streams_of_session_max = 8;
/// A topic that no stream watches any more is still recorded for this long, so that a client may return to
/// it.
inline constexpr std::int64_t interest_kept_ms = 5 * 60'000;
/// While no stream is free, all streams are checked this often for clients that have left.
inline constexpr std::int64_t ask_again_ms = 1'000;

class EventHub {
 public:
  EventHub(std::string epoch, std::shared_ptr<EventRenderer> renderer)
      : epoch_(std::move(epoch)), renderer_(std::move(renderer)) {}

  /// Opens the client's stream, or refuses it.
  void enter(Watch watch, Time now);
  [[nodiscard]] bool wants(const Topic& topic) const { return interests_.contains(topic); }
  /// Whether changes must be reported at all.
  [[nodiscard]] bool is_active() const { return !interests_.empty(); }
  [[nodiscard]] std::size_t streams() const { return streams_.size(); }

  void publish(std::vector<StreamEvent> events);
  /// Sends every client a sign of life, which also shows who has left.
  void comment();
  /// Ends the streams of clients that may no longer read.
  void check_rights(const store::Snapshot& snapshot);
  /// Forgets topics that no client has watched for a while.
  void forget_topics(Time now);
  /// Ends all streams; no stream is opened from now on.
  void end_all();

 private:
  struct Stream {
    Watch watch;
    std::shared_ptr<EventSink> sink;
  };
  using Streams = std::list<Stream>;
  struct Interest {
    std::uint64_t since = 0;  ///< number of the first event that is complete for the topic
    std::size_t streams = 0;
    Time left_at;
  };

  [[nodiscard]] std::string event_text(std::string_view name, std::string_view data,
                                       std::uint64_t number) const;
  [[nodiscard]] std::shared_ptr<const std::string> piece_of(std::string_view text) const;
  [[nodiscard]] std::optional<std::uint64_t> resumed_after(const Watch& watch) const;
  void greet(Stream& stream, Time now);
  void make_room(const Id& session);
  void bye(Streams::iterator stream, std::string_view reason);
  Streams::iterator drop(Streams::iterator stream);
  [[nodiscard]] static bool watches(const Stream& stream, const std::vector<Topic>& topics);

  std::string epoch_;
  std::shared_ptr<EventRenderer> renderer_;
  Streams streams_;  ///< oldest first
  std::map<Topic, Interest> interests_;
  EventRing ring_;
  std::uint64_t next_ = 1;
  Time now_;
  Time asked_at_;  ///< when all streams were last checked because none was free
  bool is_closed_ = false;
};

}  // namespace parley::actors
