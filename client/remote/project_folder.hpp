#pragma once
/// `.parley/` next to the project's file (0700): the data of the local server, its log, and a note of the server that
/// uses it. It holds transcripts, so it contains a .gitignore that excludes it from git.
///
///   .parley/.gitignore   *
///   .parley/data/        the data directory of the local server
///   .parley/server.json  {"url", "pid", "key"}, 0600, while a server uses the data
///   .parley/server.log   the log of the last local server
///   .parley/joined.lock  held by commands that use the server of another command

#include <filesystem>
#include <optional>

#include "client/remote/http_client.hpp"
#include "model/expected.hpp"

namespace parley::client {

class ProjectFolder {
 public:
  /// The folder of the project whose file is in `project`. Creates nothing.
  explicit ProjectFolder(const std::filesystem::path& project) : root_(project / ".parley") {}

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  [[nodiscard]] std::filesystem::path data() const { return root_ / "data"; }
  [[nodiscard]] std::filesystem::path log_file() const { return root_ / "server.log"; }
  [[nodiscard]] std::filesystem::path join_lock() const { return root_ / "joined.lock"; }
  [[nodiscard]] bool exists() const;

  /// Creates the folder with its .gitignore. Problem: the file system refuses.
  [[nodiscard]] Expected<Done> create() const;
  /// The server that uses the data, if its process is alive.
  [[nodiscard]] std::optional<ServerAddress> running() const;
  /// Records this process as the server's.
  [[nodiscard]] Expected<Done> note(const ServerAddress& server) const;
  void remove_note() const;

 private:
  [[nodiscard]] std::filesystem::path note_file() const { return root_ / "server.json"; }

  std::filesystem::path root_;
};

/// The first folder with a `parley.yaml` among `from` and its parents; nullopt if there is no such file.
[[nodiscard]] std::optional<std::filesystem::path> project_above(const std::filesystem::path& from);

}  // namespace parley::client
