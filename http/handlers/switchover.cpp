// POST /admin/switchover: another node of the cluster leads from now on.

#include "http/handlers/handlers.hpp"

namespace parley::http {

void switch_over(const Context& context, const store::Snapshot&, const RequestContextPtr&, ReplyTo reply,
                 const SwitchoverBody& body) {
  if (context.options.cluster == nullptr)
    return reply(problem(ProblemKind::conflict, "this server is not a node of a cluster; see --log"));
  context.options.cluster->switch_over(body.to.value_or(""), [reply](Expected<actors::SwitchedOver> switched) {
    if (!switched.ok()) return reply(std::move(switched).problem());
    json::Writer out;
    out.begin_object();
    out.member("leader", switched->leader);
    out.key("term").integer(static_cast<std::int64_t>(switched->term));
    out.end_object();
    reply(json_reply(std::move(out).text()));
  });
}

}  // namespace parley::http
