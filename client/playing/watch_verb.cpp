#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "client/commands/families.hpp"
#include "client/commands/viewing.hpp"
#include "client/gate/exit_code.hpp"
#include "client/playing/file_watch.hpp"
#include "client/playing/suite_run.hpp"
#include "client/remote/stop_request.hpp"
#include "client/report/sentences.hpp"
#include "client/run/filter.hpp"
#include "client/verbs/suite_loading.hpp"

namespace parley::client {
namespace {

namespace fs = std::filesystem;

constexpr int look_ms = 200;    ///< interval between checks for a stop request
constexpr int settle_ms = 200;  ///< editors write a file several times per save

/// Reads keys one by one, without echo. Ctrl-C still sends a signal.
class KeyInput {
 public:
  KeyInput() : is_terminal_(::isatty(STDIN_FILENO) != 0 && ::tcgetattr(STDIN_FILENO, &before_) == 0) {
    if (!is_terminal_) return;
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  }
  KeyInput(const KeyInput&) = delete;
  KeyInput& operator=(const KeyInput&) = delete;
  ~KeyInput() {
    if (is_terminal_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  }

  [[nodiscard]] bool is_open() const { return is_open_; }
  /// Returns the key; '\0' if the input has ended.
  char read() {
    char key = '\0';
    if (::read(STDIN_FILENO, &key, 1) != 1) is_open_ = false;
    return is_open_ ? key : '\0';
  }

 private:
  termios before_{};
  bool is_terminal_;
  bool is_open_ = true;
};

/// Returns the content that the outcome of a cell depends on. If a part changes, the cell is played again.
std::string digest_of_cell(const CompiledSuite& suite, const Cell& cell) {
  std::string digest;
  for (const CompiledTest& each : suite.tests)
    if (each.record_key == cell.test) digest = each.digest;
  for (const CompiledAgent& each : suite.agents) {
    if (each.key != cell.agent) continue;
    digest += each.config + each.secrets + each.metadata;
    if (each.exec)
      for (const std::string& word : each.exec->command) digest += word + '\0';
  }
  for (const CompiledPersona& each : suite.personas)
    if (each.key == cell.persona) digest += each.description + '\0' + each.instruction;
  return digest;
}

bool is_on_this_machine(const std::string& url) {
  for (const char* each : {"http://127.", "http://localhost", "http://[::1]", "https://localhost"})
    if (url.starts_with(each)) return true;
  return false;
}

/// Whether a save may cost money, because a model does not run on this machine.
bool may_cost(const CompiledSuite& suite) {
  for (const ModelSettings* each : {&suite.tester, &suite.judge})
    if (each->use == ModelSettings::Use::model && !is_on_this_machine(each->url)) return true;
  return false;
}

bool same_models(const CompiledSuite& a, const CompiledSuite& b) {
  const auto same = [](const ModelSettings& x, const ModelSettings& y) {
    return x.use == y.use && x.url == y.url && x.model == y.model && x.key == y.key &&
           x.parameters == y.parameters && x.timeout_ms == y.timeout_ms;
  };
  return same(a.tester, b.tester) && same(a.judge, b.judge);
}

class Watch {
 public:
  Watch(const Invocation& call, RunOptions options) : call_(call), options_(std::move(options)) {}

  int run() {
    if (files_.descriptor() < 0)
      return wrong_use(call_, "files cannot be watched: the system has no inotify instance left");
    if (const int code = load(); code != exit_done) return code;
    play(Wish::all);
    while (!has_ended()) {
      show_keys();
      const Event event = wait();
      if (event == Event::quit) return exit_done;
      if (event == Event::stop) break;
      if (event == Event::view) view();
      if (event == Event::all) play(Wish::all);
      if (event == Event::failed) play(Wish::not_passed);
      if (event == Event::again) play(Wish::again);
      if (event != Event::files) continue;
      if (const int code = load(); code == exit_done) play(Wish::changed);
      touched_.clear();
    }
    return stop_exit_code() != 0 ? stop_exit_code() : code_;
  }

 private:
  enum class Wish : std::uint8_t { all, not_passed, again, changed };
  enum class Event : std::uint8_t { files, all, failed, again, view, quit, stop };

  [[nodiscard]] bool has_ended() const { return is_over_ || stop_requested(); }

  /// Reads the files. If they have errors, the earlier suites stay in use until the next save. Returns exit_done if
  /// there is something to play.
  int load() {
    LoadedSuites loaded = loaded_suites(call_, call_.arguments());
    std::vector<std::string> globs;
    for (const CompiledSuite& suite : loaded.suites.empty() ? suites_ : loaded.suites)
      for (const CompiledAgent& agent : suite.agents)
        for (const std::string& each : agent.exec ? agent.exec->watch : std::vector<std::string>{})
          globs.push_back((suite.folder / each).lexically_normal().string());
    // A file may be absent for a moment, during a checkout for example, and then the files that it names are unknown.
    // The earlier files stay watched until the suite is valid again.
    std::vector<fs::path> watched = loaded.files;
    if (source::has_errors(loaded.faults)) watched.insert(watched.end(), known_.begin(), known_.end());
    files_.watch(watched, globs);
    known_ = std::move(watched);
    if (show_faults(call_, loaded, " Nothing was played."))
      return is_open() || !has_file(loaded) ? exit_wrong_use : keep_waiting();
    if (loaded.suites.empty()) return wrong_use(call_, "there is no suite: run `parley init`");
    if (const auto known = check_people(options_.selection, loaded.suites); !known)
      return wrong_use(call_, known.problem().detail);
    for (const CompiledSuite& each : loaded.suites) {
      if (!may_cost(each) || options_.play.max_cost) continue;
      return wrong_use(call_, "the tester or judge of " + each.place.file +
                                  " may cost money with each change: give --max-cost for the session");
    }
    const bool same = is_open() && suites_.size() == loaded.suites.size() &&
                      same_models(suites_.front(), loaded.suites.front());
    suites_ = std::move(loaded.suites);
    return same ? exit_done : open();
  }

  /// Whether any of the files exists. If not, no save would end the wait.
  [[nodiscard]] static bool has_file(const LoadedSuites& loaded) {
    std::error_code failed;
    return std::any_of(loaded.files.begin(), loaded.files.end(),
                       [&](const fs::path& each) { return fs::exists(each, failed); });
  }

  [[nodiscard]] bool is_open() const { return open_.has_value(); }

  /// After the first load failed, waits for a save and loads again.
  int keep_waiting() {
    while (!has_ended()) {
      const Event event = wait();
      if (event == Event::quit || event == Event::stop) break;
      if (event == Event::files) return load();
    }
    return exit_wrong_use;
  }

  int open() {
    open_.reset();
    SessionOptions options;
    auto models = embedded_options(suites_, !call_.has("fresh"));
    if (!models) return failed(call_, models.problem());
    options.embedded = std::move(models).value();
    options.needs_models = true;
    options.is_ephemeral = is_ephemeral(call_);
    auto opened = open_session(call_, ServerPreference::local, options);
    if (!opened) return failed(call_, opened.problem());
    open_ = std::move(opened).value();
    return exit_done;
  }

  /// Returns the cells of the suite that `wish` selects.
  std::set<std::string> cells_of(const CompiledSuite& suite, Wish wish) {
    std::set<std::string> cells;
    for (const Cell& each : suite.cells) {
      const std::string name = cell_name(each.test, each.agent, each.persona);
      const std::string whole = suite.place.file + '\0' + name;
      const std::string digest = digest_of_cell(suite, each);
      const bool is_changed = digests_[whole] != digest || is_touched(suite, each.agent);
      const bool is_requested = wish == Wish::all || not_passed_.contains(whole) ||
                                (wish == Wish::changed && is_changed) ||
                                (wish == Wish::again && last_.contains(whole));
      if (is_requested) cells.insert(name);
      if (wish != Wish::again && wish != Wish::not_passed) digests_[whole] = digest;
    }
    return cells;
  }

  /// Whether a changed file matches a `watch` glob of the agent.
  [[nodiscard]] bool is_touched(const CompiledSuite& suite, const std::string& agent) const {
    for (const CompiledAgent& each : suite.agents) {
      if (each.key != agent || !each.exec) continue;
      for (const std::string& glob : each.exec->watch)
        for (const fs::path& file : touched_)
          if (matches_glob((suite.folder / glob).lexically_normal().string(), file.string())) return true;
    }
    return false;
  }

  void play(Wish wish) {
    if (!is_open() && open() != exit_done) return;
    std::set<std::string> played;
    for (const CompiledSuite& suite : suites_) {
      RunOptions options = options_;
      options.selection.only = cells_of(suite, wish);
      const auto chosen = chosen_cells(suite, options.selection);
      if (chosen && chosen->empty()) continue;
      for (const std::string& each : *options.selection.only) played.insert(suite.place.file + '\0' + each);
      if (options.play.max_cost) options.play.max_cost = std::max(*options.play.max_cost - spent_, 1e-9);
      SuiteRun run(call_, std::move(options));
      code_ = run.run(*open_, suite);
      if (run.played()) note(suite, run.played()->report);
      if (stop_exit_code() != 0) return;
    }
    if (played.empty()) write_text(2, "nothing to play: no test has changed, and all passed\n");
    if (wish != Wish::again && !played.empty()) last_ = std::move(played);
    if (options_.play.max_cost && spent_ >= *options_.play.max_cost) {
      write_text(2, "the session has reached --max-cost\n");
      is_over_ = true;
    }
  }

  /// Records which cells did not pass, and the cost.
  void note(const CompiledSuite& suite, const Report& report) {
    spent_ += report.usd.total();
    std::map<std::string, bool> passed;
    for (const ResultRow& row : report.results) {
      const CompiledTest* test = test_of(suite, row);
      if (test == nullptr) continue;
      std::string agent;
      std::string persona;
      for (const CompiledAgent& each : suite.agents)
        if (each.name == row.agent) agent = each.key;
      for (const CompiledPersona& each : suite.personas)
        if (each.name == row.persona) persona = each.key;
      const std::string name = suite.place.file + '\0' + cell_name(test->record_key, agent, persona);
      const auto [known, is_new] = passed.emplace(name, true);
      known->second = known->second && row.state == CaseState::passed;
    }
    for (const auto& [name, all_passed] : passed)
      all_passed ? static_cast<void>(not_passed_.erase(name)) : static_cast<void>(not_passed_.insert(name));
  }

  void show_keys() const {
    if (has_ended()) return;
    const std::string keys = keys_.is_open() ? ": Enter again, a all, f failed, v view, q quit" : "";
    write_text(
        2, "watching " + counted(static_cast<std::int64_t>(files_.files()), "file", "files") + keys + "\n");
  }

  /// Prints the address of the page, which this process serves.
  void view() {
    if (!is_open() && open() != exit_done) return;
    const auto address = sign_in_address(*open_->api, "/");
    write_text(address ? 1 : 2,
               address ? *address + "\n" : "parley watch: " + address.problem().detail + "\n");
  }

  Event wait() {
    while (!stop_requested()) {
      std::array<pollfd, 2> waited{pollfd{files_.descriptor(), POLLIN, 0},
                                   pollfd{keys_.is_open() ? STDIN_FILENO : -1, POLLIN, 0}};
      if (::poll(waited.data(), waited.size(), look_ms) <= 0) continue;
      if (waited[0].revents != 0 && take_files()) return Event::files;
      if (waited[1].revents == 0) continue;
      switch (keys_.read()) {
        case 'a': return Event::all;
        case 'f': return Event::failed;
        case 'v': return Event::view;
        case 'q': return Event::quit;
        case '\n':
        case '\r': return Event::again;
        default: break;
      }
    }
    return Event::stop;
  }

  /// Waits until files stop changing for a moment. Returns false if no watched file changed.
  bool take_files() {
    touched_.merge(files_.changed());
    if (touched_.empty()) return false;
    for (int quiet = 0; quiet == 0 && !stop_requested();) {
      pollfd waited{files_.descriptor(), POLLIN, 0};
      quiet = ::poll(&waited, 1, settle_ms) == 0 ? 1 : 0;
      touched_.merge(files_.changed());
    }
    return true;
  }

  const Invocation& call_;
  RunOptions options_;
  FileWatch files_;
  KeyInput keys_;
  std::vector<CompiledSuite> suites_;
  std::vector<fs::path> known_;  ///< the files that were watched last
  std::optional<OpenSession> open_;
  std::map<std::string, std::string> digests_;  ///< the content with which each cell was last played
  std::set<std::string> not_passed_;
  std::set<std::string> last_;  ///< the cells that were played last
  std::set<fs::path> touched_;
  double spent_ = 0;  ///< USD
  bool is_over_ = false;
  int code_ = exit_done;
};

}  // namespace

int watch_verb(const Invocation& call) {
  auto options = run_options_of(call);
  if (!options) return wrong_use(call, options.problem().detail);
  take_stop_requests();
  return Watch(call, std::move(*options)).run();
}

}  // namespace parley::client
