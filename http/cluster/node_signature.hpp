#pragma once
/// NodeSignature: proves to the leader that a request comes from another node of the cluster, and carries what that
/// node knows about the client. The key is derived from the pepper, which all nodes share and no client knows.
/// Immutable; any thread.
///
///   Parley-Hop: 1                              a second hop is refused, so no request loops
///   Parley-Client: ADDRESS                     the client's address as the first node knows it; may be empty
///   Parley-Host: HOST                          the Host that the client sent
///   Parley-Node: MS SP MAC                     MS: the time, valid for 30 s; MAC = hex HMAC-SHA256 over
///     "node signature 1" MS method target client host SHA-256(Authorization) SHA-256(Cookie) SHA-256(body),
///     each after a LF
///
/// A client that sends these fields gains nothing: without a valid MAC they are ignored.

#include <optional>
#include <string>

#include "http/auth/api_key_text.hpp"
#include "http/protocol/request.hpp"
#include "model/time.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::http {

/// What a node reports about the client whose request it forwards.
struct PassedOn {
  std::string client;  ///< the client's address
  std::string host;
};

class NodeSignature {
 public:
  explicit NodeSignature(const Keys& keys) : keys_(keys) {}

  /// The fields for a request from this node itself, or for a client's request that it forwards.
  [[nodiscard]] outbound::Fields sign(const Request& request, const PassedOn& of, Time now) const;
  /// nullopt if the request does not come from a node.
  [[nodiscard]] std::optional<PassedOn> verify(const Request& request, Time now) const;

 private:
  [[nodiscard]] std::string mac(const Request& request, const PassedOn& of, const std::string& ms) const;

  Keys keys_;
};

/// Whether the name is one of the fields above.
[[nodiscard]] bool is_node_field(std::string_view name);

}  // namespace parley::http
