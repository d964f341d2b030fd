#include "store/secrets/backup.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "store/engine/encoding.hpp"
#include "store/engine/environment.hpp"
#include "store/engine/lmdb_assert.hpp"
#include "store/secrets/master_key.hpp"
#include "store/secrets/pepper.hpp"
#include "store/secrets/secrets.hpp"
#include "store/views/verify.hpp"

namespace parley::store {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> key_names{"pepper.key", "secrets.key"};
constexpr std::string_view data_name = "data.mdb";

Problem no_backup(std::string detail) {
  return problem(ProblemKind::store_refuses, std::move(detail));
}

/// A temporary directory. The destructor removes it with its content unless it was renamed.
class Workplace {
 public:
  [[nodiscard]] static Expected<Workplace> next_to(const fs::path& target) {
    const fs::path parent = target.has_parent_path() ? target.parent_path() : fs::path(".");
    std::string name = (parent / (target.filename().string() + ".partial-XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr) return cannot("create", name, std::strerror(errno));
    return Workplace(name);
  }
  Workplace(Workplace&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Workplace& operator=(Workplace&&) = delete;
  ~Workplace() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  explicit Workplace(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

Expected<Done> rename_durably(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return cannot("create", to, std::strerror(errno));
  return sync_path(to.has_parent_path() ? to.parent_path() : fs::path("."));
}

/// Copies the data file of a directory that another process may be writing to. Touches neither parley's lock
/// nor the schema. Meanwhile LMDB's reader table keeps the pages of the copied transaction.
int copy_compacted(const fs::path& directory, int fd) {
  MDB_env* reader = nullptr;
  if (const int code = mdb_env_create(&reader)) return code;
  set_assert_hook(reader);
  int code = mdb_env_set_maxreaders(reader, lmdb_readers_max);
  if (code == MDB_SUCCESS) code = mdb_env_open(reader, directory.c_str(), MDB_RDONLY | MDB_NOTLS, 0600);
  if (code == MDB_SUCCESS) code = mdb_env_copyfd2(reader, fd, MDB_CP_COMPACT);
  mdb_env_close(reader);
  return code;
}

Expected<Done> copy_data(const fs::path& directory, const fs::path& to) {
  TRY(found, find_store(directory));
  const int fd = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return cannot("create", to, std::strerror(errno));
  const int code = copy_compacted(directory, fd);
  ::close(fd);
  if (is_damage_code(code)) return damaged_file(directory / data_name, mdb_strerror(code));
  if (code != MDB_SUCCESS) return cannot("copy", directory / data_name, mdb_strerror(code));
  return sync_path(to);
}

/// Checks that the copy of `file` has all of its pages, because reading a missing page would raise SIGBUS.
Expected<Done> check_whole(const fs::path& directory, const fs::path& file) {
  MDB_env* reader = nullptr;
  require(mdb_env_create(&reader), "create an environment");
  set_assert_hook(reader);
  MDB_envinfo info{};
  MDB_stat status{};
  int code = mdb_env_open(reader, directory.c_str(), MDB_RDONLY | MDB_NOLOCK, 0600);
  if (code == MDB_SUCCESS) code = mdb_env_info(reader, &info);
  if (code == MDB_SUCCESS) code = mdb_env_stat(reader, &status);
  mdb_env_close(reader);
  if (is_damage_code(code)) return damaged_file(file, mdb_strerror(code));
  if (code != MDB_SUCCESS) return cannot("read", file, mdb_strerror(code));
  std::error_code error;
  const auto bytes = fs::file_size(directory / data_name, error);
  if (!error && bytes >= (info.me_last_pgno + 1) * status.ms_psize) return Done{};
  return problem(ProblemKind::internal, "The backup is shorter than it was.");
}

/// Describes the location of the first damage.
std::string first_of(const Verdict& verdict) {
  const auto place = [](TableId table, std::string_view key) {
    return " table=" + std::string(name_of(table)) + " key=" + hex(key) + ".";
  };
  if (!verdict.tables.empty()) {
    const Unreadable& table = verdict.tables.front();
    return " table=" + std::string(name_of(table.table)) + " (" + table.why + ").";
  }
  if (!verdict.corrupt.empty()) return place(verdict.corrupt.front().table, verdict.corrupt.front().key);
  return place(verdict.views.front().table, verdict.views.front().key);
}

/// Opens the directory with the copy of `file` as a server would, which migrates an older schema, and reads
/// everything in it.
Expected<std::uint64_t> verified(const fs::path& directory, const fs::path& file) {
  TRY(whole, check_whole(directory, file));
  TRY(store, Store::open({.directory = directory, .fsync = true, .free_bytes_min = 0}));
  TRY(verdict, verify(store->snapshot()));
  if (verdict.is_good()) return verdict.values;
  const auto count = [](std::size_t number, const std::string& what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
  };
  const std::size_t damaged = verdict.tables.size() + verdict.corrupt.size();
  return problem(ProblemKind::internal, "It is damaged: " + count(damaged, "damaged value") + ", " +
                                            count(verdict.views.size(), "wrong row") +
                                            " of views, the first at" + first_of(verdict));
}

/// The first line of a key file; nullopt if the file is missing or empty.
std::optional<std::string> first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line)) return std::nullopt;
  return line;
}

/// The content of the existing key files.
Expected<std::string> keys_of(const fs::path& directory) {
  std::string text;
  for (const std::string_view name : key_names) {
    if (::access((directory / name).c_str(), R_OK) != 0 && errno != ENOENT)
      return cannot("read", directory / name, std::strerror(errno));
    if (const auto key = first_line(directory / name))
      text.append(name).append(" ").append(*key).append("\n");
  }
  return text;
}

/// The content of a keys file for restore, and its name for messages.
struct KeyList {
  std::string text;
  std::string name;
};

Expected<KeyList> key_list_in(const fs::path& keys) {
  std::ifstream in(keys);
  if (!in && errno != ENOENT) return cannot("read", keys, std::strerror(errno));
  if (!in) {
    return no_backup("The keys file " + keys.string() +
                     " is missing. Without it no API key is valid and no agent's secret can be read; name it "
                     "with --keys.");
  }
  std::ostringstream text;
  text << in.rdbuf();
  return KeyList{text.str(), "The keys file " + keys.string()};
}

/// Writes the listed key files.
Expected<Done> unpack_keys(const KeyList& keys, const fs::path& directory, const GivenKeys& given) {
  std::istringstream in(keys.text);
  std::string line;
  bool has_pepper = false;
  while (std::getline(in, line)) {
    const auto blank = std::min(line.find(' '), line.size());
    const std::string name = line.substr(0, blank);
    const std::string key = line.substr(std::min(blank + 1, line.size()));
    const bool is_known = std::find(key_names.begin(), key_names.end(), name) != key_names.end();
    if (!is_known || !key_from_hex(key)) return no_backup(keys.name + " is damaged or not parley's.");
    TRY(written, write_private_file(directory / name, key + "\n"));
    has_pepper = has_pepper || name == key_names.front();
  }
  if (!has_pepper && !given.pepper)
    return no_backup(keys.name + " lacks pepper.key, and PARLEY_PEPPER_KEY is not set.");
  return Done{};
}

bool has_master_key(const fs::path& directory, const GivenKeys& given) {
  std::error_code error;
  return given.secrets || fs::exists(directory / key_names.back(), error);
}

/// Checks the content, because keys of another store look valid too. If neither the file nor the environment
/// has a master key, the operator supplies it later.
Expected<Done> check_keys(const fs::path& directory, const KeyList& keys, const GivenKeys& given) {
  TRY(store, Store::open({.directory = directory, .fsync = true, .free_bytes_min = 0}));
  const Snapshot snapshot = store->snapshot();
  const bool has_pepper = check_pepper(snapshot, directory, given.pepper).ok();
  const bool has_master =
      !has_master_key(directory, given) || check_master_key(snapshot, {directory, given.secrets}).ok();
  if (has_pepper && has_master) return Done{};
  const std::string which = !has_pepper && given.pepper   ? "PARLEY_PEPPER_KEY is not the key"
                            : has_pepper && given.secrets ? "PARLEY_SECRETS_KEY is not the key"
                                                          : keys.name + " has keys that are not those";
  return no_backup(
      which +
      " of the store that was backed up. Name the keys file that was made with this backup with "
      "--keys; if that store had its keys from PARLEY_PEPPER_KEY and PARLEY_SECRETS_KEY, set them "
      "to the same values.");
}

/// Whether a restore would accept these keys for the copy in `place`. Problem: internal if the directory must
/// be repaired before it can be backed up.
Expected<Done> check_copied(const std::string& keys, const fs::path& directory, const fs::path& place,
                            const GivenKeys& given) {
  const KeyList list{keys, "The content of the key files of " + directory.string()};
  auto fine = unpack_keys(list, place, given);
  if (fine) fine = check_keys(place, list, given);
  if (fine) return fine;
  return problem(ProblemKind::internal, "This backup could not be restored. " + fine.problem().detail);
}

Expected<Done> check_target(const fs::path& directory) {
  std::error_code error;
  const auto status = fs::symlink_status(directory, error);
  if (status.type() == fs::file_type::not_found) return Done{};
  if (status.type() != fs::file_type::directory || !fs::is_empty(directory, error) || error) {
    return no_backup(directory.string() + " exists and is not an empty directory; restore into a new one.");
  }
  return Done{};
}

}  // namespace

fs::path keys_path_for(const fs::path& file) {
  return file.string() + ".keys";
}

Expected<BackupReport> back_up(const fs::path& directory, const fs::path& file, const GivenKeys& given) {
  std::error_code error;
  for (const fs::path& target : {file, keys_path_for(file)}) {
    if (fs::exists(target, error))
      return no_backup(target.string() + " already exists; choose another name.");
  }
  TRY(place, Workplace::next_to(file));
  const fs::path copy = place.path() / data_name;
  TRY(copied, copy_data(directory, copy));
  BackupReport report;
  report.bytes = fs::file_size(copy, error);
  auto values = verified(place.path(), directory / data_name);
  if (!values) {
    Problem fault = std::move(values).problem();
    if (fault.kind == ProblemKind::internal)
      fault.detail += " Run parley doctor on " + directory.string() + ".";
    return fault;
  }
  report.values = *values;
  TRY(keys, keys_of(directory));
  if (auto fine = check_copied(keys, directory, place.path(), given); !fine) return std::move(fine).problem();
  report.has_master_key = has_master_key(place.path(), given);
  TRY(written, write_private_file(keys_path_for(file), keys));
  TRY(synced, sync_path(copy));
  if (auto renamed = rename_durably(copy, file); !renamed) {
    fs::remove(keys_path_for(file), error);
    return std::move(renamed).problem();
  }
  return report;
}

Expected<BackupReport> restore(const RestoreSource& source, const fs::path& given) {
  const fs::path directory = given.has_filename() ? given : given.parent_path();
  TRY(free, check_target(directory));
  std::error_code error;
  if (directory.has_parent_path()) fs::create_directories(directory.parent_path(), error);
  TRY(place, Workplace::next_to(directory));
  const fs::path data = place.path() / data_name;
  if (!fs::copy_file(source.file, data, error)) return cannot("read", source.file, error.message());
  fs::permissions(data, fs::perms::owner_read | fs::perms::owner_write, error);
  TRY(keys, key_list_in(source.keys));
  TRY(unpacked, unpack_keys(keys, place.path(), source.given));
  BackupReport report;
  report.bytes = fs::file_size(data, error);
  TRY(values, verified(place.path(), source.file));
  report.values = values;
  TRY(right, check_keys(place.path(), keys, source.given));
  report.has_master_key = has_master_key(place.path(), source.given);
  TRY(synced, sync_path(data));
  TRY(listed, sync_path(place.path()));
  TRY(renamed, rename_durably(place.path(), directory));
  return report;
}

}  // namespace parley::store
