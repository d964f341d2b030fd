#include "http/transport/connection.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <ctime>
#include <new>
#include <utility>

namespace parley::http {
namespace {

/// Whether a failed socket call must be repeated later. EWOULDBLOCK has the same value on Linux.
bool would_block() {
  return errno == EAGAIN;
}

/// The last resort if the renderer's answer cannot be sent either.
Response bare_fault() {
  return {500, {{"Content-Type", "text/plain"}}, "internal error\n", true};
}

/// Affects this request only; the next one may find memory (F40).
FramingFault no_memory() {
  return framing_fault(ProblemKind::busy, "The server has no memory for this request; try again later.");
}

}  // namespace

Connection::Connection(std::uint64_t id, Arrival arrival, WorkerScope& scope)
    : id_(id),
      seat_(std::move(arrival.seat)),
      socket_(std::move(arrival.socket)),
      scope_(scope),
      framer_(scope.options.body_bytes_max, arrival.peer),
      since_(scope.now) {
  if (arrival.refused)
    fail(framing_fault(ProblemKind::busy, "Too many connections are open; try again later."));
}

Connection::~Connection() {
  *client_left_ = true;
}

Connection::Turn Connection::on_ready(bool hung_up) {
  readable_ = true;
  if (hung_up) enter(Phase::closed);
  return run();
}

Connection::Turn Connection::resume() {
  return run();
}

Connection::Turn Connection::run() {
  running_ = true;
  int steps = 0;
  while (steps < bounds::steps_per_turn_max && step()) ++steps;
  running_ = false;
  if (phase_ == Phase::closed) return Turn::closed;
  return steps == bounds::steps_per_turn_max ? Turn::unfinished : Turn::waiting;
}

/// Performs one read, request or write. Returns false if it must wait.
bool Connection::step() {
  switch (phase_) {
    case Phase::reading:
      switch (framer_.state()) {
        case Framer::State::request: dispatch(); return true;
        case Framer::State::fault: fail(framer_.fault()); return true;
        case Framer::State::need_more: return read_on();
      }
      return false;
    case Phase::answering: return false;
    case Phase::writing: return write();
    case Phase::streaming: return stream();
    case Phase::lingering: return discard();
    case Phase::closed: return false;
  }
  return false;
}

/// Handles the current head before reading more.
bool Connection::read_on() {
  if (framer_.awaits_body_use()) {
    preauthorize();
  } else if (!has_room()) {
    return true;
  } else if (framer_.take_continue()) {
    say_continue();
  } else {
    return read();
  }
  return true;
}

/// I69: a body sent without a valid key is not kept, and its client gets no 100 Continue.
void Connection::preauthorize() {
  const BodyPlan plan = scope_.preauthorize ? scope_.preauthorize(framer_.head()) : BodyUse::keep;
  owner_ = plan.owner;
  framer_.use_body(plan.use);
}

/// Whether the received part of the body fits into the budget for all bodies (I63). If not, the client gets a 503 and
/// the connection ends.
bool Connection::has_room() {
  if (body_.grow_to(framer_.body_bytes_kept(), scope_.bodies, owner_)) return true;
  auto fault = framing_fault(ProblemKind::busy,
                             "Too many bytes of request bodies are in progress; send the request again.");
  framer_.describe(fault);
  fail(fault);
  return false;
}

void Connection::say_continue() {
  interim_ = true;
  output_.set("HTTP/1.1 100 Continue\r\n\r\n", {});
  phase_ = Phase::writing;
}

bool Connection::read() {
  if (!readable_) return false;
  const auto got = ::recv(socket_.get(), scope_.read_buffer.data(), scope_.read_buffer.size(), 0);
  if (got > 0) {
    on_bytes({scope_.read_buffer.data(), static_cast<std::size_t>(got)});
    return true;
  }
  if (got < 0 && errno == EINTR) return true;
  if (got < 0 && would_block()) {
    on_read_end();
    return false;
  }
  // The client left, or will not complete its request: no answer is possible.
  enter(Phase::closed);
  return false;
}

void Connection::on_bytes(std::string_view bytes) {
  framer_.feed(bytes);
  if (framer_.part() != part_) {
    part_ = framer_.part();
    since_ = scope_.now;
  }
}

void Connection::on_read_end() {
  readable_ = false;
  if (scope_.draining && framer_.part() == Framer::Part::nothing) enter(Phase::closed);
}

void Connection::dispatch() {
  if (!has_room()) return;
  const auto& request = framer_.request();
  enter(Phase::answering);
  ++requests_;
  head_only_ = request.method == "HEAD";
  is_question_ = request.method == "GET";
  const Field* named = request.find("X-Request-Id");
  request_id_ = named == nullptr ? std::string() : std::string(named->value);
  origin_ = request.text("Origin");
  is_http_1_0_ = request.minor_version == 0;
  close_ = framer_.wants_close();
  count(scope_.counters.requests);
  const Responder responder(scope_.answers, id_, requests_, client_left_, std::move(body_));
  try {
    scope_.handle(request, responder);
  } catch (const std::bad_alloc&) {
    count(scope_.counters.handler_exceptions);
    if (phase_ == Phase::answering) responder.send(rendered(no_memory()));
  } catch (...) {
    // The text of the exception is not for clients (D3). An answer given before the exception remains valid.
    count(scope_.counters.handler_exceptions);
    if (phase_ == Phase::answering)
      responder.send(rendered(framing_fault(ProblemKind::internal, "The server failed.")));
  }
  framer_.next();
}

Connection::Accepted Connection::answer(Answer answer) {
  if (auto* piece = std::get_if<Piece>(&answer.content)) return take(std::move(*piece), answer.request);
  if (phase_ != Phase::answering || answer.request != requests_) return Accepted::no;
  respond(content_of(std::move(answer)));
  if (running_) return Accepted::inside;
  static_cast<void>(write());
  return Accepted::outside;
}

Response Connection::content_of(Answer answer) {
  if (auto* response = std::get_if<Response>(&answer.content)) return std::move(*response);
  if (auto* late = std::get_if<LateResponse>(&answer.content)) {
    try {
      return (*late)();
    } catch (const std::bad_alloc&) {
      count(scope_.counters.handler_exceptions);
      return rendered(no_memory());
    } catch (...) {
      count(scope_.counters.handler_exceptions);
      return rendered(framing_fault(ProblemKind::internal, "The server failed."));
    }
  }
  count(scope_.counters.answers_missing);
  return rendered(framing_fault(ProblemKind::internal, "The server lost the request."));
}

Response Connection::rendered(const FramingFault& fault) const {
  try {
    auto response = scope_.render_fault(fault);
    response.status = fault.status();
    return response;
  } catch (...) {
    return bare_fault();
  }
}

/// Whether the budget can hold the answer until the client has read it (F27). The outcome of a command is always
/// sent.
bool Connection::holds(std::size_t answer_bytes) {
  if (answer_bytes <= bounds::free_answer_bytes_max) return true;
  if (unsent_.grow_to(answer_bytes, scope_.answers_held)) return true;
  if (!is_question_) unsent_.hold(answer_bytes, scope_.answers_held);
  return !is_question_;
}

/// Replaces one answer with another. The answer is reported once, with the status that is sent.
void Connection::replace(Response& response, Response other) {
  if (response.report && other.report) other.report->forget();
  if (response.report) other.report = std::move(response.report);
  response = std::move(other);
}

void Connection::respond(Response response) {
  if (!head_only_ && !holds(response.body.size())) {
    count(scope_.counters.answers_refused);
    auto fault =
        framing_fault(ProblemKind::busy,
                      "Too many bytes of answers wait for clients to read them; try again, or request less.");
    fault.request_id = request_id_;
    fault.origin = origin_;
    replace(response, rendered(fault));
  }
  const bool is_stream = response.is_stream && !head_only_;
  close_ = close_ || response.close || response.is_stream || scope_.draining;
  const ResponseFrame frame{scope_.date.at(std::time(nullptr)), close_, is_http_1_0_};
  auto head = response_head(response, frame);
  if (!head) {
    count(scope_.counters.responses_refused);
    replace(response,
            rendered(framing_fault(ProblemKind::internal, "The server made an answer that cannot be sent.")));
    head = response_head(response, frame);
  }
  if (!head) {
    replace(response, bare_fault());
    head = response_head(response, frame);
  }
  if (response.report) response.report->sent(response.status);
  const bool has_body = may_have_body(response.status) && !head_only_;
  output_.set(*std::move(head), has_body ? std::move(response.body) : std::string{});
  if (is_stream && response.is_stream) pieces_ = std::make_unique<StreamOutput>();
  count(scope_.counters.responses);
  enter(Phase::writing);
}

void Connection::fail(const FramingFault& fault) {
  count(scope_.counters.faults);
  close_ = true;
  head_only_ = false;
  respond(rendered(fault));
  // The body counts only as long as the handler needs it, not while the client reads the answer.
  framer_.end();
  body_.release();
}

bool Connection::write() {
  switch (output_.send(socket_.get())) {
    case Output::Sent::all: on_written(); return true;
    case Output::Sent::some: since_ = scope_.now; return false;
    case Output::Sent::none: return false;
    case Output::Sent::broken: enter(Phase::closed); return false;
  }
  return false;
}

void Connection::on_written() {
  unsent_.release();
  if (std::exchange(interim_, false)) {
    phase_ = Phase::reading;
    return;
  }
  owner_ = 0;
  if (pieces_) return enter(Phase::streaming);
  if (!close_) return enter(Phase::reading);
  ::shutdown(socket_.get(), SHUT_WR);
  enter(Phase::lingering);
}

bool Connection::discard() {
  if (!readable_) return false;
  const auto got = ::recv(socket_.get(), scope_.read_buffer.data(), scope_.read_buffer.size(), 0);
  if (got > 0) discarded_bytes_ += static_cast<std::size_t>(got);
  if (got > 0 && discarded_bytes_ <= bounds::linger_bytes_max) return true;
  if (got < 0 && errno == EINTR) return true;
  if (got < 0 && would_block()) {
    readable_ = false;
    return false;
  }
  enter(Phase::closed);
  return false;
}

void Connection::enter(Phase phase) {
  phase_ = phase;
  since_ = scope_.now;
  part_ = framer_.part();
}

Connection::Turn Connection::on_tick() {
  const auto age = std::chrono::duration_cast<std::chrono::milliseconds>(scope_.now - since_);
  const auto& timeouts = scope_.options.timeouts;
  switch (phase_) {
    case Phase::reading: expire_reading(age); break;
    case Phase::writing:
      if (age < timeouts.write_stall) return Turn::waiting;
      count(scope_.counters.write_stalls);
      enter(Phase::closed);
      break;
    case Phase::streaming:
      if (pieces_->is_empty() || age < timeouts.write_stall) return Turn::waiting;
      count(scope_.counters.write_stalls);
      enter(Phase::closed);
      break;
    case Phase::lingering:
      if (age < timeouts.linger) return Turn::waiting;
      enter(Phase::closed);
      break;
    case Phase::answering:
      if (age >= bounds::long_answer) look_for_end();
      break;
    case Phase::closed: break;
  }
  return run();
}

/// Nothing is read while the handler works, so this detects the end of the connection.
void Connection::look_for_end() {
  char next = 0;
  if (::recv(socket_.get(), &next, 1, MSG_PEEK | MSG_DONTWAIT) == 0) *client_left_ = true;
}

void Connection::expire_reading(std::chrono::milliseconds age) {
  const auto& timeouts = scope_.options.timeouts;
  const auto time_out = [&](std::string detail) {
    count(scope_.counters.timeouts);
    fail(framing_fault(ProblemKind::request_timeout, std::move(detail)));
  };
  switch (part_) {
    case Framer::Part::nothing:
      if (age >= timeouts.idle) enter(Phase::closed);
      return;
    case Framer::Part::head:
      if (age >= timeouts.head) time_out("The head of the request took too long.");
      return;
    case Framer::Part::body: {
      const auto earned = std::chrono::milliseconds(framer_.body_bytes_received() * 1000 /
                                                    std::max<std::size_t>(timeouts.body_bytes_per_s_min, 1));
      if (age >= timeouts.body + earned) time_out("The body of the request took too long.");
      return;
    }
  }
}

Connection::Turn Connection::on_drain() {
  // A request that was already received is still served; this read finds it.
  readable_ = true;
  return run();
}

Connection::Turn Connection::on_give_up() {
  if (phase_ == Phase::reading && framer_.part() != Framer::Part::nothing) {
    fail(framing_fault(ProblemKind::draining, "The server is shutting down; send the request again."));
  } else if (phase_ == Phase::answering) {
    auto fault = framing_fault(ProblemKind::draining,
                               "The server shut down while processing this request; retry with the same "
                               "Idempotency-Key, or GET the record, to learn whether it took effect.");
    fault.request_id = request_id_;
    fault.origin = origin_;
    count(scope_.counters.faults);
    close_ = true;
    respond(rendered(fault));
  } else if (phase_ == Phase::streaming) {
    enter(Phase::closed);
  }
  return run();
}

}  // namespace parley::http
