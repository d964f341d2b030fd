#include "http/cluster/node_signature.hpp"

#include <charconv>
#include <cstdlib>

#include "model/text/ascii.hpp"
#include "store/engine/encoding.hpp"

namespace parley::http {
namespace {

constexpr std::string_view hop_field = "Parley-Hop";
constexpr std::string_view client_field = "Parley-Client";
constexpr std::string_view host_field = "Parley-Host";
constexpr std::string_view node_field = "Parley-Node";
constexpr std::int64_t valid_ms = 30'000;

}  // namespace

bool is_node_field(std::string_view name) {
  const std::string lower = ascii::lower(name);
  for (const std::string_view ours : {hop_field, client_field, host_field, node_field}) {
    if (lower == ascii::lower(ours)) return true;
  }
  return false;
}

std::string NodeSignature::mac(const Request& request, const PassedOn& of, const std::string& ms) const {
  std::string text = "node signature 1";
  for (const std::string_view part : {std::string_view(ms), request.method, request.target,
                                      std::string_view(of.client), std::string_view(of.host)})
    text.append("\n").append(part);
  for (const std::string& part : {request.joined("Authorization"), request.joined("Cookie")})
    text.append("\n").append(store::sha256(part));
  text.append("\n").append(store::sha256(request.body));
  return keys_.hash_of(text);
}

outbound::Fields NodeSignature::sign(const Request& request, const PassedOn& of, Time now) const {
  const std::string ms = std::to_string(now.ms);
  return {{std::string(hop_field), "1"},
          {std::string(client_field), of.client},
          {std::string(host_field), of.host},
          {std::string(node_field), ms + " " + mac(request, of, ms)}};
}

std::optional<PassedOn> NodeSignature::verify(const Request& request, Time now) const {
  const Field* signed_by = request.find(node_field);
  if (signed_by == nullptr || request.count(node_field) != 1) return std::nullopt;
  const auto space = signed_by->value.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const std::string ms(signed_by->value.substr(0, space));
  std::int64_t at = 0;
  const auto read = std::from_chars(ms.data(), ms.data() + ms.size(), at);
  if (read.ec != std::errc() || read.ptr != ms.data() + ms.size()) return std::nullopt;
  if (std::abs(now.ms - at) > valid_ms) return std::nullopt;
  PassedOn of{request.text(client_field), request.text(host_field)};
  if (!Keys::same_hash(mac(request, of, ms), signed_by->value.substr(space + 1))) return std::nullopt;
  return of;
}

}  // namespace parley::http
