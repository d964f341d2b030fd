#include "client/suite/suite_roots.hpp"

#include <algorithm>
#include <fstream>
#include <optional>

#include "model/text/ascii.hpp"

namespace parley::client {
namespace {

namespace fs = std::filesystem;

void fault(LoadedSuites& loaded, std::string code, std::string message) {
  loaded.faults.push_back({source::Level::error, std::move(code), std::move(message), {}});
}

/// Finds `parley.yaml` or `parley.yml` in the folder or one of its parents.
std::optional<fs::path> found_upwards(const fs::path& from) {
  std::error_code failed;
  for (fs::path folder = fs::weakly_canonical(from, failed); !folder.empty(); folder = folder.parent_path()) {
    for (const char* name : {"parley.yaml", "parley.yml"}) {
      if (fs::is_regular_file(folder / name, failed)) return folder / name;
    }
    if (folder == folder.parent_path()) break;
  }
  return std::nullopt;
}

void add_root(std::vector<RootFile>& roots, const fs::path& path, std::optional<std::uint32_t> line,
              LoadedSuites& loaded) {
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (fs::exists(status) && !fs::is_regular_file(status))
    return fault(loaded, "no-file",
                 path.lexically_normal().string() + " is not a regular file: write the suite to a file");
  const fs::path whole = fs::weakly_canonical(path, failed);
  if (failed)
    return fault(loaded, "no-file",
                 "cannot read " + path.lexically_normal().string() + ": " + failed.message());
  auto known =
      std::find_if(roots.begin(), roots.end(), [&](const RootFile& each) { return each.path == whole; });
  if (known == roots.end()) known = roots.insert(roots.end(), {whole, {}});
  if (line) known->lines.push_back(*line);
}

void add_folder(std::vector<RootFile>& roots, const fs::path& folder, const std::string& given,
                LoadedSuites& loaded) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    if (name == "parley.yaml" || name.ends_with(".parley.yaml")) found.push_back(entry.path());
  }
  if (failed) return fault(loaded, "no-file", "cannot read " + given + ": " + failed.message());
  std::sort(found.begin(), found.end());
  for (const fs::path& path : found) add_root(roots, path, std::nullopt, loaded);
  if (found.empty()) fault(loaded, "no-file", "no parley.yaml and no *.parley.yaml in " + given);
}

}  // namespace

std::vector<RootFile> roots_of(const LoadOptions& options, LoadedSuites& loaded) {
  std::vector<RootFile> roots;
  if (options.paths.empty()) {
    if (const auto found = found_upwards(options.folder))
      add_root(roots, *found, std::nullopt, loaded);
    else
      fault(loaded, "no-file", "no parley.yaml here or in a parent folder; `parley init` makes one");
  }
  std::error_code failed;
  for (const std::string& given : options.paths) {
    const fs::path path = options.folder / given;
    const auto colon = given.rfind(':');
    const bool has_line =
        colon != std::string::npos && ascii::is_digits(given.substr(colon + 1)) && given.size() - colon < 9;
    if (fs::is_directory(path, failed))
      add_folder(roots, path, given, loaded);
    else if (!fs::exists(path, failed) && has_line)
      add_root(roots, options.folder / given.substr(0, colon),
               static_cast<std::uint32_t>(std::stoul(given.substr(colon + 1))), loaded);
    else
      add_root(roots, path, std::nullopt, loaded);
  }
  return roots;
}

void read_env_file(const fs::path& path, std::map<std::string, std::string>& environment,
                   LoadedSuites& loaded) {
  std::ifstream in(path);
  if (!in) return fault(loaded, "no-file", "cannot read the file " + path.string() + " of --env-file");
  std::uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::string_view text = ascii::trimmed(line, " \t\r");
    if (text.empty() || text.starts_with('#')) continue;
    if (text.starts_with("export ")) text = ascii::trimmed(text.substr(7));
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      fault(loaded, "env-file", path.string() + ":" + std::to_string(number) + ": a line must be NAME=value");
      continue;
    }
    std::string_view value = ascii::trimmed(text.substr(equals + 1));
    const bool is_quoted =
        value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front();
    if (is_quoted) value = value.substr(1, value.size() - 2);
    // The environment takes precedence over the file.
    environment.emplace(std::string(ascii::trimmed(text.substr(0, equals))), std::string(value));
  }
}

}  // namespace parley::client
