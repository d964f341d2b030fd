#include <string>

#include "http/protocol/framer.hpp"
#include "model/check.hpp"
#include "tests/fuzz/targets.hpp"

namespace parley::fuzz {
namespace {

constexpr std::size_t body_bytes_max = 256;

std::string transcript_of(const http::Framer& framer) {
  const http::Request& request = framer.request();
  std::string text = std::string(request.method) + ' ' + std::string(request.target) + ' ';
  text += std::to_string(request.minor_version) + (framer.wants_close() ? " close " : " ");
  for (const auto& [name, value] : request.fields)
    text.append(name).append(1, ':').append(value).append(1, '\n');
  return text.append(request.body) + '\n';
}

/// The requests in order, then how the input ends.
std::string read_in_pieces(std::string_view bytes, std::size_t size) {
  http::Framer framer(body_bytes_max);
  std::string text;
  while (!bytes.empty() && framer.state() != http::Framer::State::fault) {
    const std::string_view piece = bytes.substr(0, size);
    bytes.remove_prefix(piece.size());
    for (auto state = framer.feed(piece); state == http::Framer::State::request; state = framer.next()) {
      CHECK(framer.request().body.size() <= body_bytes_max);
      CHECK(framer.request().method.find_first_of(" \r\n") == std::string_view::npos);
      CHECK(framer.request().target.find_first_of(" \r\n") == std::string_view::npos);
      text += transcript_of(framer);
    }
  }
  if (framer.state() != http::Framer::State::fault) return text + "more";
  CHECK(framer.fault().status() >= 400 && framer.fault().status() < 600);
  return text + std::string(framer.fault().slug());
}

}  // namespace

void framer(std::string_view bytes) {
  const std::string whole = read_in_pieces(bytes, bytes.size());
  CHECK(read_in_pieces(bytes, 1) == whole);
  CHECK(read_in_pieces(bytes, 7) == whole);
}

}  // namespace parley::fuzz
