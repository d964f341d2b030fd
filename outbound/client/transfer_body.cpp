// Transfer: the body of the answer as it is received: decompression, limits, and the end of the body.

#include "outbound/client/transfer.hpp"

namespace parley::outbound {

std::size_t Transfer::on_body(char* bytes, std::size_t size, std::size_t count, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  return transfer.take_body({bytes, size * count}) ? size * count : 0;
}

bool Transfer::take_body(std::string_view bytes) {
  if (const auto length = head_.hidden_length()) bytes = bytes.substr(0, *length - body_wire_bytes_);
  body_wire_bytes_ += bytes.size();
  if (!(head_.is_packed() ? unpack(bytes) : keep(bytes))) return false;
  is_ended_ = ends_by_length();
  return !is_ended_;
}

bool Transfer::unpack(std::string_view bytes) {
  if (!unpacker_) unpacker_.emplace();
  switch (unpacker_->feed(bytes, [this](std::string_view unpacked) { return keep(unpacked); })) {
    case Gunzip::Fed::all: return true;
    case Gunzip::Fed::refused: return false;
    case Gunzip::Fed::broken:
      cut_ = fail(FailureKind::broken,
                  "the answer of " + name_of(plan_.url) + " is not compressed as its header says");
      return false;
    case Gunzip::Fed::no_memory:
      cut_ = fail(FailureKind::overloaded, "this server has no memory left for the call");
      return false;
  }
  return false;
}

bool Transfer::keep(std::string_view bytes) {
  if (bytes.size() > plan_.request.body_bytes_max - body_.size()) {
    cut_ = too_large();
    return false;
  }
  if (!pay_for(bytes.size())) {
    cut_ = fail(FailureKind::overloaded, "this server is already receiving too many large answers");
    return false;
  }
  body_.append(bytes);
  return true;
}

bool Transfer::ends_by_length() const {
  constexpr int first_last_status = 200;  // an interim answer has no body
  return head_.is_whole() && status() >= first_last_status && head_.hidden_length() == body_wire_bytes_;
}

bool Transfer::declares_too_much() const {
  const bool has_declared_length = head_.is_whole() && !head_.is_interim() && !head_.is_packed();
  return has_declared_length && head_.length().value_or(0) > plan_.request.body_bytes_max;
}

bool Transfer::is_cut_short() const {
  const bool has_body = status() != 204 && status() != 304;
  const bool lacks_bytes = has_body && head_.hidden_length().value_or(0) > body_wire_bytes_;
  return lacks_bytes || (unpacker_ && !unpacker_->is_whole());
}

bool Transfer::pay_for(std::size_t bytes) {
  const std::size_t all = body_.size() + bytes;
  if (all <= plan_.limits.usual_body_bytes) return true;
  const std::size_t more = all - plan_.limits.usual_body_bytes - large_bytes_;
  const std::size_t most = plan_.limits.large_bodies_bytes_max;
  std::size_t held = plan_.large_bodies_bytes;
  do {
    if (more > most - held) return false;
  } while (!plan_.large_bodies_bytes.compare_exchange_weak(held, held + more));
  large_bytes_ += more;
  return true;
}

}  // namespace parley::outbound
