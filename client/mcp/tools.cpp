#include "client/mcp/tools.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "client/mcp/texts.hpp"
#include "model/json/json_writer.hpp"
#include "model/text/uri_escaped.hpp"

namespace parley::client {
namespace {

constexpr std::int64_t rows_default = 50;
constexpr std::int64_t rows_max = 200;
constexpr std::int64_t wait_default_s = 60;
constexpr std::int64_t wait_max_s = 300;
constexpr std::int64_t poll_s = 20;
constexpr std::size_t failures_shown = 20;

Problem missing(std::string_view name) {
  return problem(ProblemKind::invalid_parameter, "the argument '" + std::string(name) + "' is missing");
}

std::int64_t integer_argument(const json::Value& arguments, std::string_view name, std::int64_t otherwise,
                              std::int64_t most) {
  const auto given = arguments.find(name);
  const auto whole = given && given->is(json::Kind::number) ? given->integer() : std::nullopt;
  return std::clamp<std::int64_t>(whole.value_or(otherwise), 1, most);
}

/// Finds the record of a list whose id or name is `wanted`, and returns its id.
Expected<std::string> id_of_named(Api& api, const std::string& list, const std::string& wanted) {
  std::vector<std::string> found;
  TRY_DONE(api.each_row(list, 100, [&](const json::Value& row) {
    const std::string id = text_at(row, "id");
    if (id == wanted || text_at(row, "name") == wanted) found.push_back(id);
    return found.size() < 2;
  }));
  if (found.size() == 1) return found.front();
  const std::string why =
      found.empty() ? "has no record with this id or name" : "has several records with this name";
  return problem(ProblemKind::not_found, list + " " + why + ": " + wanted);
}

Expected<std::string> list_tests(const McpContext& context, const json::Value& arguments) {
  const std::string wanted = text_at(arguments, "scenario");
  const auto limit = static_cast<std::size_t>(integer_argument(arguments, "limit", rows_default, rows_max));
  std::string path = "/tests/";
  if (!wanted.empty()) {
    TRY(scenario, id_of_named(context.api, "/scenarios/", wanted));
    path = "/scenarios/" + uri_escaped(scenario) + "/tests";
  }
  std::string text;
  std::size_t lines = 0;
  TRY_DONE(context.api.each_row(path, std::min<std::size_t>(limit, 100), [&](const json::Value& test) {
    text.append(test_line(test)).append("\n");
    return ++lines < limit;
  }));
  return text.empty() ? "There are no tests." : text;
}

Expected<std::string> list_runs(const McpContext& context, const json::Value& arguments) {
  const auto limit = static_cast<std::size_t>(integer_argument(arguments, "limit", 10, rows_max));
  std::string text;
  std::size_t lines = 0;
  TRY_DONE(context.api.each_row("/runs/?sortBy=createdAt&sortOrder=desc", std::min<std::size_t>(limit, 100),
                                [&](const json::Value& run) {
                                  text.append(run_line_for_model(run)).append("\n");
                                  return ++lines < limit;
                                }));
  return text.empty() ? "There are no runs." : text;
}

Expected<std::string> run_tests(const McpContext& context, const json::Value& arguments) {
  if (text_at(arguments, "scenario").empty()) return missing("scenario");
  if (text_at(arguments, "agent").empty()) return missing("agent");
  TRY(scenario, id_of_named(context.api, "/scenarios/", text_at(arguments, "scenario")));
  TRY(agent, id_of_named(context.api, "/agents/", text_at(arguments, "agent")));
  json::Writer body;
  body.begin_object().member("scenario", scenario).member("agent", agent).member("status", "pending");
  body.key("repetitions").integer(integer_argument(arguments, "repetitions", 1, 100));
  if (const auto tests = arguments.find("tests");
      tests && tests->is(json::Kind::array) && tests->size() > 0) {
    body.key("testConfigs").begin_array();
    for (const json::Value& test : tests->children()) {
      if (!test.is(json::Kind::string))
        return problem(ProblemKind::invalid_parameter, "'tests' holds ids of tests");
      body.begin_object().member("test", test.string()).end_object();
    }
    body.end_array();
  }
  // This metadata keeps the runners of `parley view` and `parley agent serve` away from the runs of this session.
  if (context.started) body.key("metadata").begin_object().member("command", "parley mcp").end_object();
  body.end_object();
  TRY(run, context.api.post("/runs/", std::move(body).text()));
  if (context.started) TRY_DONE(context.started(text_at(run.root(), "id"), agent));
  return "Started run " + text_at(run.root(), "id") + ". Call wait_for_run with this id.";
}

/// Returns one line for each result that did not pass.
Expected<std::string> failures_of(Api& api, const std::string& run) {
  std::string text;
  std::size_t shown = 0;
  TRY_DONE(api.each_row("/runs/" + uri_escaped(run) + "/test-results", 50, [&](const json::Value& result) {
    if (text_at(result, "retiredBy").empty() &&
        (text_at(result, "status") != "completed" || !flag_at(result, "overallPassed"))) {
      text.append(result_line_for_model(result)).append("\n");
      ++shown;
    }
    return shown < failures_shown;
  }));
  if (shown == failures_shown) text += "(more results did not pass)\n";
  return text;
}

Expected<std::string> wait_for_run(const McpContext& context, const json::Value& arguments) {
  const std::string run = text_at(arguments, "run");
  if (run.empty()) return missing("run");
  using Clock = std::chrono::steady_clock;
  const auto until =
      Clock::now() + std::chrono::seconds(integer_argument(arguments, "seconds", wait_default_s, wait_max_s));
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::seconds>(until - Clock::now()).count();
    CallOptions options;
    options.prefer = "wait=" + std::to_string(std::clamp<std::int64_t>(left, 1, poll_s));
    TRY(answer, context.api.call("GET", "/runs/" + uri_escaped(run), options));
    const bool has_ended = is_over(text_at(answer.root(), "status"));
    if (!has_ended && left > 0) continue;
    TRY(failures, failures_of(context.api, run));
    std::string text = run_line_for_model(answer.root()) + "\n";
    if (!has_ended) text += "The run is not over. Call wait_for_run again.\n";
    return text + (failures.empty() ? "No result failed.\n" : "Did not pass:\n" + failures);
  }
}

Expected<std::string> show_result(const McpContext& context, const json::Value& arguments) {
  const std::string id = text_at(arguments, "result");
  if (id.empty()) return missing("result");
  TRY(result, context.api.get("/test-results/" + uri_escaped(id)));
  return result_text(result.root());
}

Expected<std::string> explain_verdict(const McpContext& context, const json::Value& arguments) {
  const std::string id = text_at(arguments, "result");
  if (id.empty()) return missing("result");
  TRY(result, context.api.get("/test-results/" + uri_escaped(id)));
  return verdict_text(result.root(), text_at(arguments, "assertion"));
}

Expected<std::string> compare_runs(const McpContext& context, const json::Value& arguments) {
  const std::string before = text_at(arguments, "before");
  const std::string after = text_at(arguments, "after");
  if (before.empty()) return missing("before");
  if (after.empty()) return missing("after");
  TRY(comparison, context.api.get("/runs/" + uri_escaped(before) + "/compare/" + uri_escaped(after)));
  return comparison_text(comparison.root());
}

constexpr std::array tools{
    McpTool{"list_tests", "Lists tests with their ids, of one scenario or of all.",
            R"({"type":"object","properties":{"scenario":{"type":"string","description":"id or name"},)"
            R"("limit":{"type":"integer","minimum":1,"maximum":200}}})",
            true, list_tests},
    McpTool{"list_runs", "Lists the newest runs with their ids, agents and outcomes.",
            R"({"type":"object","properties":{"limit":{"type":"integer","minimum":1,"maximum":200}}})", true,
            list_runs},
    McpTool{
        "run_tests",
        "Plays the tests of a scenario against an agent that the server drives. Returns the id of the run.",
        R"({"type":"object","required":["scenario","agent"],"properties":{)"
        R"("scenario":{"type":"string","description":"id or name"},"agent":{"type":"string","description":"id or name"},)"
        R"("tests":{"type":"array","items":{"type":"string"},"description":"ids; default: all enabled tests"},)"
        R"("repetitions":{"type":"integer","minimum":1,"maximum":100}}})",
        false, run_tests},
    McpTool{"wait_for_run",
            "Waits until a run is over, and reports its outcome and the results that did not pass.",
            R"({"type":"object","required":["run"],"properties":{"run":{"type":"string"},)"
            R"("seconds":{"type":"integer","minimum":1,"maximum":300,"description":"default 60"}}})",
            true, wait_for_run},
    McpTool{"show_result",
            "Shows a result: its verdicts and the whole conversation, with the quoted evidence marked.",
            R"({"type":"object","required":["result"],"properties":{"result":{"type":"string"}}})", true,
            show_result},
    McpTool{
        "explain_verdict",
        "Explains why assertions of a result did not pass: what was demanded, what was found, and where.",
        R"({"type":"object","required":["result"],"properties":{"result":{"type":"string"},)"
        R"("assertion":{"type":"string","description":"id, name or type; default: all that did not pass"}}})",
        true, explain_verdict},
    McpTool{
        "compare_runs",
        "Compares two runs test by test: what regressed, what was fixed, what cannot be decided yet.",
        R"({"type":"object","required":["before","after"],"properties":{"before":{"type":"string","description":"id of the earlier run"},)"
        R"("after":{"type":"string","description":"id of the later run"}}})",
        true, compare_runs},
};

}  // namespace

std::span<const McpTool> mcp_tools() {
  return tools;
}

const McpTool* find_mcp_tool(std::string_view name) {
  const auto found =
      std::find_if(tools.begin(), tools.end(), [&](const McpTool& tool) { return tool.name == name; });
  return found == tools.end() ? nullptr : &*found;
}

}  // namespace parley::client
