#pragma once
/// The server while a command uses it: a remote one, a local one that another command started, or one that this
/// command starts in its own process. It ends with the session, once no other command uses it. Main thread.

#include <functional>
#include <memory>
#include <optional>

#include "client/remote/connection.hpp"
#include "client/remote/embedded_server.hpp"
#include "client/remote/join_lock.hpp"
#include "client/remote/project_folder.hpp"

namespace parley::client {

struct SessionOptions {
  EmbeddedOptions embedded;   ///< data and log file are the session's
  bool is_ephemeral = false;  ///< local data go to a temporary folder that is removed at the end
  bool needs_data = false;    ///< for a verb that only reads: without local data there is nothing to show
  /// Called once if this command must wait for commands that joined its server, before it ends the server.
  std::function<void()> on_wait;
};

class Session {
 public:
  /// Problem `unauthorized`, `busy`: the server refuses or is unreachable. Problem `not_found`: `needs_data`, and the
  /// project has no local data.
  [[nodiscard]] static Expected<Session> open(const Connection& connection, const StartServer& start,
                                              SessionOptions options);
  Session(Session&&) = default;
  Session& operator=(Session&&) = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  [[nodiscard]] const ServerAddress& server() const { return server_; }
  [[nodiscard]] bool is_local() const { return is_local_; }
  /// Whether this command started the server; then its models are those of the suites.
  [[nodiscard]] bool is_own() const { return embedded_ != nullptr; }
  [[nodiscard]] const ProjectFolder& folder() const { return *folder_; }

 private:
  explicit Session(ServerAddress server) : server_(std::move(server)) {}
  void wait_for_joined() const;

  ServerAddress server_;
  bool is_local_ = false;
  std::unique_ptr<ProjectFolder> folder_;
  std::unique_ptr<EmbeddedServer> embedded_;
  std::optional<JoinLock> joined_;  ///< of a command that joined; keeps the server running
  std::function<void()> on_wait_;
  std::filesystem::path temporary_;  ///< removed at the end; empty: none
};

}  // namespace parley::client
