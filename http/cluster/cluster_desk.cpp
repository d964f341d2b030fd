#include "http/cluster/cluster_desk.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "actors/base/commit_outcome.hpp"
#include "http/exchange/prefer.hpp"
#include "model/text/ascii.hpp"

namespace parley::http {
namespace {

constexpr std::array<std::string_view, 6> own_paths{"/healthz", "/readyz",       "/version",
                                                    "/metrics", "/openapi.json", "/docs"};
/// Fields that belong to one connection or hop, or that the signature replaces.
constexpr std::array<std::string_view, 16> kept_fields{"accept-encoding",
                                                       "connection",
                                                       "content-length",
                                                       "expect",
                                                       "forwarded",
                                                       "host",
                                                       "keep-alive",
                                                       "proxy-authenticate",
                                                       "proxy-authorization",
                                                       "te",
                                                       "trailer",
                                                       "transfer-encoding",
                                                       "upgrade",
                                                       "x-forwarded-for",
                                                       "x-forwarded-host",
                                                       "x-forwarded-proto"};
/// Fields that this node's transport adds to an answer, or that the HTTP client has already decoded.
constexpr std::array<std::string_view, 6> own_answer_fields{
    "connection", "content-encoding", "content-length", "date", "keep-alive", "transfer-encoding"};

/// Path prefix of the request that records the use of a key; KEY/SESSION follows.
constexpr std::string_view use_prefix = "/cluster/use/";
constexpr std::int64_t use_passed_on_every_ms = 5'000;

template <std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& names, std::string_view name) {
  const std::string lower = ascii::lower(name);
  return std::find(names.begin(), names.end(), lower) != names.end();
}

bool is_read(const Request& request) {
  return request.method == "GET" || request.method == "HEAD";
}

bool has_key(const Request& request) {
  return request.find("Idempotency-Key") != nullptr;
}

std::int64_t wait_ms_of(const Request& request) {
  const Prefer prefer = prefer_of(request);
  return prefer.wait ? std::chrono::milliseconds(*prefer.wait).count() : 0;
}

Response response_of(outbound::HttpAnswer answer) {
  Response response;
  response.status = answer.status;
  for (auto& [name, value] : answer.fields) {
    if (!is_one_of(own_answer_fields, name)) response.fields.emplace_back(std::move(name), std::move(value));
  }
  response.body = std::move(answer.body);
  return response;
}

}  // namespace

ClusterDesk::ClusterDesk(actors::ClusterGateway& cluster, const Keys& keys, const Clock& clock,
                         std::string base_path)
    : cluster_(cluster), signature_(keys), clock_(clock), base_path_(std::move(base_path)) {}

std::optional<PassedOn> ClusterDesk::from_node(const Request& request) const {
  return signature_.verify(request, clock_.now());
}

Request ClusterDesk::as_sent(const Request& request, const PassedOn& of) {
  Request sent = request;
  std::erase_if(sent.fields, [](const Field& field) { return is_node_field(field.name); });
  for (Field& field : sent.fields) {
    if (ascii::lower(field.name) == "host") field.value = of.host;
  }
  return sent;
}

std::optional<Expected<Reply>> ClusterDesk::answer_node(
    const Request& request, const std::function<void(const UsedKey&)>& note) const {
  if (request.path == base_path_ + "/cluster/head" && request.method == "GET") {
    // The position is read before the lease is checked: a lease that is still valid now was also valid when the
    // position was read.
    const std::uint64_t head = cluster_.acknowledged();
    if (!cluster_.reads_here()) return Expected<Reply>(actors::no_leader());
    Reply reply = json_reply(std::to_string(head));
    reply.status = 200;
    return Expected<Reply>(std::move(reply));
  }
  if (request.path == base_path_ + "/cluster/lead" && request.method == "POST") {
    if (!cluster_.invite())
      return Expected<Reply>(problem(ProblemKind::conflict, "this node is not ready to lead"));
    Reply reply = json_reply("{}");
    reply.status = 200;
    return Expected<Reply>(std::move(reply));
  }
  const std::string use_path = base_path_ + std::string(use_prefix);
  if (request.path.starts_with(use_path) && request.method == "POST") {
    if (!cluster_.writes_here()) return Expected<Reply>(actors::no_leader());
    const std::string_view ids = request.path.substr(use_path.size());
    const auto slash = std::min(ids.find('/'), ids.size());
    const auto key = id_from_text(ids.substr(0, slash));
    const auto session = id_from_text(ids.substr(std::min(slash + 1, ids.size())));
    if (key && session) note({*key, *session});
    Reply reply = json_reply("{}");
    reply.status = 200;
    return Expected<Reply>(std::move(reply));
  }
  return std::nullopt;
}

void ClusterDesk::pass_use_on(const UsedKey& used) {
  const Time now = clock_.now();
  auto& last = passed_on_ms_.at(std::hash<Id>()(used.key) % passed_on_ms_.size());
  if (now.ms - last.exchange(now.ms) < use_passed_on_every_ms) return;
  actors::PeerRequest peer;
  peer.method = "POST";
  peer.target = base_path_ + std::string(use_prefix) + to_text(used.key) + "/" + to_text(used.session);
  peer.has_key = true;  // repeating it does no harm
  Request request;
  request.method = peer.method;
  request.target = peer.target;
  peer.fields = signature_.sign(request, {}, now);
  cluster_.to_leader(std::move(peer), [](const actors::PeerOutcome&) {});
}

bool ClusterDesk::is_own(const Request& request) const {
  if (request.method == "OPTIONS") return true;
  if (!is_read(request) || !request.path.starts_with(base_path_)) return false;
  const std::string_view path = request.path.substr(base_path_.size());
  return std::find(own_paths.begin(), own_paths.end(), path) != own_paths.end();
}

void ClusterDesk::place(const Request& request, const ReplyTo& reply, const std::string& client,
                        bool was_passed_on, const AnswerHere& here) const {
  if (is_own(request)) return here(request, reply);
  if (is_read(request)) return read(request, reply, here);
  if (was_passed_on && !cluster_.writes_here()) return reply(actors::no_leader());
  cluster_.watch_write(wait_ms_of(request), reply.expiry(actors::in_doubt()));
  if (was_passed_on) return here(request, reply);
  const auto owned = std::make_shared<const OwnedRequest>(request);
  if (cluster_.writes_here()) return write_here(owned, reply, client, here, false);
  pass_on(owned, reply, client, here, false);
}

void ClusterDesk::read(const Request& request, const ReplyTo& reply, const AnswerHere& here) const {
  if (cluster_.reads_here()) return here(request, reply);
  const auto owned = std::make_shared<const OwnedRequest>(request);
  const auto began = std::chrono::steady_clock::now();
  cluster_.before_read([this, owned, reply, here, began](actors::ReadGround ground) {
    const auto waited =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - began);
    cluster_.note_barrier(static_cast<std::uint64_t>(waited.count()));
    if (ground.kind == actors::ReadGround::Kind::refused) {
      return reply(
          problem(ProblemKind::no_leader,
                  "this node's copy is not known to be current, and no node leads; read again later"));
    }
    if (ground.kind == actors::ReadGround::Kind::stale) reply.is_stale(ground.stale_ms);
    reply.resume([owned, reply, here] { here(owned->view(), reply); });
  });
}

void ClusterDesk::write_here(const OwnedRequestPtr& request, const ReplyTo& reply, const std::string& client,
                             const AnswerHere& here, bool is_doubtful) const {
  // If the lead ends before the outcome is known, the next leader receives the write.
  const auto retry = [this, request, client, here, is_doubtful](const ReplyTo& unanswered, bool is_lost) {
    pass_on(request, unanswered, client, here, is_doubtful || is_lost);
  };
  reply.if_undecided(retry, has_key(request->view()));
  here(request->view(), reply);
}

void ClusterDesk::pass_on(const OwnedRequestPtr& request, const ReplyTo& reply, const std::string& client,
                          const AnswerHere& here, bool is_doubtful) const {
  const Request& sent = request->view();
  actors::PeerRequest peer;
  peer.method = sent.method;
  peer.target = sent.target;
  peer.body = sent.body;
  bool names_request = false;
  for (const Field& field : sent.fields) {
    if (is_one_of(kept_fields, field.name) || is_node_field(field.name)) continue;
    names_request = names_request || ascii::lower(field.name) == "x-request-id";
    peer.fields.emplace_back(field.name, field.value);
  }
  if (!names_request) peer.fields.emplace_back("X-Request-Id", reply.request_id());
  for (auto& field : signature_.sign(sent, {client, sent.text("Host")}, clock_.now()))
    peer.fields.push_back(std::move(field));
  peer.has_key = has_key(sent);
  peer.is_doubtful = is_doubtful;
  peer.wait_ms = wait_ms_of(sent);
  cluster_.to_leader(std::move(peer), [this, request, reply, client, here](actors::PeerOutcome outcome) {
    if (auto* answer = std::get_if<outbound::HttpAnswer>(&outcome))
      return reply.pass(response_of(std::move(*answer)));
    if (auto* why = std::get_if<Problem>(&outcome)) return reply(std::move(*why));
    const bool is_repeat = std::get<actors::LeadsHere>(outcome).is_doubtful;
    reply.resume([this, request, reply, client, here, is_repeat] {
      write_here(request, reply, client, here, is_repeat);
    });
  });
}

}  // namespace parley::http
