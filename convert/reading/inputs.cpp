#include "convert/reading/inputs.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

namespace fs = std::filesystem;

/// Maximum number of files below one folder; more are probably a mistake.
constexpr std::size_t files_max = 20'000;

/// An open file, closed by the destructor.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

bool is_within(const fs::path& path, const fs::path& root) {
  const auto [in_root, in_path] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return in_root == root.end() || (in_root->empty() && std::next(in_root) == root.end());
}

fs::path folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

std::optional<fs::path> resolved(const fs::path& path) {
  std::error_code error;
  fs::path out = fs::weakly_canonical(path, error);
  if (error) return std::nullopt;
  return out;
}

}  // namespace

bool Inputs::take(std::size_t bytes, const std::string& path) {
  bytes_ += bytes;
  if (bytes_ <= input_bytes_max) return true;
  faults_.add(path, "all input together is more than 256 MiB; convert it in parts");
  return false;
}

std::optional<std::string> Inputs::bytes_of(const std::string& path) {
  if (const auto given = given_.find(path); given != given_.end()) {
    if (!take(given->second.size(), path)) return std::nullopt;
    return given->second;
  }
  if (!given_.empty()) {
    faults_.add(path, "no such file");
    return std::nullopt;
  }
  const Descriptor file(path);
  struct stat about {};
  if (file.number() < 0 || ::fstat(file.number(), &about) != 0) {
    const std::string why = errno == ENOENT ? "no such file" : std::strerror(errno);
    faults_.add(path, why);
    return std::nullopt;
  }
  if (!S_ISREG(about.st_mode)) {
    faults_.add(path, S_ISDIR(about.st_mode) ? "is a folder; name the files in it" : "is not a regular file");
    return std::nullopt;
  }
  const auto size = static_cast<std::size_t>(about.st_size);
  if (!take(size, path)) return std::nullopt;
  std::string bytes(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::read(file.number(), bytes.data() + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      faults_.add(path, std::strerror(errno));
      return std::nullopt;
    }
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

std::optional<Source> Inputs::read(const std::string& path) {
  auto bytes = bytes_of(path);
  if (!bytes) return std::nullopt;
  return source_of(path, std::move(*bytes), faults_);
}

std::optional<Source> Inputs::read_beside(const Source& from, Place place, const std::string& name,
                                          const fs::path& root) {
  const auto at = resolved(fs::path(name).is_absolute() ? fs::path(name) : folder_of(from.path) / name);
  const auto top = resolved(root.empty() ? fs::path(".") : root);
  if (!at || !top || !is_within(*at, *top)) {
    refuse_outside(from, place, name);
    return std::nullopt;
  }
  if (!given_.empty()) return read(name);
  std::error_code error;
  if (!fs::exists(*at, error)) {
    faults_.add(from, place, "no such file: " + name);
    return std::nullopt;
  }
  return read((folder_of(from.path) == "." && from.path.find('/') == std::string::npos)
                  ? fs::path(name).lexically_normal().string()
                  : (folder_of(from.path) / name).lexically_normal().string());
}

void Inputs::refuse_outside(const Source& source, Place place, const std::string& name) {
  faults_.add(
      source, place,
      "\"" + name + "\" is outside the folder of the file, and is not read; put both into one folder");
}

bool Inputs::has_beside(const std::string& from, const std::string& name) const {
  if (!given_.empty()) return given_.contains(name);
  std::error_code error;
  const fs::path at = folder_of(from) / name;
  const auto inside = resolved(at);
  const auto top = resolved(folder_of(from));
  return fs::is_regular_file(at, error) && inside && top && is_within(*inside, *top);
}

std::vector<std::string> Inputs::files_below(const std::string& folder,
                                             const std::function<bool(const std::string&)>& is_needed) {
  std::vector<std::string> files;
  std::error_code error;
  const auto top = resolved(folder);
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->is_symlink(error)) {
      const auto target = resolved(at->path());
      if (!target || !top || !is_within(*target, *top)) {
        if (!is_needed || is_needed(at->path().string()))
          faults_.add(at->path().string(), "is a link to a file outside the folder, and is not read");
        continue;
      }
    }
    if (!at->is_regular_file(error)) continue;
    files.push_back(at->path().string());
    if (files.size() > files_max) {
      faults_.add(folder, "has more than 20,000 files; name the folder of the tests");
      return {};
    }
  }
  if (error) faults_.add(folder, error.message());
  std::sort(files.begin(), files.end());
  return files;
}

std::string base_name(const std::string& path) {
  std::string name = fs::path(path).filename().string();
  if (name.empty()) name = fs::path(path).parent_path().filename().string();
  if (name.empty() || name == "." || name == "..") {
    const auto full = resolved(path);
    name = full ? full->filename().string() : std::string("input");
  }
  return name;
}

std::string stem_of(const std::string& path) {
  const std::string name = base_name(path);
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

std::string extension_of(const std::string& path) {
  return ascii::lower(fs::path(path).extension().string());
}

bool is_yaml(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == ".yaml" || extension == ".yml";
}

}  // namespace parley::convert
