#include "http/protocol/chunked.hpp"

#include <algorithm>
#include <charconv>

#include "http/protocol/field_grammar.hpp"
#include "http/protocol/head.hpp"
#include "http/protocol/transport_limits.hpp"

namespace parley::http {
namespace {

constexpr std::string_view line_end = "\r\n";

}  // namespace

std::size_t ChunkDecoder::consume(std::string_view bytes, std::string& body) {
  auto rest = bytes;
  while (!rest.empty() && !is_done() && !fault_) step(rest, body);
  return bytes.size() - rest.size();
}

void ChunkDecoder::step(std::string_view& rest, std::string& body) {
  switch (phase_) {
    case Phase::size:
      if (take_line(rest, bounds::chunk_line_bytes_max, ProblemKind::invalid_chunk)) on_size_line();
      return;
    case Phase::data: return take_data(rest, body);
    case Phase::data_end: return take_data_end(rest);
    case Phase::trailer:
      if (take_line(rest, bounds::trailer_bytes_max - trailer_bytes_, ProblemKind::fields_too_large))
        on_trailer();
      return;
    case Phase::done: return;
  }
}

/// Moves bytes into `line_` up to the end of the line; true when the line is complete.
bool ChunkDecoder::take_line(std::string_view& rest, std::size_t bytes_max, ProblemKind kind) {
  const auto feed = rest.find('\n');
  const auto taken = feed == std::string_view::npos ? rest.size() : feed + 1;
  if (line_.size() + taken > bytes_max + line_end.size()) {
    fail(kind, "The size line of a chunk, or the trailer, is too long.");
    return false;
  }
  line_.append(rest.substr(0, taken));
  rest.remove_prefix(taken);
  if (feed == std::string_view::npos) return false;
  if (line_.size() < line_end.size() || line_[line_.size() - 2] != '\r') {
    fail(ProblemKind::invalid_chunk, "Lines of a chunked body must end with CR LF.");
    return false;
  }
  line_.resize(line_.size() - line_end.size());
  return true;
}

void ChunkDecoder::on_size_line() {
  const auto size_text = std::string_view(line_).substr(0, line_.find(';'));
  const auto extensions = std::string_view(line_).substr(size_text.size());
  extension_bytes_ += extensions.size();
  std::uint64_t size = 0;
  const auto* end = size_text.data() + size_text.size();
  const auto [stop, error] = std::from_chars(size_text.data(), end, size, 16);
  if (size_text.size() > bounds::chunk_size_digits_max || stop != end || error != std::errc{})
    return fail(ProblemKind::invalid_chunk, "A chunk's size must be 1 to 16 hexadecimal digits.");
  if (!is_field_text(extensions) || extension_bytes_ > bounds::chunk_extension_bytes_max)
    return fail(ProblemKind::invalid_chunk,
                "The extensions of a chunk are too long or contain a control character.");
  if (size > body_bytes_max_ - body_bytes_)
    return fail(ProblemKind::body_too_large,
                "The body must have at most " + std::to_string(body_bytes_max_) + " bytes.");
  line_.clear();
  left_ = size;
  phase_ = size == 0 ? Phase::trailer : Phase::data;
}

void ChunkDecoder::take_data(std::string_view& rest, std::string& body) {
  const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(left_, rest.size()));
  body.append(rest.substr(0, taken));
  body_bytes_ += taken;
  rest.remove_prefix(taken);
  left_ -= taken;
  if (left_ == 0) phase_ = Phase::data_end;
}

void ChunkDecoder::take_data_end(std::string_view& rest) {
  if (rest.front() != line_end[end_bytes_seen_])
    return fail(ProblemKind::invalid_chunk, "A chunk's data must be followed by CR LF.");
  rest.remove_prefix(1);
  if (++end_bytes_seen_ < line_end.size()) return;
  end_bytes_seen_ = 0;
  phase_ = Phase::size;
}

void ChunkDecoder::on_trailer() {
  if (line_.empty()) {
    phase_ = Phase::done;
    return;
  }
  auto field = parse_field(line_);
  if (auto* fault = std::get_if<FramingFault>(&field)) {
    fault_ = std::move(*fault);
    return;
  }
  trailer_bytes_ += std::min(line_.size() + line_end.size(), bounds::trailer_bytes_max - trailer_bytes_);
  if (++trailers_ > bounds::trailers_max)
    return fail(ProblemKind::fields_too_large, "The trailer has too many fields.");
  line_.clear();
}

}  // namespace parley::http
