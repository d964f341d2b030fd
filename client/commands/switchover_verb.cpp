#include "client/commands/families.hpp"
#include "client/gate/exit_code.hpp"
#include "client/remote/api.hpp"
#include "client/remote/connection.hpp"
#include "client/screen/terminal.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {

int switchover_verb(const Invocation& call) {
  const auto connection =
      connection_of(call.connection_flags(), ServerPreference::last_login, call.around().environment);
  if (!connection) return failed(call, connection.problem());
  if (connection->is_local)
    return wrong_use(call, "the URL of a node is missing: give --server, or set PARLEY_URL");
  json::Writer body;
  body.begin_object();
  if (const std::string to = call.value("to", ""); !to.empty()) body.member("to", to);
  body.end_object();
  Api api(connection->server);
  api.patience_ms = 0;  // the operator decides what to do after a refusal
  const auto answer =
      api.call("POST", "/admin/switchover", {.body = std::move(body).text(), .timeout_ms = 30'000});
  if (!answer) {
    const int code = failed(call, answer.problem());
    // The remaining cases are refusals: the node does not exist or is not ready.
    return code == exit_no_server ? code : exit_red;
  }
  write_text(1, text_at(answer->root(), "leader") + " leads in term " +
                    std::to_string(integer_at(answer->root(), "term")) + "\n");
  return exit_done;
}

}  // namespace parley::client
