#include <fmt/format.h>

#include "client/commands/families.hpp"
#include "client/gate/exit_code.hpp"
#include "client/report/report_json.hpp"
#include "client/report/safe_text.hpp"
#include "client/report/sentences.hpp"
#include "client/run/stored_runs.hpp"
#include "client/screen/terminal.hpp"
#include "client/verbs/sessions.hpp"
#include "client/verbs/suite_loading.hpp"

namespace parley::client {
namespace {

Expected<std::vector<std::string>> runs_of(const Invocation& call, Api& api) {
  return runs_named(api, call.arguments().empty() ? "last" : call.arguments().front());
}

/// The verdicts that rescoring changes, one per line.
struct Flips {
  std::int64_t count = 0;
  std::string text;
};

Expected<Done> rescore_run(Api& api, const std::string& run, bool saves, Flips& flips) {
  const std::string body = saves ? R"({"preview":false})" : R"({"preview":true})";
  for (std::size_t page = 1;; ++page) {
    TRY(answer, api.call("POST", "/runs/" + run + "/rescore?limit=50&page=" + std::to_string(page),
                         {.body = body, .timeout_ms = 120'000}));
    for (const json::Value& row : items_of(answer.root(), "data")) {
      for (const json::Value& flip : items_of(row, "flips")) {
        ++flips.count;
        flips.text +=
            fmt::format("{}  {}: {} -> {}: {}\n", text_at(row, "id"), one_line(link_name(row, "test")),
                        text_at(flip, "before"), text_at(flip, "after"), one_line(text_at(flip, "reason")));
      }
    }
    if (page * 50 >= static_cast<std::size_t>(integer_at(answer.root(), "total"))) return Done{};
  }
}

}  // namespace

int cancel_verb(const Invocation& call) {
  auto open = open_session(call);
  if (!open) return failed(call, open.problem());
  Api& api = *open->api;
  const auto runs = runs_of(call, api);
  if (!runs) return failed(call, runs.problem());
  for (const std::string& run : *runs) {
    const auto now = api.get("/runs/" + run);
    if (!now) return failed(call, now.problem());
    // The server refuses to cancel a run that has ended.
    if (runs->size() > 1 && is_over(text_at(now->root(), "status"))) continue;
    if (const auto canceled = api.call("POST", "/runs/" + run + "/cancel"); !canceled)
      return failed(call, canceled.problem());
    write_text(1, "canceled " + run + "\n");
  }
  return exit_done;
}

int rescore_verb(const Invocation& call) {
  auto open = open_session(call);
  if (!open) return failed(call, open.problem());
  Api& api = *open->api;
  const auto runs = runs_of(call, api);
  if (!runs) return failed(call, runs.problem());
  const bool saves = call.has("save");
  Flips flips;
  for (const std::string& run : *runs)
    if (const auto done = rescore_run(api, run, saves, flips); !done) return failed(call, done.problem());
  write_text(1, flips.text + counted(flips.count, "verdict", "verdicts") +
                    (saves ? " changed and saved\n" : " would change; --save stores them\n"));
  return exit_done;
}

int review_verb(const Invocation& call) {
  if (call.arguments().empty()) return wrong_use(call, "the result is missing");
  auto open = open_with_models(call);
  if (!open) return failed(call, open.problem());
  const auto result = result_id_of(*open->api, call.arguments().front());
  if (!result) return failed(call, result.problem());
  const std::string body = call.has("no-model") ? R"({"model":false})" : "{}";
  const auto reviewed =
      open->api->call("POST", "/test-results/" + *result + "/review", {.body = body, .timeout_ms = 180'000});
  if (!reviewed) return failed(call, reviewed.problem());
  const auto review = json::given(reviewed->root(), "review");
  if (!review) return failed(call, problem(ProblemKind::internal, "the answer has no review"));
  const std::string fault = text_at(*review, "faultSource");
  write_text(1, std::string(flag_at(*review, "valid") ? "valid trial" : "invalid trial") +
                    (fault.empty() ? "" : ", fault of " + one_line(fault)) + ": " +
                    one_line(text_at(*review, "reason")) + "\n");
  return exit_done;
}

}  // namespace parley::client
