#include "client/run/live_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

#include "client/remote/connection.hpp"
#include "client/remote/stop_request.hpp"
#include "client/report/safe_text.hpp"
#include "client/report/sentences.hpp"
#include "model/json/json_writer.hpp"
#include "model/time.hpp"

namespace parley::client {
namespace {

constexpr std::size_t planned_rows_of_page = 500;
constexpr std::size_t places_bytes_max =
    7'000;                                ///< of the 16 KB that a run's metadata may have: some 300 tests
constexpr std::int64_t exec_workers = 4;  ///< default if no `concurrency` is set
constexpr std::chrono::milliseconds plan_pause{2};
constexpr std::chrono::seconds plan_within{60};  ///< a launch of 20,000 cases takes seconds

/// Whether the name of a variable suggests that its value is a secret.
bool names_secret(std::string_view name) {
  for (const std::string_view part : {"KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL"})
    if (name.find(part) != std::string_view::npos) return true;
  return false;
}

/// Writes the place of each test, `{"coffee.yaml": {"latte": 22}}`, so that later exports can show it.
std::string places_of(const std::vector<ChosenCell>& cells) {
  std::map<std::string, std::map<std::string, std::int64_t>> files;
  for (const ChosenCell& each : cells)
    files[each.test->place.file][each.test->record_key] = each.test->place.line;
  json::Writer out;
  out.begin_object();
  for (const auto& [file, lines] : files) {
    out.key(file).begin_object();
    for (const auto& [key, line] : lines) out.key(key).integer(line);
    out.end_object();
  }
  return std::move(out.end_object()).text();
}

ExecOptions exec_options(const CompiledAgent& agent, const CompiledSuite& suite, const PlayOptions& options) {
  ExecOptions exec;
  exec.name = agent.name;
  exec.settings = *agent.exec;
  exec.environment = exec_environment(*agent.exec, options.environment);
  exec.secrets = suite.secrets;
  for (const std::string& name : agent.exec->env) {
    const auto value = variable(options.environment, name);
    if (value && names_secret(name)) exec.secrets.push_back(*value);
  }
  if (options.shows_stderr) {
    exec.on_stderr = [name = agent.name, secrets = exec.secrets](std::string_view line) {
      write_text(2, one_line(name) + ": " + one_line(without_secrets(std::string(line), secrets)) + "\n");
    };
  }
  return exec;
}

std::int64_t integer_of(const json::Value& run, std::string_view key) {
  const auto result = json::given(run, "result");
  return result ? integer_at(*result, key) : 0;
}

}  // namespace

Expected<Done> LiveRun::launch(Api& api, const CompiledSuite& suite, const SuiteRecords& records,
                               const PlayOptions& options, const Beginning& beginning) {
  std::vector<ChosenCell> cells = cells_;
  if (options.shuffles) {
    std::mt19937_64 random(static_cast<std::uint64_t>(options.seed.value_or(1)));
    std::shuffle(cells.begin(), cells.end(), random);
  }
  json::Writer body;
  body.begin_object()
      .member("scenario", records.scenarios.at(scenario_.key))
      .member("agent", records.agents.at(agent_.key));
  body.member("status", beginning.status).member("name", suite.project + " · " + agent_.name);
  if (!beginning.group.empty()) body.member("runGroup", beginning.group);
  const std::int64_t concurrency = options.concurrency > 0  ? options.concurrency
                                   : agent_.concurrency > 0 ? agent_.concurrency
                                                            : suite.concurrency;
  if (concurrency > 0) body.key("maxConcurrentTests").integer(concurrency);
  if (options.seed) body.key("seed").integer(*options.seed);
  notes_ = {suite.project, options.command, part_of(suite, cells, options.shard), places_of(cells), ""};
  if (notes_.places.size() > places_bytes_max) notes_.places.clear();
  body.key("metadata").raw(metadata_of(notes_, "open"));
  body.key("testConfigs").begin_array();
  for (const ChosenCell& each : cells) {
    body.begin_object().member("test", records.tests.at(each.test->record_key));
    if (each.persona != nullptr) body.member("personality", records.personas.at(each.persona->key));
    body.key("repetitions").integer(each.repeat).end_object();
  }
  body.end_array().end_object();
  TRY(run, api.call("POST", "/runs/", {.body = std::move(body).text(), .timeout_ms = 120'000}));
  id_ = text_at(run.root(), "id");
  return Done{};
}

Expected<Done> LiveRun::read_plan(Api& api) {
  RepetitionCounter repetitions;
  std::size_t place = 0;
  plan_.clear();
  return api.each_row("/runs/" + id_ + "/test-results?output=minimal&sortBy=createdAt&sortOrder=asc",
                      planned_rows_of_page, [&](const json::Value& row) {
                        plan_[text_at(row, "id")] = {place++, repetitions(row)};
                        return true;
                      });
}

Expected<Done> LiveRun::await_plan(Api& api, std::int64_t cases) {
  const auto until = std::chrono::steady_clock::now() + plan_within;
  while (static_cast<std::int64_t>(plan_.size()) < cases && std::chrono::steady_clock::now() < until) {
    TRY_DONE(read_plan(api));
    if (static_cast<std::int64_t>(plan_.size()) >= cases || stop_requested()) break;
    std::this_thread::sleep_for(plan_pause);
  }
  return Done{};
}

Expected<Done> LiveRun::start_runner(Api& api, const CompiledSuite& suite, const PlayOptions& options) {
  if (!agent_.exec) return Done{};
  TRY_DONE(await_plan(api, cases()));
  drive(api, suite, options);
  return Done{};
}

Expected<Done> LiveRun::drive_started(Api& api, const std::string& run, const CompiledSuite& suite,
                                      const PlayOptions& options) {
  id_ = run;
  if (!agent_.exec) return Done{};
  TRY(planned, api.get("/runs/" + id_));
  TRY_DONE(await_plan(api, std::max<std::int64_t>(1, integer_of(planned.root(), "total"))));
  drive(api, suite, options);
  return Done{};
}

void LiveRun::drive(Api& api, const CompiledSuite& suite, const PlayOptions& options) {
  std::vector<std::string> ids(plan_.size());
  for (const auto& [id, one] : plan_) ids[one.place] = id;
  const std::int64_t workers = options.concurrency > 0  ? options.concurrency
                               : agent_.concurrency > 0 ? agent_.concurrency
                               : suite.concurrency > 0  ? suite.concurrency
                                                        : exec_workers;
  runner_ = std::make_unique<ExecRunner>(api.server(), exec_options(agent_, suite, options), std::move(ids),
                                         workers);
}

Expected<std::vector<ReadResult>> LiveRun::poll(Api& api, const NameBook& names) {
  std::vector<ReadResult> ended;
  TRY(run, api.get("/runs/" + id_));
  const json::Value root = run.root();
  const std::string status = text_at(root, "status");
  const auto terminal = static_cast<std::size_t>(integer_of(root, "completed") + integer_of(root, "failed") +
                                                 integer_of(root, "canceled"));
  live_ = integer_of(root, "running");
  const bool has_ended = is_over(status);
  if (terminal > seen_.size() ||
      (has_ended && seen_.size() < static_cast<std::size_t>(integer_of(root, "total")))) {
    if (static_cast<std::int64_t>(plan_.size()) < integer_of(root, "total")) TRY_DONE(read_plan(api));
    std::vector<std::string> ids;
    for (const char* each : {"completed", "failed", "canceled"}) {
      std::size_t known_in_a_row = 0;
      TRY_DONE(
          api.each_row("/runs/" + id_ + "/test-results?output=minimal&status=" + each + "&sortBy=updatedAt",
                       planned_rows_of_page, [&](const json::Value& row) {
                         std::string id = text_at(row, "id");
                         known_in_a_row = seen_.contains(id) ? known_in_a_row + 1 : 0;
                         if (known_in_a_row == 0) ids.push_back(std::move(id));
                         return known_in_a_row < planned_rows_of_page;
                       }));
    }
    std::reverse(ids.begin(), ids.end());
    for (const std::string& id : ids) {
      if (!seen_.insert(id).second) continue;
      TRY(whole, api.get("/test-results/" + id));
      const auto planned = plan_.find(id);
      ended.push_back(
          read_result(whole.root(), names, {planned == plan_.end() ? 1 : planned->second.repetition, false}));
    }
  }
  const bool all_seen = seen_.size() >= static_cast<std::size_t>(integer_of(root, "total"));
  has_ended_ = has_ended && all_seen;
  return ended;
}

Expected<Done> LiveRun::cancel(Api& api) {
  runner_.reset();
  auto canceled = api.call("POST", "/runs/" + id_ + "/cancel");
  // The server refuses to cancel a run that has ended in the meantime. The result is the same.
  if (!canceled && canceled.problem().status() != 400) return std::move(canceled).problem();
  return Done{};
}

std::string LiveRun::surplus_answers() const {
  const std::int64_t count = runner_ ? runner_->surplus() : 0;
  if (count == 0) return "";
  return fmt::format(
      "agent \"{}\" printed more than one line for a turn in {}, so answers may belong to other turns",
      one_line(agent_.name), counted(count, "conversation", "conversations"));
}

RunRow LiveRun::row_of_launch() const {
  return {id_, agent_.name, scenario_.name, "running", std::nullopt, {}, 0, notes_.part};
}

Expected<RunRow> LiveRun::row(Api& api) {
  RunRow row = row_of_launch();
  TRY(run, api.get("/runs/" + id_));
  row.status = text_at(run.root(), "status");
  if (const auto result = json::given(run.root(), "result")) {
    row.pass_rate = number_at(*result, "passRate");
    row.coverage = number_at(*result, "coverage").value_or(0);
    if (const auto interval = json::given(*result, "interval"))
      row.interval = {number_at(*interval, "low").value_or(0), number_at(*interval, "high").value_or(1)};
  }
  return row;
}

std::size_t LiveRun::place_of(const std::string& result) const {
  const auto found = plan_.find(result);
  return found == plan_.end() ? plan_.size() : found->second.place;
}

void LiveRun::describe_oldest(Api& api, Progress& progress) {
  const auto list =
      api.get("/runs/" + id_ + "/test-results?output=minimal&status=running&sortOrder=asc&limit=1");
  if (!list) return;
  const auto rows = json::given(list->root(), "data");
  if (!rows || rows->size() == 0) return;
  const json::Value row = rows->children().front();
  const auto whole = api.get("/test-results/" + text_at(row, "id"));
  if (!whole) return;
  const ReadResult read = read_result(whole->root(), {}, {1, true});
  const auto entries = json::given(whole->root(), "conversation");
  if (!entries || entries->size() == 0) return;
  const auto started = time_from_text(text_at(entries->children().front(), "createdAt"));
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto now_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const double seconds = started ? static_cast<double>(now_ms - started->ms) / 1000 : 0;
  if (seconds < progress.oldest_seconds) return;
  progress.oldest_seconds = seconds;
  progress.oldest_turn = std::max<std::int64_t>(0, read.row.turns - 1);
  progress.oldest_label = read.row.name + " · " + agent_.name;
}

}  // namespace parley::client
