#pragma once
/// `.parley/` beside the project's file (0700): the data of the local server, its log, and the note of a server that
/// works on it. It holds transcripts, so it ignores itself in git.
///
///   .parley/.gitignore   *
///   .parley/data/        the data directory of the local server
///   .parley/server.json  {"url", "pid", "key"}, 0600, while a server works on the data
///   .parley/server.log   the log of the last local server

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
  [[nodiscard]] bool exists() const;

  /// Creates the folder with its .gitignore. Problem: the file system refuses.
  [[nodiscard]] Expected<Done> create() const;
  /// The server that works on the data, if its process lives.
  [[nodiscard]] std::optional<ServerAddress> running() const;
  /// Notes this process as the server's.
  [[nodiscard]] Expected<Done> note(const ServerAddress& server) const;
  void remove_note() const;

 private:
  [[nodiscard]] std::filesystem::path note_file() const { return root_ / "server.json"; }

  std::filesystem::path root_;
};

/// The folder of the next `parley.yaml` upwards from `from`; nullopt if there is no such file.
[[nodiscard]] std::optional<std::filesystem::path> project_above(const std::filesystem::path& from);

}  // namespace parley::client
