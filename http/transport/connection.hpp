#pragma once
/// Connection: one client's socket, with its framer, the request in flight and the answer being sent.
///
///   reading ──► answering ──► writing ──► reading | streaming | lingering | closed
///      │ fault, timeout          ▲
///      └─────────────────────────┘
///
// clang-format off
///   reading    bytes go to the framer; no request is in progress
///   answering  the handler has the request; no timeout, and nothing is read (pipelined bytes wait in the kernel)
///   writing    one answer is sent, as far as the socket accepts it
///   streaming  pieces of a streamed answer are sent as they arrive; input is discarded
///   lingering  the last answer is sent and our side is shut down; input is discarded for a short time, so that the
///              client reads the answer instead of a reset
///   closed     the worker removes it
// clang-format on
///
/// Thread: its worker only.
/// Invariant: one request in flight. An answer is accepted only in `answering`, and only if it carries the number of
/// that request.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

#include "http/protocol/framer.hpp"
#include "http/transport/byte_budget.hpp"
#include "http/transport/descriptor.hpp"
#include "http/transport/mailbox.hpp"
#include "http/transport/output.hpp"
#include "http/transport/server_options.hpp"
#include "http/transport/stream_output.hpp"
#include "http/transport/transport_counters.hpp"

namespace parley::http {

using Monotonic = std::chrono::steady_clock;

/// Shared by the connections of one worker.
struct WorkerScope {
  const ServerOptions& options;
  const Handler& handle;
  const FaultRenderer& render_fault;
  const Preauthorizer& preauthorize;
  TransportCounters& counters;
  std::shared_ptr<ByteBudget> bodies;
  std::shared_ptr<ByteBudget> answers_held;
  std::shared_ptr<AnswerSink> answers;
  Monotonic::time_point now = Monotonic::now();  ///< time of the current batch of events
  bool draining = false;
  DateText date;
  std::array<char, bounds::read_bytes> read_buffer;
};

class Connection {
 public:
  /// `waiting`: for the socket or for an answer. `unfinished`: can continue after the other connections have had
  /// their turn.
  enum class Turn { waiting, unfinished, closed };

  Connection(std::uint64_t id, Arrival arrival, WorkerScope& scope);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  /// Called when the socket may have become readable or writable.
  [[nodiscard]] Turn on_ready(bool hung_up);
  /// Continues where an `unfinished` turn ended.
  [[nodiscard]] Turn resume();
  enum class Accepted {
    no,      ///< no request waits for this answer
    inside,  ///< in the current turn: the handler answered synchronously
    outside  ///< outside a turn, and sent as far as the socket accepts it; resume() sends the rest
  };
  [[nodiscard]] Accepted answer(Answer answer);
  /// Ends the connection at its next turn, whatever its state.
  void give_up() noexcept { phase_ = Phase::closed; }
  /// Checks the timeouts.
  [[nodiscard]] Turn on_tick();
  /// Ends the connection unless a request is in progress.
  [[nodiscard]] Turn on_drain();
  /// Called after the drain deadline: a client that waits for an answer, or is sending a request, gets a 503.
  [[nodiscard]] Turn on_give_up();

  [[nodiscard]] int descriptor() const { return socket_.get(); }

 private:
  enum class Phase { reading, answering, writing, streaming, lingering, closed };

  [[nodiscard]] Turn run();
  [[nodiscard]] bool step();
  [[nodiscard]] bool read_on();
  [[nodiscard]] bool read();
  void preauthorize();
  [[nodiscard]] bool has_room();
  void say_continue();
  void on_bytes(std::string_view bytes);
  void on_read_end();
  void dispatch();
  [[nodiscard]] bool write();
  void on_written();
  [[nodiscard]] bool stream();
  [[nodiscard]] Accepted take(Piece piece, std::uint64_t request);
  [[nodiscard]] bool discard();
  void respond(Response response);
  static void replace(Response& response, Response other);
  [[nodiscard]] bool holds(std::size_t answer_bytes);
  void fail(const FramingFault& fault);
  [[nodiscard]] Response rendered(const FramingFault& fault) const;
  [[nodiscard]] Response content_of(Answer answer);
  void enter(Phase phase);
  void expire_reading(std::chrono::milliseconds age);
  void look_for_end();

  std::uint64_t id_;
  /// Declared before the socket, which closes first: a connection that is no longer counted holds no descriptor.
  OpenConnections::Seat seat_;
  Descriptor socket_;
  WorkerScope& scope_;
  Framer framer_;
  ByteBudget::Share body_;  ///< bytes of the request being received; handed to the Responder
  Output output_;
  std::unique_ptr<StreamOutput> pieces_;  ///< the pieces, if the answer is a stream
  ByteBudget::Share unsent_;              ///< bytes of the output, if it is large
  /// Set if the client has left; read by all code that keeps the client waiting.
  std::shared_ptr<std::atomic<bool>> client_left_ = std::make_shared<std::atomic<bool>>(false);
  Phase phase_ = Phase::reading;
  Framer::Part part_ = Framer::Part::nothing;
  Monotonic::time_point since_;  ///< start of the phase or part; for a write, its last progress
  std::uint64_t requests_ = 0;
  std::size_t discarded_bytes_ = 0;
  bool readable_ = true;         ///< true until a read would block, because events are edge-triggered
  bool running_ = false;         ///< inside run(), which sends an answer that is given in the meantime
  bool interim_ = false;         ///< the output is `100 Continue`
  std::string request_id_;       ///< the client's X-Request-Id of the current request; empty: none
  std::string origin_;           ///< the Origin of the current request; empty: none
  ByteBudget::Owner owner_ = 0;  ///< owner of the body being received
  bool is_http_1_0_ = false;
  bool head_only_ = false;
  bool is_question_ = false;  ///< a GET: its answer may be refused, because it had no effect
  bool close_ = false;        ///< close after the output is sent
};

}  // namespace parley::http
