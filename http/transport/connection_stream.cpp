// Streamed answers: other threads send the pieces, which are forwarded as the client reads them.

#include <sys/socket.h>

#include "http/transport/connection.hpp"

namespace parley::http {

/// Takes a piece of the stream that this connection sends. A piece that exceeds the bound ends the stream.
Connection::Accepted Connection::take(Piece piece, std::uint64_t request) {
  const bool is_open = phase_ == Phase::writing || phase_ == Phase::streaming;
  if (!pieces_ || !is_open || request != requests_) return Accepted::no;
  if (pieces_->is_empty()) since_ = scope_.now;
  if (!piece.text) {
    pieces_->end();
  } else if (!pieces_->add(std::move(piece.text))) {
    count(scope_.counters.streams_cut);
    enter(Phase::closed);
  }
  return running_ ? Accepted::inside : Accepted::outside;
}

/// Ignores the client's input, except for its end.
bool Connection::stream() {
  while (phase_ == Phase::streaming && discard()) continue;
  if (phase_ != Phase::streaming) return false;
  switch (pieces_->send(socket_.get())) {
    case Output::Sent::all: break;
    case Output::Sent::some: since_ = scope_.now; return false;
    case Output::Sent::none: return false;
    case Output::Sent::broken: enter(Phase::closed); return false;
  }
  if (!pieces_->has_ended()) return false;
  ::shutdown(socket_.get(), SHUT_WR);
  enter(Phase::lingering);
  return true;
}

}  // namespace parley::http
