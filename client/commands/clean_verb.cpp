#include "client/commands/families.hpp"
#include "client/gate/exit_code.hpp"
#include "client/verbs/sessions.hpp"
#include "model/clock.hpp"
#include "model/time.hpp"

namespace parley::client {
namespace {

struct OldRuns {
  std::vector<std::string> ids;
  std::size_t kept = 0;
};

/// Returns the runs that have ended and were created before the given time.
Expected<OldRuns> old_runs(Api& api, Time before) {
  OldRuns old;
  TRY_DONE(api.each_row("/runs/?sortOrder=asc", 200, [&](const json::Value& run) {
    const auto created = time_from_text(text_at(run, "createdAt"));
    if (is_over(text_at(run, "status")) && created && created->ms < before.ms) {
      old.ids.push_back(text_at(run, "id"));
    } else {
      ++old.kept;
    }
    return true;
  }));
  return old;
}

}  // namespace

int clean_verb(const Invocation& call) {
  std::int64_t age_ms = 0;
  if (call.has("older") == call.has("all"))
    return wrong_use(call, "give --older DURATION, such as --older 30d, or --all");
  if (call.has("older")) {
    age_ms = milliseconds_of(call.value("older"));
    if (age_ms < 0) return wrong_use(call, "--older must be a duration such as 30d or 12h");
  }
  SessionOptions options;
  options.needs_data = true;
  auto open = open_session(call, ServerPreference::local, options);
  if (!open) return failed(call, open.problem());
  if (!open->session.is_local())
    return wrong_use(call, "clean works only on the local data of a project: omit --server and --profile");
  const auto old = old_runs(*open->api, Time{SystemClock().now().ms - age_ms});
  if (!old) return failed(call, old.problem());
  const std::string count = std::to_string(old->ids.size()) + (old->ids.size() == 1 ? " run" : " runs");
  if (call.has("dry-run")) {
    write_text(1, count + " would be deleted, " + std::to_string(old->kept) + " kept\n");
    return exit_done;
  }
  for (const std::string& each : old->ids)
    if (const auto deleted = open->api->call("DELETE", "/runs/" + each); !deleted)
      return failed(call, deleted.problem());
  write_text(1, count + " deleted, " + std::to_string(old->kept) + " kept\n");
  return exit_done;
}

}  // namespace parley::client
