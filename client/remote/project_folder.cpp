#include "client/remote/project_folder.hpp"

#include <signal.h>
#include <unistd.h>

#include "client/remote/api.hpp"
#include "client/remote/private_file.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {

namespace fs = std::filesystem;

bool ProjectFolder::exists() const {
  std::error_code ignored;
  return fs::is_directory(data(), ignored);
}

Expected<Done> ProjectFolder::create() const {
  TRY_DONE(create_private_folder(root_));
  const fs::path ignore = root_ / ".gitignore";
  std::error_code ignored;
  if (!fs::exists(ignore, ignored)) TRY_DONE(write_private(ignore, "*\n"));
  return Done{};
}

std::optional<ServerNote> ProjectFolder::running() const {
  const auto text = content_of(note_file());
  if (!text) return std::nullopt;
  const auto parsed = json::parse(*text, json::outside);
  if (!parsed) return std::nullopt;
  const auto pid = static_cast<pid_t>(integer_at(parsed->root(), "pid"));
  const bool is_alive = pid > 0 && (::kill(pid, 0) == 0 || errno == EPERM);
  if (!is_alive) return std::nullopt;
  return ServerNote{{text_at(parsed->root(), "url"), text_at(parsed->root(), "key")},
                    pid,
                    text_at(parsed->root(), "tester"),
                    text_at(parsed->root(), "judge")};
}

Expected<Done> ProjectFolder::note(const ServerNote& server) const {
  json::Writer note;
  note.begin_object()
      .member("url", server.address.url)
      .key("pid")
      .integer(server.pid)
      .member("key", server.address.key)
      .member("tester", server.tester)
      .member("judge", server.judge)
      .end_object();
  return write_private(note_file(), std::move(note).text() + "\n");
}

void ProjectFolder::remove_note() const {
  std::error_code ignored;
  fs::remove(note_file(), ignored);
}

std::optional<fs::path> project_above(const fs::path& from) {
  std::error_code ignored;
  for (fs::path folder = fs::absolute(from, ignored);; folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / "parley.yaml", ignored)) return folder;
    if (!folder.has_relative_path()) return std::nullopt;
  }
}

}  // namespace parley::client
