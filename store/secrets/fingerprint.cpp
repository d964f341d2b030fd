#include "store/secrets/fingerprint.hpp"

namespace parley::store {
namespace {

constexpr std::size_t fingerprint_bytes = 16;

}  // namespace

std::string fingerprint_of(const Secrets& key) {
  const Key256 derived = key.derived("fingerprint");
  return {reinterpret_cast<const char*>(derived.data()), fingerprint_bytes};
}

Expected<std::optional<std::string>> known_fingerprint(const Snapshot& snapshot, std::string_view name) {
  TRY(stored, snapshot.value(TableId::meta, name));
  return stored ? std::optional(std::string(stored->payload)) : std::nullopt;
}

}  // namespace parley::store
