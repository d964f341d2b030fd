#include "client/run/play.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "client/remote/stop_request.hpp"
#include "client/report/sentences.hpp"
#include "client/run/live_run.hpp"
#include "model/clock.hpp"
#include "model/json/json_writer.hpp"
#include "model/text/uri_escaped.hpp"

namespace parley::client {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A conversation takes milliseconds with the demo and minutes with a model. The pause between polls grows with the
// duration.
constexpr milliseconds first_pause{2};
constexpr milliseconds pause_max{200};
constexpr milliseconds tick_every{100};
constexpr milliseconds oldest_every{1'000};

double seconds_since(Clock::time_point started) {
  return std::chrono::duration<double>(Clock::now() - started).count();
}

/// A group of results that is shown after all of them have ended.
struct OpenGroup {
  std::int64_t expected = 0;
  std::vector<ResultRow> rows;
};

std::string group_key(const ResultRow& row) {
  return row.scenario + '\0' + row.agent + '\0' + label_of(row);
}

class Play {
 public:
  Play(Api& api, const CompiledSuite& suite, const SuiteRecords& records, const PlayOptions& options,
       Screen& screen, const ResultListener& listener)
      : api_(api),
        suite_(suite),
        records_(records),
        options_(options),
        screen_(screen),
        listener_(listener) {}

  Expected<Played> play(const std::vector<ChosenCell>& cells) {
    cells_ = &cells;
    plan(cells);
    const auto followed = follow();
    // Reading continues even after Ctrl-C, because decided results are reported.
    if (stop_requested()) finish_after_stop();
    if (!followed && stop_exit_code() == 0) return cut_off(followed.problem());
    if (stop_exit_code() != 0 && played_.stopped.empty()) stop_all("interrupted");
    if (const auto read = collect_rest(); !read) return cut_off(read.problem());
    say_what_is_left();
    if (const auto read = finish(); !read) return cut_off(read.problem());
    return std::move(played_);
  }

 private:
  void plan(const std::vector<ChosenCell>& cells) {
    for (const ChosenCell& each : cells) {
      const auto known = std::find_if(runs_.begin(), runs_.end(), [&](const std::unique_ptr<LiveRun>& run) {
        return &run->agent() == each.agent && &run->scenario() == each.scenario;
      });
      if (known == runs_.end()) {
        runs_.push_back(std::make_unique<LiveRun>(*each.agent, *each.scenario));
        runs_.back()->add(each);
      } else {
        (*known)->add(each);
      }
      groups_[group_key(row_of(each))].expected += each.repeat;
      total_ += each.repeat;
    }
  }

  Expected<std::string> group() {
    const std::string title = options_.group_title.empty() ? suite_.project : options_.group_title;
    const std::string name = options_.group.empty() ? title : options_.group;
    if (!options_.group.empty()) {
      std::string found;
      TRY_DONE(api_.each_row("/run-groups/?name=" + uri_escaped(name), 100, [&](const json::Value& row) {
        if (text_at(row, "name") == name) found = text_at(row, "id");
        return found.empty();
      }));
      if (!found.empty()) return found;
    }
    json::Writer body;
    body.begin_object().member("name", name).end_object();
    TRY(made, api_.post("/run-groups/", std::move(body).text()));
    return text_at(made.root(), "id");
  }

  Expected<Done> follow() {
    played_.group_id = options_.group_id;
    const bool is_group = runs_.size() > 1 || !options_.group.empty() || options_.has_rounds;
    if (is_group && played_.group_id.empty()) {
      TRY(made, group());
      played_.group_id = made;
    }
    played_.stopped = bound_reached();
    const bool may_start = played_.stopped.empty();
    for (const auto& run : runs_) {
      TRY_DONE(run->launch(api_, suite_, records_, options_,
                           {played_.group_id, may_start ? "pending" : "canceled"}));
      if (may_start) TRY_DONE(run->start_runner(api_, suite_, options_));
    }
    auto pause = first_pause;
    while (!all_ended()) {
      if (stop_requested()) return Done{};
      TRY(has_news, poll());
      tick();
      if (const std::string why = bound_reached(); !why.empty() && played_.stopped.empty()) stop_all(why);
      pause = has_news ? first_pause : std::min(pause * 3 / 2 + milliseconds(1), pause_max);
      if (!all_ended()) std::this_thread::sleep_for(pause);
    }
    return Done{};
  }

  [[nodiscard]] bool all_ended() const {
    return std::all_of(runs_.begin(), runs_.end(),
                       [](const auto& run) { return run->id().empty() || run->has_ended(); });
  }

  Expected<bool> poll() {
    bool has_news = false;
    for (const auto& run : runs_) {
      if (run->id().empty() || run->has_ended()) continue;
      TRY(ended, run->poll(api_, records_.names));
      for (ReadResult& each : ended) take(std::move(each));
      has_news = has_news || !ended.empty();
    }
    return has_news;
  }

  void take(ReadResult read) {
    ResultRow& row = read.row;
    client::add(played_.calls, read.calls);
    agent_usd_ += row.usd;
    const CaseState state = row.state;
    if (state == CaseState::passed) ++ended_.passed;
    if (state == CaseState::failed) ++ended_.failed;
    if (state == CaseState::undecided) ++ended_.undecided;
    if (state == CaseState::fault) ++ended_.faults;
    if (state == CaseState::canceled) ++ended_.canceled;
    ++ended_.cases;
    screen_.case_ended(row);
    if (listener_) listener_(row);
    OpenGroup& group = groups_[group_key(row)];
    group.rows.push_back(row);
    if (static_cast<std::int64_t>(group.rows.size()) >= group.expected) show(group);
    played_.report.results.push_back(std::move(row));
  }

  void show(OpenGroup& group) {
    if (group.rows.empty()) return;
    std::sort(group.rows.begin(), group.rows.end(),
              [](const ResultRow& a, const ResultRow& b) { return a.repetition < b.repetition; });
    for (const Group& each : groups_of(group.rows)) screen_.group_ended(each);
    group.rows = {};
  }

  [[nodiscard]] double usd() const { return agent_usd_ + played_.calls.tester_usd + played_.calls.judge_usd; }

  [[nodiscard]] std::string bound_reached() const {
    if (total_ <= ended_.cases) return "";
    const double cost = options_.used.usd + usd();
    const double seconds = options_.used.seconds + seconds_since(started_);
    const std::int64_t failed = options_.used.failed + ended_.failed;
    if (options_.max_cost && cost >= *options_.max_cost)
      return fmt::format("stopped at {}", money_of(cost, *options_.max_cost));
    if (options_.max_time_ms && seconds * 1000 >= static_cast<double>(*options_.max_time_ms))
      return fmt::format("stopped after {:.0f} s", seconds);
    if (options_.fail_fast && failed >= *options_.fail_fast)
      return fmt::format("stopped after {} failed", failed);
    return "";
  }

  /// Counts the remaining cases after the cancellation, because conversations may end before it reaches them. If no
  /// case remains, nothing was stopped.
  void say_what_is_left() {
    if (played_.stopped.empty() || stop_exit_code() != 0) return;
    const std::int64_t left = total_ - (ended_.cases - ended_.canceled);
    played_.stopped = left > 0 ? fmt::format("{}: {} of {} left", played_.stopped, left, total_) : "";
  }

  void stop_all(const std::string& why) {
    played_.stopped = why;
    for (const auto& run : runs_)
      if (!run->id().empty() && !run->has_ended()) static_cast<void>(run->cancel(api_));
  }

  /// Reads the remaining results. After a cancellation every result ends within a short time.
  Expected<Done> collect_rest() {
    const auto until = Clock::now() + std::chrono::seconds(20);
    while (!all_ended() && Clock::now() < until) {
      TRY(has_news, poll());
      if (!has_news && !all_ended()) std::this_thread::sleep_for(milliseconds(10));
    }
    for (auto& [key, group] : groups_) show(group);
    return Done{};
  }

  /// Returns what was decided before the error, with the other cases as missing. Problem: nothing was decided.
  Expected<Played> cut_off(const Problem& failure) {
    if (ended_.cases == 0) return failure;
    played_.report.runs.clear();
    played_.runs.clear();
    played_.notes.clear();
    for (auto& [key, group] : groups_) show(group);
    const std::int64_t left = total_ - ended_.cases;
    played_.failure = failure;
    played_.stopped = fmt::format("stopped by an error: {} of {} left", left, total_);
    for (const auto& run : runs_) {
      if (run->id().empty()) continue;
      played_.report.runs.push_back(run->row_of_launch());
      note(*run);
    }
    add_missing();
    finish_report();
    return std::move(played_);
  }

  /// Adds the cases that have no result.
  void add_missing() {
    std::set<std::pair<std::string, std::int64_t>> known;
    for (const ResultRow& each : played_.report.results) known.emplace(group_key(each), each.repetition);
    for (const ChosenCell& cell : *cells_) {
      ResultRow row = row_of(cell);
      for (row.repetition = 1; row.repetition <= cell.repeat; ++row.repetition)
        if (!known.contains({group_key(row), row.repetition})) played_.report.results.push_back(row);
    }
  }

  /// Returns a row for a case that has no result.
  static ResultRow row_of(const ChosenCell& cell) {
    ResultRow row;
    row.scenario = cell.scenario->name;
    row.agent = cell.agent->name;
    row.test = reported_key(*cell.test);
    row.name = plain_name(*cell.test);
    row.fields = cell.test->fields;
    row.file = cell.test->place.file;
    row.line = cell.test->place.line;
    if (!cell.test->variant.empty()) row.variant = cell.test->variant;
    if (cell.persona != nullptr) row.persona = cell.persona->name;
    return row;
  }

  void tick() {
    const auto now = Clock::now();
    if (now - ticked_ < tick_every) return;
    ticked_ = now;
    progress_.total = total_;
    progress_.ended = ended_;
    progress_.usd = options_.used.usd + usd();
    progress_.usd_max = options_.max_cost;
    progress_.seconds = seconds_since(started_);
    progress_.live = 0;
    for (const auto& run : runs_) progress_.live += run->live();
    if (now - looked_ >= oldest_every) {
      looked_ = now;
      progress_.oldest_seconds = 0;
      for (const auto& run : runs_)
        if (!run->id().empty() && !run->has_ended()) run->describe_oldest(api_, progress_);
    }
    screen_.tick(progress_);
  }

  Expected<Done> finish() {
    for (const auto& run : runs_) {
      if (run->id().empty()) continue;
      TRY(row, run->row(api_));
      played_.report.runs.push_back(std::move(row));
      note(*run);
      if (played_.stopped.empty()) played_.stopped = run->surplus_answers();
    }
    finish_report();
    return Done{};
  }

  void note(const LiveRun& run) {
    played_.runs.push_back(run.id());
    played_.notes.push_back(run.notes());
  }

  void finish_report() {
    Report& report = played_.report;
    const auto rank = [&](const ResultRow& row) {
      for (std::size_t i = 0; i < runs_.size(); ++i)
        if (runs_[i]->id() == row.run) return std::pair(i, runs_[i]->place_of(row.id));
      return std::pair(runs_.size(), std::size_t{0});
    };
    std::stable_sort(report.results.begin(), report.results.end(),
                     [&](const ResultRow& a, const ResultRow& b) { return rank(a) < rank(b); });
    report.project = suite_.project;
    report.started_at = to_text(started_at_);
    report.seconds = seconds_since(started_);
    report.usd = {agent_usd_, played_.calls.tester_usd, played_.calls.judge_usd};
  }

  Api& api_;
  const CompiledSuite& suite_;
  const SuiteRecords& records_;
  const PlayOptions& options_;
  Screen& screen_;
  const ResultListener& listener_;
  const std::vector<ChosenCell>* cells_ = nullptr;
  std::vector<std::unique_ptr<LiveRun>> runs_;
  std::map<std::string, OpenGroup> groups_;
  Played played_;
  Counts ended_;
  double agent_usd_ = 0;
  std::int64_t total_ = 0;
  Progress progress_;
  const Clock::time_point started_ = Clock::now();
  const Time started_at_ = SystemClock().now();
  Clock::time_point ticked_{};
  Clock::time_point looked_ = started_;
};

}  // namespace

std::string metadata_of(const RunNotes& notes, std::string_view gate) {
  json::Writer out;
  out.begin_object().member("project", notes.project).member("command", notes.command);
  if (!notes.part.empty()) out.member("part", notes.part);
  if (!notes.places.empty()) out.key("places").raw(notes.places);
  if (!notes.rules.empty()) out.key("rules").raw(notes.rules);
  return std::move(out.member("gate", gate).end_object()).text();
}

void add(ModelCalls& sum, const ModelCalls& calls) {
  sum.tester_usd += calls.tester_usd;
  sum.judge_usd += calls.judge_usd;
  sum.judge_asked += calls.judge_asked;
  sum.judge_kept += calls.judge_kept;
  sum.tester_asked += calls.tester_asked;
  sum.tester_kept += calls.tester_kept;
}

Expected<Played> play(Api& api, const CompiledSuite& suite, const SuiteRecords& records,
                      const std::vector<ChosenCell>& cells, const PlayOptions& options, Screen& screen,
                      const ResultListener& listener) {
  return Play(api, suite, records, options, screen, listener).play(cells);
}

}  // namespace parley::client
