#include "http/exchange/reply_to.hpp"

#include <spdlog/spdlog.h>

#include <new>
#include <utility>

#include "http/exchange/cors.hpp"
#include "http/protocol/client_address.hpp"
#include "http/protocol/gzip.hpp"

namespace parley::http {
namespace {

/// The stream of one answer, as seen by the events actor.
class StreamSink final : public actors::EventSink {
 public:
  explicit StreamSink(std::shared_ptr<AnswerStream> pieces) : pieces_(std::move(pieces)) {}

  [[nodiscard]] bool push(const std::shared_ptr<const std::string>& piece) override {
    return pieces_->push(piece);
  }
  void end() override {
    static const auto last_chunk = std::make_shared<const std::string>("0\r\n\r\n");
    static_cast<void>(pieces_->push(last_chunk));
    pieces_->end();
  }

 private:
  std::shared_ptr<AnswerStream> pieces_;
};

}  // namespace

namespace {

/// Joins pointers into one header field: as many as fit, percent-encoded where the header or the list requires it.
std::string header_list(const std::vector<std::string>& pointers) {
  constexpr std::size_t bytes_max = 2'048;
  std::string list;
  for (const std::string& pointer : pointers) {
    std::string safe;
    for (const char c : pointer) {
      const bool is_plain = c > ' ' && c < '\x7f' && c != ',' && c != '%';
      if (is_plain) {
        safe += c;
      } else {
        constexpr std::string_view digits = "0123456789ABCDEF";
        const auto byte = static_cast<unsigned char>(c);
        safe.append({'%', digits[byte >> 4U], digits[byte & 15U]});
      }
    }
    if (list.size() + safe.size() + 2 > bytes_max) return list + (list.empty() ? "..." : ", ...");
    list.append(list.empty() ? "" : ", ").append(safe);
  }
  return list;
}

void log_request(const CallTrace& of, int status, double ms, bool was_sent) {
  if (!spdlog::should_log(spdlog::level::info)) return;
  const std::string client = text_of(of.client);
  spdlog::info(
      "request id={} method={} route={} status={} ms={:.3f}{}{}{}{}{}{}{}", of.request_id, of.method,
      of.route.empty() ? "-" : of.route, status, ms, client.empty() ? "" : " client=", client,
      of.key.empty() ? "" : " key=", of.key.empty() ? std::string() : of.key + " user=" + to_text(of.user),
      of.trace ? " trace=" : "", of.trace ? of.trace->trace_id : std::string(), was_sent ? "" : " sent=no");
}

}  // namespace

ReplyTo::ReplyTo(Responder responder, CallTrace trace, RequestCounts& counts)
    : target_(std::make_shared<Target>(std::move(responder), std::move(trace), counts)) {}

void ReplyTo::Target::log_problem(const Problem& problem) const {
  spdlog::error("problem request={} route={} kind={} detail=\"{}\"", trace.request_id, trace.route,
                row_of(problem.kind).slug, problem.detail);
}

namespace {

/// RFC 9110 section 13.1.1: a GET with If-Match is answered only with a version that the field names.
bool is_outdated(const CallTrace& trace, const Expected<Reply>& reply) {
  if (trace.if_match.empty() || trace.if_match == "*" || !reply.ok()) return false;
  for (const auto& [name, value] : reply->fields) {
    if (name == "ETag") return !names_tag(trace.if_match, value);
  }
  return true;
}

}  // namespace

Response ReplyTo::Target::settle(Expected<Reply> reply) {
  if (is_outdated(trace, reply)) reply = changed_meanwhile();
  if (!reply.ok() && reply.problem().status() >= 500) log_problem(reply.problem());
  return response_to(std::move(reply));
}

Response ReplyTo::Target::response_to(Expected<Reply> reply) {
  is_answered = true;
  // released before the client sees the answer, so that its next request finds the key recorded or free
  key.release();
  Response response = reply.ok() ? to_response(std::move(reply).value(), trace.success, trace.request_id)
                                 : problem_response(reply.problem(), trace.request_id);
  if (trace.ends_line && !response.body.empty() && response.body.back() != '\n') response.body += '\n';
  encode(response, trace.wants_gzip);
  response.fields.emplace_back("Vary",
                               trace.varies_by_origin ? "Accept-Encoding, Origin" : "Accept-Encoding");
  if (!trace.allowed_origin.empty()) Cors::expose(response, trace.allowed_origin);
  if (ignored != nullptr && !ignored->empty() && response.status < 400)
    response.fields.emplace_back("Parley-Ignored", header_list(*ignored));
  if (stale_ms) {
    response.fields.emplace_back("Warning", "110 - \"Response is Stale\"");
    response.fields.emplace_back("Parley-Stale-Ms", std::to_string(*stale_ms));
  }
  count_and_log(response);
  return response;
}

void ReplyTo::Target::count_and_log(Response& response) const {
  // Written after the transport has decided what it sends, because it may have no room for the answer.
  const auto took = std::chrono::steady_clock::now() - trace.began;
  response.report = std::make_shared<AnswerReport>(
      [of = trace, &requests = counts, took](int status, bool was_sent) {
        const auto us = std::chrono::duration_cast<std::chrono::microseconds>(took).count();
        if (was_sent) requests.add(of.route_index, status, static_cast<std::uint64_t>(us));
        log_request(of, status, static_cast<double>(us) / 1000.0, was_sent);
      },
      response.status);
}

namespace {

bool is_in_doubt(const Expected<Reply>& reply) {
  return !reply.ok() && reply.problem().kind == ProblemKind::in_doubt;
}

}  // namespace

/// If no leader decided the request, the next leader may; the key is free until then. Null: send the answer.
ReplyTo::Retry ReplyTo::Target::take_retry(const Expected<Reply>& reply) {
  const bool is_refused = !reply.ok() && reply.problem().kind == ProblemKind::no_leader;
  if (!retry || !(is_refused || (has_key && is_in_doubt(reply)))) return {};
  key.release();
  return std::exchange(retry, {});
}

/// The log has the reason, under the id that the client receives.
Response ReplyTo::Target::broken_off(std::string_view what) {
  log_problem(problem(ProblemKind::internal, std::string(what)));
  return response_to(
      problem(ProblemKind::internal, "The server failed; its log has the reason under this id."));
}

void ReplyTo::is_of(const Principal& caller) const {
  target_->trace.key = caller.key_prefix;
  target_->trace.user = caller.user;
}

void ReplyTo::operator()(Expected<Reply> reply) const {
  if (const auto retry = target_->take_retry(reply)) return retry(*this, is_in_doubt(reply));
  target_->responder.send(target_->settle(std::move(reply)));
}

void ReplyTo::pass(Response response) const {
  target_->is_answered = true;
  target_->key.release();
  encode(response, target_->trace.wants_gzip);
  target_->count_and_log(response);
  target_->responder.send(std::move(response));
}

std::function<bool(bool is_late)> ReplyTo::expiry(Problem problem) const {
  return [of = std::weak_ptr<Target>(target_), problem = std::move(problem)](bool is_late) {
    const auto target = of.lock();
    if (target == nullptr || target->is_answered) return true;
    if (is_late) target->responder.send(target->settle(problem));
    return is_late;
  };
}

void ReplyTo::resume(std::function<void()> work) const {
  target_->responder.resume([me = *this, work = std::move(work)] { me.guarded(work); });
}

std::shared_ptr<actors::EventSink> ReplyTo::stream(Reply reply) const {
  if (has_left()) return nullptr;
  auto pieces = target_->responder.stream();
  Response response = target_->settle(std::move(reply));
  response.is_stream = true;
  target_->responder.send(std::move(response));
  return std::make_shared<StreamSink>(std::move(pieces));
}

void ReplyTo::later(std::function<Expected<Reply>()> render) const {
  target_->responder.send_later([target = target_, render = std::move(render)] {
    try {
      return target->settle(render());
    } catch (const std::bad_alloc&) {
      target->counts.add_exception();
      throw;
    } catch (const std::exception& thrown) {
      target->counts.add_exception();
      return target->broken_off(thrown.what());
    }
  });
}

void ReplyTo::fail(std::string_view what) const {
  target_->counts.add_exception();
  if (!target_->is_answered) return target_->responder.send(target_->broken_off(what));
  target_->log_problem(problem(ProblemKind::internal, std::string(what)));
}

}  // namespace parley::http
