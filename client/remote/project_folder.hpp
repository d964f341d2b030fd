#pragma once
/// `.parley/` next to the project's suite file (0700): the data of the local server, its log, and a note about the
/// server that uses the data. The folder holds transcripts, so its .gitignore excludes it from git.
///
///   .parley/.gitignore   *
///   .parley/data/        the data directory of the local server
///   .parley/server.json  {"url", "pid", "key", "tester", "judge"}, 0600, while a server uses the data
///   .parley/server.log   the log of the last local server
///   .parley/joined.lock  held by commands that use the server of another command

#include <filesystem>
#include <optional>

#include "client/remote/http_client.hpp"
#include "model/expected.hpp"

namespace parley::client {

/// The note about the server that uses the data.
struct ServerNote {
  ServerAddress address;
  std::int64_t pid = 0;
  std::string tester;  ///< identifies the model, without its key
  std::string judge;
};

class ProjectFolder {
 public:
  /// Refers to the folder of the project in `project`. Creates nothing.
  explicit ProjectFolder(const std::filesystem::path& project) : root_(project / ".parley") {}

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  [[nodiscard]] std::filesystem::path data() const { return root_ / "data"; }
  [[nodiscard]] std::filesystem::path log_file() const { return root_ / "server.log"; }
  [[nodiscard]] std::filesystem::path join_lock() const { return root_ / "joined.lock"; }
  [[nodiscard]] bool exists() const;

  /// Creates the folder and its .gitignore. Problem: the file system refuses.
  [[nodiscard]] Expected<Done> create() const;
  /// Returns the server that uses the data, if its process is alive.
  [[nodiscard]] std::optional<ServerNote> running() const;
  /// Writes the note about a server of this process.
  [[nodiscard]] Expected<Done> note(const ServerNote& server) const;
  void remove_note() const;

 private:
  [[nodiscard]] std::filesystem::path note_file() const { return root_ / "server.json"; }

  std::filesystem::path root_;
};

/// Returns the first folder with a `parley.yaml`, searching `from` and its parents; nullopt if no folder has one.
[[nodiscard]] std::optional<std::filesystem::path> project_above(const std::filesystem::path& from);

}  // namespace parley::client
