#include "store/store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "store/engine/environment.hpp"
#include "store/engine/value.hpp"

namespace parley::store {

Expected<Done> find_store(const std::filesystem::path& directory) {
  const std::filesystem::path data = directory / "data.mdb";
  std::error_code error;
  if (std::filesystem::is_regular_file(data, error)) return Done{};
  if (error == std::errc::permission_denied) return cannot("read", data, error.message());
  return problem(ProblemKind::store_refuses, "There is no store in " + directory.string() + ".");
}

Expected<std::unique_ptr<Store>> Store::open(const Options& options) {
  TRY(environment, Environment::open(options));
  return std::unique_ptr<Store>(new Store(std::move(environment), options));
}

Store::Store(std::unique_ptr<Environment> environment, const Options& options)
    : environment_(std::move(environment)),
      committer_(std::make_unique<Committer>(*environment_, options.free_bytes_min, Surroundings{})) {}

Store::~Store() = default;

Snapshot Store::snapshot() const {
  return Snapshot(*environment_);
}

Expected<Done> Store::remember(const std::map<std::string, std::string>& rows) {
  try {
    WriteTransaction transaction(environment_->handle());
    const MDB_dbi meta = (*environment_)[TableId::meta];
    for (const auto& [name, value] : rows) put(transaction.handle(), meta, name, frame(name, 0, value));
    require(transaction.commit(), "commit");
  } catch (const LmdbError& error) {
    return problem(ProblemKind::store_refuses, std::string("The store cannot be written: ") + error.what());
  }
  return Done{};
}

Expected<Done> Store::forget(const std::string& name) {
  try {
    WriteTransaction transaction(environment_->handle());
    erase(transaction.handle(), (*environment_)[TableId::meta], name);
    require(transaction.commit(), "commit");
  } catch (const LmdbError& error) {
    return problem(ProblemKind::store_refuses, std::string("The store cannot be written: ") + error.what());
  }
  return Done{};
}

Expected<Done> Store::copy_to(const std::filesystem::path& file) const {
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return cannot("create", file, std::strerror(errno));
  const int code = mdb_env_copyfd2(environment_->handle(), fd, MDB_CP_COMPACT);
  const int error = code == MDB_SUCCESS && ::fsync(fd) != 0 ? errno : 0;
  ::close(fd);
  if (code != MDB_SUCCESS) return cannot("copy the data file to", file, mdb_strerror(code));
  if (error != 0) return cannot("sync", file, std::strerror(error));
  return Done{};
}

const std::optional<Migration>& Store::migration() const {
  return environment_->migration();
}

std::uint32_t Store::schema() const {
  return environment_->schema();
}

Usage Store::usage() const {
  return environment_->usage();
}

}  // namespace parley::store
