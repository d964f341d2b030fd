#include <fmt/format.h>

#include "client/commands/families.hpp"
#include "client/gate/exit_code.hpp"
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

}  // namespace

int retry_verb(const Invocation& call) {
  auto open = open_session(call);
  if (!open) return failed(call, open.problem());
  Api& api = *open->api;
  const auto run = run_id_of(api, call.arguments().empty() ? "last" : call.arguments().front());
  if (!run) return failed(call, run.problem());
  const auto before = stored_report(api, {*run});
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
  if (const auto ended = await_run(api, *run); !ended) return failed(call, ended.problem());
  const auto after = stored_report(api, {*run});
  if (!after) return failed(call, after.problem());
  write_text(1, "first attempts: " + rate_words(*before) + "\nnow: " + rate_words(*after) + "\n");
  return exit_done;
}

int cancel_verb(const Invocation& call) {
  auto open = open_session(call);
  if (!open) return failed(call, open.problem());
  const auto run = run_id_of(*open->api, call.arguments().empty() ? "last" : call.arguments().front());
  if (!run) return failed(call, run.problem());
  const auto canceled = open->api->call("POST", "/runs/" + *run + "/cancel");
  if (!canceled) return failed(call, canceled.problem());
  write_text(1, "canceled " + *run + "\n");
  return exit_done;
}

int rescore_verb(const Invocation& call) {
  auto open = open_session(call);
  if (!open) return failed(call, open.problem());
  Api& api = *open->api;
  const auto run = run_id_of(api, call.arguments().empty() ? "last" : call.arguments().front());
  if (!run) return failed(call, run.problem());
  const std::string body = call.has("save") ? R"({"preview":false})" : R"({"preview":true})";
  std::int64_t flips = 0;
  std::string text;
  for (std::size_t page = 1;; ++page) {
    const auto answer = api.call("POST", "/runs/" + *run + "/rescore?limit=50&page=" + std::to_string(page),
                                 {.body = body, .timeout_ms = 120'000});
    if (!answer) return failed(call, answer.problem());
    const auto rows = json::given(answer->root(), "data");
    for (const json::Value& row : rows ? rows->children() : std::vector<json::Value>{}) {
      const auto changed = json::given(row, "flips");
      for (const json::Value& flip : changed ? changed->children() : std::vector<json::Value>{}) {
        ++flips;
        text +=
            fmt::format("{}  {}: {} -> {}: {}\n", text_at(row, "id"), one_line(link_name(row, "test")),
                        text_at(flip, "before"), text_at(flip, "after"), one_line(text_at(flip, "reason")));
      }
    }
    if (page * 50 >= static_cast<std::size_t>(integer_at(answer->root(), "total"))) break;
  }
  text +=
      fmt::format("{} verdicts change{}\n", flips, call.has("save") ? "d, saved" : "; --save stores them");
  write_text(1, text);
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
