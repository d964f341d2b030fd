#pragma once
/// ClusterDesk: decides where a cluster node answers a request. Used by Api only. Thread: any worker.
///
///   /healthz /readyz /version /metrics /openapi.json /docs, the page, OPTIONS   here
///   GET, HEAD      here; on a follower once its copy has everything that the leader acknowledged before (read
/// barrier)
///   other methods  on the leader; a follower forwards them
///
/// A request that was forwarded by another node is answered here or refused; it is never forwarded again.

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

/// A key and the session in which it was used; the session is nil if there was none.
struct UsedKey {
  Id key;
  Id session;
};

class ClusterDesk {
 public:
  /// Answers the request on this node. May be called again for a request that it did not answer.
  using AnswerHere = std::function<void(const Request& request, const ReplyTo& reply)>;

  ClusterDesk(actors::ClusterGateway& cluster, const Keys& keys, const Clock& clock, std::string base_path);

  /// What another node reports about the client; nullopt if the client itself sent the request.
  [[nodiscard]] std::optional<PassedOn> from_node(const Request& request) const;
  /// The request as the client sent it to that node. Refers to the text of both arguments, which must outlive it.
  [[nodiscard]] static Request as_sent(const Request& request, const PassedOn& of);
  static Request as_sent(const Request& request, PassedOn&& of) = delete;
  /// Answers another node's own request; nullopt if this is not one. `note` records the use of a key on this node.
  [[nodiscard]] std::optional<Expected<Reply>> answer_node(
      const Request& request, const std::function<void(const UsedKey&)>& note) const;
  /// Sends a key use to the leader, because a follower cannot record it.
  void pass_use_on(const UsedKey& used);
  /// Whether this node may answer the request without asking the others.
  [[nodiscard]] bool accepts_writes() const { return cluster_.writes_here(); }

  /// `client`: the client's address.
  void place(const Request& request, const ReplyTo& reply, const std::string& client, bool was_passed_on,
             const AnswerHere& here) const;

 private:
  [[nodiscard]] bool is_own(const Request& request) const;
  void read(const Request& request, const ReplyTo& reply, const AnswerHere& here) const;
  /// Handles a write on the leader. `is_doubtful`: it may already have taken effect.
  void write_here(const OwnedRequestPtr& request, const ReplyTo& reply, const std::string& client,
                  const AnswerHere& here, bool is_doubtful) const;
  void pass_on(const OwnedRequestPtr& request, const ReplyTo& reply, const std::string& client,
               const AnswerHere& here, bool is_doubtful) const;

  actors::ClusterGateway& cluster_;
  NodeSignature signature_;
  const Clock& clock_;
  std::string base_path_;
  /// When uses were last forwarded, by the hash of their key. Until the leader's row is replicated, every read finds
  /// the use due.
  std::array<std::atomic<std::int64_t>, 64> passed_on_ms_{};
};

}  // namespace parley::http
