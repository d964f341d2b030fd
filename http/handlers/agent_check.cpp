// POST /agents/{id}/check (D74).

#include "http/handlers/handlers.hpp"

namespace parley::http {
namespace {

void write_reply(json::Writer& out, const outbound::AgentReply& reply) {
  out.begin_object();
  out.member_or_null("message", reply.message);
  out.key("tools").begin_array();
  for (const outbound::AgentTool& tool : reply.tools) out.string(tool.name);
  out.end_array();
  out.key("events").begin_array();
  for (const outbound::AgentEvent& event : reply.events) out.string(event.name);
  out.end_array();
  out.key("metadata").raw(reply.metadata.text);
  out.key("end").boolean(reply.ends);
  out.end_object();
}

void write_sent(json::Writer& out, const actors::ProbeSent& sent) {
  out.begin_object();
  out.member("method", sent.method).member("url", sent.url);
  out.key("headers").begin_object();
  for (const auto& [name, value] : sent.headers) out.member(name, value);
  out.end_object();
  out.member("body", sent.body);
  out.end_object();
}

void write_received(json::Writer& out, const actors::ProbeReceived& received) {
  out.begin_object();
  out.key("status").integer(received.status);
  out.member("contentType", received.content_type).member("body", received.body);
  out.end_object();
}

std::string check_json(const actors::AgentProbe& check) {
  const auto* fault = std::get_if<outbound::AgentFault>(&check.said);
  json::Writer out;
  out.begin_object();
  out.key("ok").boolean(fault == nullptr);
  out.key("status");
  if (check.status) {
    out.integer(*check.status);
  } else {
    out.null();
  }
  out.key("durationMs").integer(check.duration_ms);
  out.key("reply");
  if (fault != nullptr) {
    out.null();
  } else {
    write_reply(out, std::get<outbound::AgentReply>(check.said));
  }
  out.key("error");
  if (fault == nullptr) {
    out.null();
  } else {
    out.begin_object();
    out.member("code", fault->code);
    out.member("detail", fault->detail);
    out.end_object();
  }
  out.key("sent");
  check.sent ? write_sent(out, *check.sent) : void(out.null());
  out.key("received");
  check.received ? write_received(out, *check.received) : void(out.null());
  out.key("proposal");
  if (check.proposal) {
    out.begin_object().key("reply").raw(*check.proposal).end_object();
  } else {
    out.null();
  }
  out.end_object();
  return std::move(out).text();
}

}  // namespace

void check_agent(const Context& context, const store::Snapshot&, const RequestContextPtr& call, ReplyTo reply,
                 const Agent& agent, NoBody) {
  context.gateway.check_agent(agent, call->trace_text(), [reply](Expected<actors::AgentProbe> check) {
    if (!check) return reply(std::move(check).problem());
    reply(json_reply(check_json(*check)));
  });
}

void check_new_agent(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
                     ReplyTo reply, const New<Agent>& in) {
  auto agent = RecordOperations<Agent>::draft(context, snapshot, *call, in.body.root());
  if (!agent) return reply(std::move(agent).problem());
  check_agent(context, snapshot, call, reply, *agent, {});
}

}  // namespace parley::http
