#pragma once
/// ClusterDesk: the place where a node of a cluster answers a request. Used by Api alone. Thread: any worker's.
///
///   /healthz /readyz /version /metrics /openapi.json /docs, the page, OPTIONS   here
///   GET, HEAD      here; at a follower once its copy has what the leader acknowledged before (read barrier)
///   other methods  at the leader; a follower passes them on
///
/// A request that another node passed on is answered here or refused, and never passed on again.

#include <array>
#include <atomic>
#include <functional>
#include <optional>

#include "actors/cluster/cluster_gateway.hpp"
#include "http/cluster/node_signature.hpp"
#include "http/cluster/owned_request.hpp"
#include "http/exchange/reply_to.hpp"
#include "model/clock.hpp"

namespace parley::http {

/// A key, and the session in which it was used; nil: none.
struct UsedKey {
  Id key;
  Id session;
};

class ClusterDesk {
 public:
  /// Answers the request by itself. It may be called again for a request that it did not answer.
  using AnswerHere = std::function<void(const Request& request, const ReplyTo& reply)>;

  ClusterDesk(actors::ClusterGateway& cluster, const Keys& keys, const Clock& clock, std::string base_path);

  /// What another node reports about the client; nullopt: the client itself sent the request.
  [[nodiscard]] std::optional<PassedOn> from_node(const Request& request) const;
  /// The request as the client sent it to that node. It refers to the text of both, which must outlive it.
  [[nodiscard]] static Request as_sent(const Request& request, const PassedOn& of);
  static Request as_sent(const Request& request, PassedOn&& of) = delete;
  /// The answer to another node's own question; nullopt: another request. `note`: records the use of a key here.
  [[nodiscard]] std::optional<Expected<Reply>> answer_node(
      const Request& request, const std::function<void(const UsedKey&)>& note) const;
  /// Sends the leader a use to record, which a follower cannot record.
  void pass_use_on(const UsedKey& used);
  /// Whether the node may answer the request without the others.
  [[nodiscard]] bool accepts_writes() const { return cluster_.writes_here(); }

  /// `client`: its address.
  void place(const Request& request, const ReplyTo& reply, const std::string& client, bool was_passed_on,
             const AnswerHere& here) const;

 private:
  [[nodiscard]] bool is_own(const Request& request) const;
  void read(const Request& request, const ReplyTo& reply, const AnswerHere& here) const;
  /// A write at the leader. `is_doubtful`: it may have taken effect already.
  void write_here(const OwnedRequestPtr& request, const ReplyTo& reply, const std::string& client,
                  const AnswerHere& here, bool is_doubtful) const;
  void pass_on(const OwnedRequestPtr& request, const ReplyTo& reply, const std::string& client,
               const AnswerHere& here, bool is_doubtful) const;

  actors::ClusterGateway& cluster_;
  NodeSignature signature_;
  const Clock& clock_;
  std::string base_path_;
  /// When uses were last passed on, by the hash of their key: until the leader's row is replicated, each read finds the use due.
  std::array<std::atomic<std::int64_t>, 64> passed_on_ms_{};
};

}  // namespace parley::http
