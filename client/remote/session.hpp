#pragma once
/// The server that a command uses: a remote server, a local server that another command started, or one that this
/// command runs in its own process. Its own server ends with the session, after all other commands have released it.
/// Main thread.

#include <functional>
#include <memory>
#include <optional>

#include "client/remote/connection.hpp"
#include "client/remote/embedded_server.hpp"
#include "client/remote/join_lock.hpp"
#include "client/remote/project_folder.hpp"

namespace parley::client {

struct SessionOptions {
  EmbeddedOptions embedded;   ///< the session sets data and log file
  bool is_ephemeral = false;  ///< store local data in a temporary folder that is removed at the end
  bool needs_data = false;    ///< for verbs that only read: fail if the project has no local data
  /// For verbs that play or judge: fail if another command's server has other models than those in `embedded`. A model
  /// that is not set there may be any.
  bool needs_models = false;
  /// Called once if this command must wait for other commands before it ends its server.
  std::function<void()> on_wait;
};

class Session {
 public:
  /// Problem `unauthorized`, `busy`: the server refuses the key or is unreachable. Problem `not_found`: `needs_data`
  /// is set and the project has no local data. Problem `invalid_parameter`: `needs_models` is set, and another
  /// command's server has other models.
  [[nodiscard]] static Expected<Session> open(const Connection& connection, const StartServer& start,
                                              SessionOptions options);
  Session(Session&&) = default;
  Session& operator=(Session&&) = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  [[nodiscard]] const ServerAddress& server() const { return server_; }
  [[nodiscard]] bool is_local() const { return is_local_; }
  /// Whether this command started the server. If so, the server uses the models of the suites.
  [[nodiscard]] bool is_own() const { return embedded_ != nullptr; }
  [[nodiscard]] const ProjectFolder& folder() const { return *folder_; }

 private:
  explicit Session(ServerAddress server) : server_(std::move(server)) {}
  void wait_for_joined() const;

  ServerAddress server_;
  bool is_local_ = false;
  std::unique_ptr<ProjectFolder> folder_;
  std::unique_ptr<EmbeddedServer> embedded_;
  std::optional<JoinLock> joined_;  ///< keeps the joined server of another command running
  std::function<void()> on_wait_;
  std::filesystem::path temporary_;  ///< removed at the end; empty: no temporary folder
};

}  // namespace parley::client
