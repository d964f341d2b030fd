#include "client/remote/session.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "client/remote/api.hpp"
#include "client/remote/stop_request.hpp"
#include "model/stable_hash.hpp"

namespace parley::client {
namespace {

namespace fs = std::filesystem;

/// How long a command waits while another command is starting or ending a server on the same data.
constexpr std::chrono::seconds join_for{5};
constexpr std::chrono::milliseconds join_pause{20};

/// Whether a server answers at this address.
bool answers(const ServerAddress& server) {
  HttpClient http(server);
  const auto answer = http.call({"GET", "/readyz", "", {}, 2'000});
  return answer && answer->status == 200;
}

Expected<fs::path> temporary_folder() {
  const char* place = ::getenv("TMPDIR");
  std::string name =
      (fs::path(place != nullptr && *place != '\0' ? place : "/tmp") / "parley-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    return problem(ProblemKind::invalid_parameter, "a temporary folder cannot be created in " +
                                                       fs::path(name).parent_path().string() + ": " +
                                                       std::strerror(errno));
  return fs::path(name);
}

/// Identifies the model without its key.
std::string identity_of(const std::optional<ModelEndpoint>& model) {
  if (!model || model->url.empty()) return "none";
  return fmt::format("{:016x}", stable_hash(model->url + '\n' + model->model + '\n' + model->parameters));
}

/// Checks that the server of another command has the models that this command names. Otherwise another judge would
/// decide its results.
Expected<Done> check_models(const ServerNote& running, const EmbeddedOptions& wanted) {
  const auto differs = [](const std::optional<ModelEndpoint>& model, const std::string& used) {
    return model.has_value() && identity_of(model) != used;
  };
  const bool has_other_tester = differs(wanted.tester, running.tester);
  if (!has_other_tester && !differs(wanted.judge, running.judge)) return Done{};
  const std::string noun = has_other_tester ? "tester" : "judge";
  return problem(ProblemKind::invalid_parameter,
                 "another parley command (process " + std::to_string(running.pid) +
                     ") runs the server of this folder, and its " + noun + " is not the " + noun +
                     " of these files: wait for that command or stop it, or play without it "
                     "(`parley run --ephemeral`, or --server)");
}

struct Joined {
  ServerAddress server;
  std::unique_ptr<EmbeddedServer> own;  ///< null: another command owns the server
  std::optional<JoinLock> lock;         ///< set if another command owns the server
};

/// Joins the server that uses the folder's data, or starts one.
Expected<Joined> join_or_start(const ProjectFolder& folder, const StartServer& start,
                               const SessionOptions& session) {
  const EmbeddedOptions& options = session.embedded;
  const auto until = std::chrono::steady_clock::now() + join_for;
  TRY(lock, JoinLock::open(folder.join_lock()));
  while (true) {
    if (lock.take_shared()) {
      if (const auto running = folder.running(); running && answers(running->address)) {
        if (session.needs_models) TRY_DONE(check_models(*running, options));
        return Joined{running->address, nullptr, std::move(lock)};
      }
      lock.release();
    }
    auto started = start(options);
    if (started) {
      // A server at rest is not announced. Commands that play would wait forever on it, so they must not join it.
      if (!options.is_at_rest)
        TRY_DONE(folder.note(
            {(*started)->address(), ::getpid(), identity_of(options.tester), identity_of(options.judge)}));
      ServerAddress address = (*started)->address();
      return Joined{std::move(address), std::move(started).value(), std::nullopt};
    }
    const bool may_pass = started.problem().kind == ProblemKind::conflict;
    if (!may_pass || std::chrono::steady_clock::now() >= until) return std::move(started).problem();
    std::this_thread::sleep_for(join_pause);
  }
}

}  // namespace

Expected<Session> Session::open(const Connection& connection, const StartServer& start,
                                SessionOptions options) {
  Session session(connection.server);
  session.folder_ = std::make_unique<ProjectFolder>(connection.project_folder);
  if (!connection.is_local) return session;
  session.is_local_ = true;
  if (options.is_ephemeral) {
    TRY(folder, temporary_folder());
    session.temporary_ = folder;
    options.embedded.is_durable = false;
    options.embedded.data = folder / "data";
    options.embedded.log_file = folder / "server.log";
    TRY(started, start(options.embedded));
    session.server_ = started->address();
    session.embedded_ = std::move(started);
    return session;
  }
  const ProjectFolder& folder = *session.folder_;
  if (options.needs_data && !folder.exists())
    return problem(ProblemKind::not_found, "there are no local results in " +
                                               connection.project_folder.string() +
                                               ": start with `parley run`, or name a server with --server");
  if (const auto made = folder.create(); !made)
    return problem(made.problem().kind,
                   made.problem().detail + ". --ephemeral plays without storing results there");
  options.embedded.data = folder.data();
  options.embedded.log_file = folder.log_file();
  TRY(joined, join_or_start(folder, start, options));
  session.server_ = std::move(joined.server);
  session.embedded_ = std::move(joined.own);
  session.joined_ = std::move(joined.lock);
  session.on_wait_ = std::move(options.on_wait);
  return session;
}

/// Waits until no other command uses the server. Commands may join until the lock is taken. Ctrl-C ends the wait; if
/// it was pressed before, a second Ctrl-C ends the process.
void Session::wait_for_joined() const {
  auto lock = JoinLock::open(folder_->join_lock());
  if (!lock) return;
  const bool was_stopped = stop_requested();
  for (bool is_reported = false; !lock->take_exclusive(); std::this_thread::sleep_for(join_pause)) {
    if (!was_stopped && stop_requested()) break;
    if (!is_reported && on_wait_) on_wait_();
    is_reported = true;
  }
  folder_->remove_note();
}

Session::~Session() {
  if (embedded_ && temporary_.empty()) wait_for_joined();
  embedded_.reset();
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

}  // namespace parley::client
