#include "client/playing/file_watch.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "client/run/filter.hpp"

namespace parley::client {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t folders_max = 2'000;
constexpr std::uint32_t events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE;

/// Folders that are skipped, because people do not edit files in them.
bool is_left_out(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name == ".git" || name == ".parley" || name == "node_modules" || name == "__pycache__";
}

}  // namespace

FileWatch::FileWatch() : descriptor_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

FileWatch::~FileWatch() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FileWatch::add_folder(const fs::path& folder) {
  if (descriptor_ < 0 || folders_.size() >= folders_max) return;
  const int id = ::inotify_add_watch(descriptor_, folder.c_str(), events);
  if (id >= 0) folders_[id] = folder;
}

void FileWatch::add_tree(const fs::path& folder) {
  add_folder(folder);
  std::error_code failed;
  for (auto each = fs::recursive_directory_iterator(folder, failed);
       !failed && each != fs::recursive_directory_iterator(); each.increment(failed)) {
    if (!each->is_directory(failed)) continue;
    if (is_left_out(each->path())) {
      each.disable_recursion_pending();
    } else {
      add_folder(each->path());
    }
  }
}

void FileWatch::watch(const std::vector<fs::path>& files, const std::vector<std::string>& globs) {
  files_.clear();
  globs_ = globs;
  for (const fs::path& each : files) {
    files_.insert(each.lexically_normal());
    add_folder(each.lexically_normal().parent_path());
  }
  for (const std::string& each : globs) {
    const std::size_t star = std::min(each.find_first_of("*?"), each.size());
    fs::path folder = fs::path(each.substr(0, star));
    if (star < each.size() || !fs::is_directory(folder)) folder = folder.parent_path();
    star < each.size() ? add_tree(folder) : add_folder(folder);
  }
}

bool FileWatch::is_watched(const fs::path& file) const {
  return files_.contains(file) || std::any_of(globs_.begin(), globs_.end(), [&](const std::string& glob) {
           return matches_glob(glob, file.string());
         });
}

std::set<fs::path> FileWatch::changed() {
  std::set<fs::path> found;
  alignas(inotify_event) std::array<char, 16'384> buffer{};
  while (true) {
    const ssize_t size = ::read(descriptor_, buffer.data(), buffer.size());
    if (size <= 0) return found;
    for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      const char* const name = buffer.data() + at + sizeof event;
      at += sizeof event + event.len;
      const auto folder = folders_.find(event.wd);
      if (folder == folders_.end() || event.len == 0) continue;
      const fs::path file = folder->second / std::string(name);
      if (is_watched(file)) found.insert(file);
    }
  }
}

}  // namespace parley::client
