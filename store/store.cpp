#include "store/store.hpp"

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

const std::optional<Migration>& Store::migration() const {
  return environment_->migration();
}

Usage Store::usage() const {
  return environment_->usage();
}

}  // namespace parley::store
