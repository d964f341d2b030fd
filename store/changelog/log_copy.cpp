#include "store/changelog/log_copy.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "store/engine/data_directory.hpp"
#include "store/engine/value.hpp"

namespace parley::store {
namespace {

namespace fs = std::filesystem;

constexpr const char* copy_name = "base.copy";
constexpr const char* partial_name = "base.partial";

Options options_of(const fs::path& directory) {
  return {.directory = directory, .fsync = true, .free_bytes_min = 0};
}

/// Creates a data file without records, at the start of the log and with the schema of its first row.
Expected<Done> make_empty(const fs::path& home, ChangeLog& log, const Id& log_id) {
  TRY(tail, log.read({}, {}, 1));
  Options options = options_of(home);
  if (!tail.rows.empty()) options.schema_max = tail.rows.front().rules;
  TRY(store, Store::open(options));
  return store->remember({{std::string(log_place_key), encode_place({log_id, {}, {}})}});
}

}  // namespace

bool has_data(const fs::path& directory) {
  std::error_code error;
  const auto bytes = fs::file_size(directory / "data.mdb", error);
  return !error && bytes > 0;
}

Expected<BaseCopy> BaseCopy::of(const Store& store, const fs::path& directory,
                                const std::optional<LogPlace>& place) {
  std::error_code error;
  BaseCopy copy(directory / copy_name);
  fs::remove_all(copy.home_, error);
  fs::create_directory(copy.home_, error);
  if (error) return cannot("create", copy.home_, error.message());
  fs::permissions(copy.home_, fs::perms::owner_all, error);
  TRY_DONE(store.copy_to(copy.file()));
  TRY(opened, Store::open(options_of(copy.home_)));
  if (place) {
    TRY_DONE(opened->remember({{std::string(log_place_key), encode_place(*place)}}));
  }
  TRY(found, log_place(opened->snapshot()));
  if (!found) return problem(ProblemKind::internal, "The copy of the data file has no place in the log.");
  copy.at_ = found->at;
  return copy;
}

BaseCopy::BaseCopy(BaseCopy&& other) noexcept : home_(std::exchange(other.home_, {})), at_(other.at_) {}

BaseCopy::~BaseCopy() {
  std::error_code ignored;
  if (!home_.empty()) fs::remove_all(home_, ignored);
}

Expected<LogPosition> take_base(const fs::path& directory, ChangeLog& log, const Id& log_id) {
  TRY(locked, Directory::open(directory));
  const fs::path partial = directory / partial_name;
  std::error_code error;
  fs::remove_all(partial, error);
  fs::create_directory(partial, error);
  if (error) return cannot("create", partial, error.message());
  fs::permissions(partial, fs::perms::owner_all, error);
  TRY(base, log.fetch_base(partial / "data.mdb"));
  if (!base) {
    TRY_DONE(make_empty(partial, log, log_id));
  }
  fs::permissions(partial / "data.mdb", fs::perms::owner_read | fs::perms::owner_write, error);
  TRY_DONE(sync_path(partial / "data.mdb"));
  fs::remove(directory / "lock.mdb", error);
  if (::rename((partial / "data.mdb").c_str(), (directory / "data.mdb").c_str()) != 0)
    return cannot("create", directory / "data.mdb", std::strerror(errno));
  fs::remove_all(partial, error);
  TRY_DONE(locked.settle());
  return base.value_or(LogPosition{});
}

}  // namespace parley::store
