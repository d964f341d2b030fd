#pragma once
/// The interface between http/ and the events actor: topics, events and watches. Plain values and interfaces; any thread.

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/description/record.hpp"
#include "model/expected.hpp"
#include "model/id.hpp"
#include "model/time.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

/// What a client can watch. Only `run` and `result` have an id.
enum class TopicKind : std::uint8_t { runs, run, result, agents, session, records };
struct Topic {
  TopicKind kind = TopicKind::runs;
  Id id = {};
  auto operator<=>(const Topic&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// A record that a commit wrote or erased.
struct Moved {
  RecordKind kind = RecordKind::run;
  Id id;
  bool is_new = false;
  bool is_erased = false;
  std::optional<std::uint32_t> entry = std::nullopt;  ///< of a result: this entry was written, not the head
  auto operator<=>(const Moved&) const = default;     // NOLINT(modernize-use-nullptr)
};

/// One event, sent to each client that watches one of its topics.
struct StreamEvent {
  std::vector<Topic> topics;
  std::string_view name;  ///< static text
  std::string data;       ///< JSON
};

/// Turns changes into events. Called by the events actor alone; may keep state between calls.
class EventRenderer {
 public:
  EventRenderer() = default;
  EventRenderer(const EventRenderer&) = delete;
  EventRenderer& operator=(const EventRenderer&) = delete;
  virtual ~EventRenderer() = default;

  using Wanted = std::function<bool(const Topic&)>;
  /// `wanted`: whether a topic is watched; events of other topics are not needed.
  [[nodiscard]] virtual std::vector<StreamEvent> render(const store::Snapshot& snapshot,
                                                        const std::vector<Moved>& moved,
                                                        const Wanted& wanted) = 0;
  /// Runs that changed according to the last call of render(), for render_run().
  [[nodiscard]] virtual std::vector<Id> touched_runs() const = 0;
  /// The event with a run's state; nullopt if the run is gone.
  [[nodiscard]] virtual std::optional<StreamEvent> render_run(const store::Snapshot& snapshot,
                                                              const Id& run) = 0;
  /// The text as the transport sends it.
  [[nodiscard]] virtual std::string framed(std::string_view text) const = 0;
};

/// One client's open stream.
class EventSink {
 public:
  EventSink() = default;
  EventSink(const EventSink&) = delete;
  EventSink& operator=(const EventSink&) = delete;
  virtual ~EventSink() = default;

  /// Sends framed text. False: the client has left, or was cut off because it reads too slowly.
  [[nodiscard]] virtual bool push(const std::shared_ptr<const std::string>& piece) = 0;
  /// Ends the stream after the text pushed so far.
  virtual void end() = 0;
};

/// A client that asks for a stream. Its functions are called on a thread of the actor pool and must not block.
struct Watch {
  Id session;  ///< nil: an API key, which may have any number of streams
  std::vector<Topic> topics;
  std::string last_event_id;  ///< empty: a new client
  std::string right;          ///< the keyword of the client's right, for `hello`
  /// Why the client may no longer read; nullopt while it may.
  std::function<std::optional<std::string_view>(const store::Snapshot&)> reason_to_end;
  /// Answers 200; null if the client has left.
  std::function<std::shared_ptr<EventSink>()> open;
  std::function<void(Problem)> refuse;
};

/// The interface of event streams for http/, next to the gateway. Thread: any.
class EventGateway {
 public:
  EventGateway() = default;
  EventGateway(const EventGateway&) = delete;
  EventGateway& operator=(const EventGateway&) = delete;
  virtual ~EventGateway() = default;

  /// Opens a stream of events, or refuses it. `renderer` renders the events of all streams; only the first
  /// one passed is used.
  virtual void watch(Watch watch, std::shared_ptr<EventRenderer> renderer) = 0;
  /// Number of clients that keep a stream open.
  [[nodiscard]] virtual std::uint64_t streams() const = 0;
};

}  // namespace parley::actors
