#include "http/protocol/framer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "http/protocol/field_grammar.hpp"
#include "http/protocol/head.hpp"
#include "http/protocol/transport_limits.hpp"
#include "model/check.hpp"

namespace parley::http {
namespace {

constexpr std::size_t line_end_bytes = 2;

}  // namespace

Framer::State Framer::feed(std::string_view bytes) {
  if (phase_ == Phase::failed) return State::fault;
  if (phase_ == Phase::ended) return State::need_more;
  if (phase_ == Phase::request_line && cursor_ > 0) {
    // Pipelined requests before this one have been answered. The buffer moves once per read, not once per request.
    buffer_.erase(0, cursor_);
    scanned_ -= cursor_;
    cursor_ = 0;
  }
  make_room(bytes.size());
  buffer_.append(bytes);
  return read_on();
}

/// The buffer of a body grows once, to the announced size, after enough bytes were received to trust the
/// announcement. A buffer that doubles would take up to three times the size of the body while it moves.
void Framer::make_room(std::size_t bytes) {
  const bool is_kept = phase_ == Phase::body && framing_.body == Framing::Body::length && !is_dropping_;
  if (!is_kept || buffer_.size() + bytes <= std::max(buffer_.capacity(), bounds::small_body_bytes_max))
    return;
  buffer_.reserve(cursor_ + framing_.length);
}

Framer::State Framer::next() {
  CHECK(phase_ == Phase::complete);
  if (is_last_) {
    end();
    return state();
  }
  const auto body_end = framing_.body == Framing::Body::length && !is_dropping_ ? framing_.length : 0;
  cursor_ += body_end;
  if (cursor_ == buffer_.size()) {
    buffer_.clear();
    cursor_ = 0;
  }
  if (buffer_.capacity() > bounds::kept_buffer_bytes_max &&
      buffer_.size() - cursor_ < buffer_.capacity() / 4) {
    buffer_ = std::string(buffer_, cursor_);
    cursor_ = 0;
  }
  scanned_ = cursor_;
  phase_ = Phase::request_line;
  empty_lines_ = 0;
  field_block_bytes_ = 0;
  fields_.clear();
  request_.fields.clear();
  request_.body = {};
  request_.is_refused = false;
  framing_ = {};
  continue_owed_ = false;
  is_use_known_ = false;
  is_dropping_ = false;
  dropped_bytes_ = 0;
  chunks_ = ChunkDecoder(body_bytes_max_);
  chunked_body_ = {};
  return read_on();
}

Framer::State Framer::state() const {
  switch (phase_) {
    case Phase::complete: return State::request;
    case Phase::failed: return State::fault;
    case Phase::request_line:
    case Phase::fields:
    case Phase::body:
    case Phase::ended: return State::need_more;
  }
  return State::need_more;
}

Framer::Part Framer::part() const {
  if (phase_ == Phase::body) return Part::body;
  if (phase_ == Phase::ended) return Part::nothing;
  return phase_ == Phase::request_line && cursor_ == buffer_.size() ? Part::nothing : Part::head;
}

std::size_t Framer::body_bytes_received() const {
  if (is_dropping_) return dropped_bytes_;
  return framing_.body == Framing::Body::chunked ? chunked_body_.size() : buffer_.size() - cursor_;
}

std::size_t Framer::body_bytes_kept() const {
  if (phase_ == Phase::complete) return request_.body.size();
  return phase_ == Phase::body && !is_dropping_ ? body_bytes_received() : 0;
}

void Framer::use_body(BodyUse use) {
  CHECK(awaits_body_use());
  is_use_known_ = true;
  if (use == BodyUse::keep) return;
  is_dropping_ = true;
  request_.is_refused = use == BodyUse::refuse;
  // RFC 9110 section 10.1.1: a client that waits for 100 may or may not send the body after a different answer; the
  // server cannot know which.
  if (request_.is_refused && (continue_owed_ || framing_.length > bounds::dropped_body_bytes_max))
    return cut_body();
  if (framing_.body == Framing::Body::chunked) dropped_bytes_ = chunked_body_.size();
  chunked_body_ = {};
  on_body_bytes();
}

bool Framer::take_continue() {
  return std::exchange(continue_owed_, false);
}

Framer::State Framer::read_on() {
  while (phase_ == Phase::request_line || phase_ == Phase::fields) {
    const auto line = take_line();
    if (!line) return state();
    if (phase_ == Phase::request_line) {
      on_request_line(*line);
    } else {
      on_field_line(*line);
    }
  }
  if (phase_ == Phase::body) on_body_bytes();
  return state();
}

/// The next line without its CRLF; nullopt if the line is incomplete or faulty.
std::optional<std::string_view> Framer::take_line() {
  if (phase_ == Phase::request_line && cursor_ < buffer_.size()) {
    // No request begins with this character; a TLS client gets the answer now instead of after the timeout.
    const char first = buffer_[cursor_];
    if (!is_token_char(first) && first != '\r') {
      fail(framing_fault(ProblemKind::invalid_request_line,
                         "The request does not begin with a method; is this plain HTTP?"));
      return {};
    }
  }
  const auto window_end = cursor_ + std::min(buffer_.size() - cursor_, line_bytes_max());
  const auto* from = buffer_.data() + scanned_;
  const auto* feed = static_cast<const char*>(std::memchr(from, '\n', window_end - scanned_));
  if (feed == nullptr) {
    scanned_ = window_end;
    if (window_end - cursor_ == line_bytes_max()) on_line_too_long();
    return {};
  }
  const auto line_size = static_cast<std::size_t>(feed - buffer_.data()) - cursor_;
  if (line_size == 0 || *(feed - 1) != '\r') {
    fail(framing_fault(
        phase_ == Phase::request_line ? ProblemKind::invalid_request_line : ProblemKind::invalid_field,
        "Lines must end with CR LF."));
    return {};
  }
  const auto line = std::string_view(buffer_).substr(cursor_, line_size - 1);
  cursor_ += line_size + 1;
  scanned_ = cursor_;
  return line;
}

/// The bound includes the CRLF.
std::size_t Framer::line_bytes_max() const {
  if (phase_ == Phase::request_line) return bounds::request_line_bytes_max + line_end_bytes;
  return std::min(bounds::field_line_bytes_max + line_end_bytes,
                  bounds::field_block_bytes_max - field_block_bytes_);
}

void Framer::on_line_too_long() {
  if (phase_ == Phase::request_line)
    return fail(
        framing_fault(ProblemKind::target_too_long, "The request line must have at most 8192 bytes."));
  fail(framing_fault(ProblemKind::fields_too_large,
                     "A field line must have at most 8192 bytes, all fields together at most 16384."));
}

void Framer::on_request_line(std::string_view line) {
  if (line.empty()) {
    if (++empty_lines_ > bounds::empty_lines_max)
      fail(framing_fault(ProblemKind::invalid_request_line, "The request line is empty."));
    return;
  }
  auto parsed = parse_request_line(line);
  if (auto* fault = std::get_if<FramingFault>(&parsed)) return fail(std::move(*fault));
  const auto& request_line = std::get<RequestLine>(parsed);
  method_ = extent_of(request_line.method);
  target_ = extent_of(request_line.target);
  request_.minor_version = request_line.minor_version;
  if (request_line.path_missing) {
    // RFC 9112 sections 3.2.1 and 3.2.4. The host in an absolute target is checked and then ignored.
    target_ = {target_.at - 1, target_.size + 1};
    buffer_[target_.at] = request_line.method == "OPTIONS" && target_.size == 1 ? '*' : '/';
  }
  phase_ = Phase::fields;
}

void Framer::on_field_line(std::string_view line) {
  field_block_bytes_ += line.size() + line_end_bytes;
  if (line.empty()) return on_head();
  if (fields_.size() == bounds::fields_max)
    return fail(framing_fault(ProblemKind::fields_too_large, "A request must have at most 64 fields."));
  auto parsed = parse_field(line);
  if (auto* fault = std::get_if<FramingFault>(&parsed)) return fail(std::move(*fault));
  const auto& field = std::get<Field>(parsed);
  fields_.emplace_back(extent_of(field.name), field.value.empty() ? Extent{} : extent_of(field.value));
}

void Framer::on_head() {
  set_views();
  auto judged = framing_of(request_, body_bytes_max_);
  if (auto* fault = std::get_if<FramingFault>(&judged)) return fail(std::move(*fault));
  framing_ = std::get<Framing>(judged);
  if (framing_.body == Framing::Body::none) return complete({});
  phase_ = Phase::body;
  continue_owed_ = framing_.expects_continue;
}

void Framer::on_body_bytes() {
  if (is_dropping_) return on_dropped_bytes();
  const auto received = std::string_view(buffer_).substr(cursor_);
  // RFC 9110 section 10.1.1: a client that already sends its body no longer waits for 100.
  if (!received.empty()) continue_owed_ = false;
  if (framing_.body == Framing::Body::length) {
    if (received.size() >= framing_.length) complete(received.substr(0, framing_.length));
    return;
  }
  const auto taken = chunks_.consume(received, chunked_body_);
  if (chunks_.fault()) return fail(*chunks_.fault());
  // The head stays in the buffer for its views. Decoded bytes are removed, so that a long body is not stored twice.
  buffer_.erase(cursor_, taken);
  if (chunks_.is_done()) complete(chunked_body_);
}

/// Like on_body_bytes, but keeps no bytes.
void Framer::on_dropped_bytes() {
  const auto received = std::string_view(buffer_).substr(cursor_);
  if (!received.empty()) continue_owed_ = false;
  if (framing_.body == Framing::Body::length) {
    const auto taken = std::min(received.size(), framing_.length - dropped_bytes_);
    dropped_bytes_ += taken;
    buffer_.erase(cursor_, taken);
    if (dropped_bytes_ == framing_.length) complete({});
    return;
  }
  const auto taken = chunks_.consume(received, chunked_body_);
  dropped_bytes_ += chunked_body_.size();
  chunked_body_.clear();
  if (chunks_.fault()) return fail(*chunks_.fault());
  buffer_.erase(cursor_, taken);
  if (chunks_.is_done()) return complete({});
  if (request_.is_refused && dropped_bytes_ > bounds::dropped_body_bytes_max) cut_body();
}

/// Answers the request before its body has arrived; nothing after it is read.
void Framer::cut_body() {
  continue_owed_ = false;
  framing_.close = true;
  is_last_ = true;
  complete({});
}

void Framer::end() {
  if (phase_ != Phase::failed) phase_ = Phase::ended;
  buffer_ = {};
  chunked_body_ = {};
  fields_.clear();
  request_.fields.clear();
  request_.body = {};
  cursor_ = 0;
  scanned_ = 0;
}

void Framer::complete(std::string_view body) {
  phase_ = Phase::complete;
  // Reading the body moved the buffer after the head was read.
  if (framing_.body != Framing::Body::none) set_views();
  request_.body = body;
}

/// Recomputes the request's views, which are valid until the buffer moves.
void Framer::set_views() {
  request_.method = view_of(method_);
  request_.target = view_of(target_);
  const auto question = request_.target.find('?');
  request_.path = request_.target.substr(0, question);
  request_.query =
      question == std::string_view::npos ? std::string_view{} : request_.target.substr(question + 1);
  request_.fields.clear();
  for (const auto& [name, value] : fields_) request_.fields.push_back({view_of(name), view_of(value)});
}

std::string Framer::last_field(std::string_view wanted) const {
  std::string last;
  for (const auto& [name, value] : fields_) {
    if (same_ignoring_case(view_of(name), wanted)) last = view_of(value);
  }
  return last;
}

void Framer::describe(FramingFault& fault) const {
  fault.request_id = last_field("X-Request-Id");
  fault.origin = last_field("Origin");
}

void Framer::fail(FramingFault fault) {
  phase_ = Phase::failed;
  fault_ = std::move(fault);
  describe(*fault_);
  buffer_ = {};
  chunked_body_ = {};
  cursor_ = 0;
  scanned_ = 0;
}

Framer::Extent Framer::extent_of(std::string_view view) const {
  return {static_cast<std::size_t>(view.data() - buffer_.data()), view.size()};
}

std::string_view Framer::view_of(Extent extent) const {
  return std::string_view(buffer_).substr(extent.at, extent.size);
}

}  // namespace parley::http
