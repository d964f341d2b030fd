#include <fmt/format.h>

#include "client/commands/families.hpp"
#include "client/gate/exit_code.hpp"
#include "client/report/report_json.hpp"
#include "client/report/safe_text.hpp"
#include "client/run/stored_runs.hpp"
#include "client/screen/terminal.hpp"
#include "client/verbs/sessions.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {
namespace {

/// What is retried: faults that are not the agent's, and with --verdicts also the agent's wrong answers.
bool is_to_retry(const ResultRow& row, bool with_verdicts) {
  if (row.state == CaseState::fault) return with_verdicts || row.fault->source != "agent";
  if (row.state == CaseState::undecided || row.state == CaseState::canceled) return true;
  return with_verdicts && row.state == CaseState::failed;
}

std::string rate_words(const Report& report) {
  const Counts counts = counts_of(report.results);
  const auto rate = pass_rate_of(counts);
  return rate ? fmt::format("{} of {} passed, {:.0f} %", counts.passed, counts.decided(), 100 * *rate)
              : "nothing decided";
}

/// Waits until the run has ended again.
Expected<Done> await_run(Api& api, const std::string& run) {
  while (true) {
    TRY(now, api.call("GET", "/runs/" + run, {.prefer = "wait=20", .timeout_ms = 60'000}));
    if (is_over(text_at(now.root(), "status"))) return Done{};
  }
}

Expected<std::vector<std::string>> runs_of(const Invocation& call, Api& api) {
  return runs_named(api, call.arguments().empty() ? "last" : call.arguments().front());
}

/// The verdicts that scoring again changes, one on each line.
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

int retry_verb(const Invocation& call) {
  auto open = open_session(call);
  if (!open) return failed(call, open.problem());
  Api& api = *open->api;
  const auto runs = runs_of(call, api);
  if (!runs) return failed(call, runs.problem());
  const auto before = stored_report(api, *runs);
  if (!before) return failed(call, before.problem());
  std::int64_t retried = 0;
  for (const ResultRow& each : before->results) {
    if (!is_to_retry(each, call.has("verdicts"))) continue;
    if (const auto clone = api.call("POST", "/test-results/" + each.id + "/retry"); !clone)
      return failed(call, clone.problem());
    ++retried;
  }
  if (retried == 0) {
    write_text(1, "nothing to retry: " + rate_words(*before) + "\n");
    return exit_done;
  }
  write_text(2, fmt::format("{} retried; waiting for their end\n", retried));
  for (const std::string& run : *runs)
    if (const auto ended = await_run(api, run); !ended) return failed(call, ended.problem());
  const auto after = stored_report(api, *runs);
  if (!after) return failed(call, after.problem());
  write_text(1, "first attempts: " + rate_words(*before) + "\nnow: " + rate_words(*after) + "\n");
  return exit_done;
}

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
  write_text(1, flips.text + fmt::format("{} verdicts change{}\n", flips.count,
                                         saves ? "d, saved" : "; --save stores them"));
  return exit_done;
}

int review_verb(const Invocation& call) {
  if (call.arguments().empty()) return wrong_use(call, "the result is missing");
  auto open = open_session(call);
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
  write_text(1, std::string(flag_at(*review, "valid") ? "valid trial" : "no valid trial") +
                    (fault.empty() ? "" : ", fault of " + one_line(fault)) + ": " +
                    one_line(text_at(*review, "reason")) + "\n");
  return exit_done;
}

}  // namespace parley::client
