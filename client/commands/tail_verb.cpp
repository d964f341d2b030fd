#include <chrono>
#include <map>
#include <set>
#include <thread>

#include "client/commands/families.hpp"
#include "client/gate/exit_code.hpp"
#include "client/remote/stop_request.hpp"
#include "client/report/report_json.hpp"
#include "client/report/sentences.hpp"
#include "client/report/transcript.hpp"
#include "client/run/stored_runs.hpp"
#include "client/screen/case_lines.hpp"
#include "client/verbs/sessions.hpp"
#include "client/verbs/suite_loading.hpp"

namespace parley::client {
namespace {

constexpr std::chrono::milliseconds tail_pause{250};

/// Prints the entries of a conversation as they are recorded.
int tail_result(const Invocation& call, Api& api, const std::string& id, const Terminal& terminal) {
  std::size_t shown = 0;
  NameBook names;
  while (!stop_requested()) {
    const auto whole = api.get("/test-results/" + id);
    if (!whole) return failed(call, whole.problem());
    if (shown == 0) names = names_of_result(api, whole->root());
    const ReadResult read = read_result(whole->root(), names, {1, true});
    for (; shown < read.row.transcript.size(); ++shown) {
      const EntryRow& entry = read.row.transcript[shown];
      write_text(1, for_terminal("turn " + std::to_string(entry.turn) + "  " + speaker_of(entry, read.row) +
                                     "  " + saying_of(entry) + "\n",
                                 terminal));
    }
    if (is_over(text_at(whole->root(), "status"))) {
      const LineStyle style{terminal, terminal.columns, std::nullopt, 36};
      write_text(1, case_lines(read.row, style));
      return exit_done;
    }
    std::this_thread::sleep_for(tail_pause);
  }
  return stop_exit_code();
}

/// Prints the results of a run as they end.
int tail_run(const Invocation& call, Api& api, const std::string& id, const Terminal& terminal) {
  std::set<std::string> seen;
  std::map<std::string, std::int64_t> numbers;  // numbers of results within their tests
  RepetitionCounter repetitions;
  NameBook names;
  const LineStyle style{terminal, terminal.columns, std::nullopt, 36};
  while (!stop_requested()) {
    const auto run = api.get("/runs/" + id);
    if (!run) return failed(call, run.problem());
    const bool has_ended = is_over(text_at(run->root(), "status"));
    if (names.tests.empty()) {
      if (const auto read = read_test_names(api, link_id(run->root(), "scenario"), names); !read)
        return failed(call, read.problem());
    }
    std::vector<std::string> ended;
    const auto listed =
        api.each_row("/runs/" + id + "/test-results?output=minimal&sortBy=createdAt&sortOrder=asc", 500,
                     [&](const json::Value& row) {
                       if (numbers.emplace(text_at(row, "id"), 0).second)
                         numbers[text_at(row, "id")] = repetitions(row);
                       if (is_over(text_at(row, "status")) && seen.insert(text_at(row, "id")).second)
                         ended.push_back(text_at(row, "id"));
                       return true;
                     });
    if (!listed) return failed(call, listed.problem());
    for (const std::string& each : ended) {
      const auto whole = api.get("/test-results/" + each);
      if (!whole) return failed(call, whole.problem());
      const ReadResult read = read_result(whole->root(), names, {numbers[each], false});
      write_text(
          1, call.value("output") == "jsonl" ? result_line(read.row) + "\n" : case_lines(read.row, style));
    }
    if (has_ended) return exit_done;
    std::this_thread::sleep_for(tail_pause);
  }
  return stop_exit_code();
}

}  // namespace

int tail_verb(const Invocation& call) {
  const auto wish = color_of(call);
  if (!wish) return wrong_use(call, wish.problem().detail);
  if (call.has("output") && call.value("output") != "jsonl") return wrong_use(call, "-o must be jsonl");
  const Terminal terminal = terminal_of(1, call.around().environment, *wish);
  // A server at rest would never finish a run that was started from the page, so open one that can play. If the
  // suite has errors, use a server at rest.
  auto open = open_with_models(call);
  if (!open) open = open_session(call);
  if (!open) return failed(call, open.problem());
  take_stop_requests();
  const std::string name = call.arguments().empty() ? "last" : call.arguments().front();
  const auto run = run_id_of(*open->api, name);
  if (run && open->api->get("/runs/" + *run)) return tail_run(call, *open->api, *run, terminal);
  if (!run && name.starts_with("last")) return failed(call, run.problem());
  const auto result = result_id_of(*open->api, name);
  if (!result && result.problem().kind == ProblemKind::not_found)
    return wrong_use(call, "there is no run or result \"" + name + "\"" + open->api->where +
                               "; `parley ls runs` lists the runs");
  if (!result) return failed(call, result.problem());
  return tail_result(call, *open->api, *result, terminal);
}

}  // namespace parley::client
