#include "store/store.hpp"

#include "store/environment.hpp"

namespace parley::store {

Result<std::unique_ptr<Store>> Store::open(const Options& options) {
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

Usage Store::usage() const {
  return environment_->usage();
}

}  // namespace parley::store
