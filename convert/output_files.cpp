#include "convert/output_files.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace parley::convert {
namespace {

namespace fs = std::filesystem;

/// Whether the file has exactly this content.
bool holds(const std::string& path, const std::string& content) {
  std::error_code error;
  if (fs::file_size(path, error) != content.size() || error) return false;
  std::ifstream in(path, std::ios::binary);
  std::string found(content.size(), '\0');
  in.read(found.data(), static_cast<std::streamsize>(found.size()));
  return in.good() && found == content;
}

std::string temporary_name(const std::string& path) {
  const fs::path target(path);
  return (target.parent_path() / ("." + target.filename().string() + "." + std::to_string(::getpid())))
      .string();
}

std::string check(const MadeFile& file, bool is_forced) {
  std::error_code error;
  const fs::file_status status = fs::status(file.path, error);
  if (!fs::exists(status)) return {};
  if (!fs::is_regular_file(status)) return file.path + ": error: is not a regular file\n";
  const std::string fault = is_forced ? std::string() : fault_of_replacing(file.path, file.content);
  return fault.empty() ? fault : file.path + ": error: " + fault + "\n";
}

std::string write_temporary(const MadeFile& file) {
  std::error_code error;
  const fs::path folder = fs::path(file.path).parent_path();
  if (!folder.empty()) fs::create_directories(folder, error);
  std::ofstream out(temporary_name(file.path), std::ios::binary | std::ios::trunc);
  out.write(file.content.data(), static_cast<std::streamsize>(file.content.size()));
  out.close();
  if (out) return {};
  return file.path +
         ": error: cannot be written: " + (error ? error.message() : "check the folder and the disk") + "\n";
}

}  // namespace

std::string fault_of_replacing(const std::string& path, const std::string& content) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || holds(path, content)) return {};
  return "the file exists with other content; --force replaces it";
}

std::string write_all(const std::vector<MadeFile>& files, bool is_forced) {
  std::string faults;
  for (const MadeFile& file : files) faults += check(file, is_forced);
  if (!faults.empty()) return faults;
  for (const MadeFile& file : files) {
    faults = write_temporary(file);
    if (!faults.empty()) break;
  }
  std::error_code error;
  for (const MadeFile& file : files) {
    if (faults.empty()) {
      fs::rename(temporary_name(file.path), file.path, error);
      if (error) faults = file.path + ": error: cannot be written: " + error.message() + "\n";
    } else {
      fs::remove(temporary_name(file.path), error);
    }
  }
  return faults;
}

}  // namespace parley::convert
