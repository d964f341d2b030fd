#include "client/playing/run_options.hpp"

#include <charconv>
#include <cmath>

#include "client/verbs/sessions.hpp"
#include "client/verbs/suite_loading.hpp"

namespace parley::client {
namespace {

Problem wrong(std::string why) {
  return problem(ProblemKind::invalid_parameter, std::move(why));
}

struct Range {
  std::int64_t least;
  std::int64_t most;
};

Expected<std::optional<std::int64_t>> integer_option(const Invocation& call, const std::string& name,
                                                     Range range) {
  const auto text = call.find(name);
  if (!text || text->empty()) return std::optional<std::int64_t>{};
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size() || value < range.least || value > range.most)
    return wrong("--" + name + " must be an integer from " + std::to_string(range.least) + " to " +
                 std::to_string(range.most));
  return std::optional(value);
}

Expected<std::optional<double>> money_option(const Invocation& call, const std::string& name) {
  const auto text = call.find(name);
  if (!text) return std::optional<double>{};
  double value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size() || !(value > 0) || !std::isfinite(value))
    return wrong("--" + name + " must be an amount of USD above 0, such as 2.50");
  return std::optional(value);
}

/// The default of --until-decided: a test is repeated at most this many times.
constexpr std::int64_t repetitions_usual = 100;

/// In CI no snapshot is written. A snapshot that is accepted there would be lost, or would hide a change.
Expected<SnapshotChoice> snapshot_choice_of(const Invocation& call) {
  const std::string ci = call.variable("CI").value_or("");
  const bool is_ci = !ci.empty() && ci != "false" && ci != "0";
  if (call.has("update") && is_ci)
    return wrong("--update is refused where CI is set: accept snapshots on your machine, and commit them");
  SnapshotChoice wish;
  wish.records_missing = !is_ci;
  wish.updates = call.has("update");
  wish.tests = updated_tests(call);
  return wish;
}

std::string command_of(const Invocation& call) {
  std::string command = "parley";
  for (const std::string& each : call.words()) {
    const bool is_plain = each.find_first_of(" \t\n'\"$&|;<>()*?`\\") == std::string::npos;
    std::string quoted = "'";
    for (const char c : each) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    command += " " + (is_plain ? each : quoted + "'");
  }
  return command.substr(0, 4'000);
}

std::optional<EarlierCells> earlier_of(const Invocation& call) {
  EarlierCells earlier;
  const auto add = [&](const char* option, std::initializer_list<CaseState> states) {
    if (!call.has(option)) return;
    earlier.states.insert(states);
    if (!call.value(option).empty()) earlier.run = call.value(option);
  };
  add("failed", {CaseState::failed});
  add("errors", {CaseState::fault, CaseState::undecided, CaseState::canceled, CaseState::missing});
  add("not-passed",
      {CaseState::failed, CaseState::fault, CaseState::undecided, CaseState::canceled, CaseState::missing});
  return earlier.states.empty() ? std::nullopt : std::optional(earlier);
}

}  // namespace

Expected<RunOptions> run_options_of(const Invocation& call) {
  RunOptions options;
  options.selection.filters = call.values("filter");
  options.selection.tags = call.values("tag");
  options.selection.agents = call.values("agent");
  options.selection.personas = call.values("persona");
  options.selection.pattern = call.value("grep");
  if (call.has("shard")) {
    TRY(shard, shard_of(call.value("shard")));
    options.selection.shard = options.play.shard = shard;
  }
  TRY(repeat, integer_option(call, "repeat", {1, 1'000}));
  TRY(seed, integer_option(call, "seed", {INT32_MIN, INT32_MAX}));
  TRY(concurrency, integer_option(call, "concurrency", {1, 100'000}));
  TRY(fail_fast, integer_option(call, "fail-fast", {1, 1'000'000}));
  TRY(max_cost, money_option(call, "max-cost"));
  options.selection.repeat = repeat;
  options.play.seed = seed;
  options.play.concurrency = concurrency.value_or(0);
  options.play.max_cost = max_cost;
  if (call.has("fail-fast")) options.play.fail_fast = fail_fast.value_or(1);
  if (call.has("max-time")) {
    const std::int64_t ms = milliseconds_of(call.value("max-time"));
    if (ms <= 0) return wrong("--max-time must be a duration such as 30s or 10m");
    options.play.max_time_ms = ms;
  }
  if (call.has("gate") && call.has("no-gate")) return wrong("--gate and --no-gate contradict each other");
  options.uses_gate = !call.has("no-gate");
  TRY(until_decided, integer_option(call, "until-decided", {2, 1'000}));
  if (call.has("until-decided")) options.until_decided = until_decided.value_or(repetitions_usual);
  options.changed_since = call.value("changed-since");
  TRY(snapshots, snapshot_choice_of(call));
  options.snapshots = std::move(snapshots);
  options.play.shuffles = call.has("shuffle");
  options.play.group = call.value("group");
  options.play.command = command_of(call);
  options.play.shows_stderr = call.has("verbose");
  options.play.environment = call.around().environment;
  options.earlier = earlier_of(call);
  options.lists = call.has("list") || call.has("dry-run");
  return options;
}

}  // namespace parley::client
