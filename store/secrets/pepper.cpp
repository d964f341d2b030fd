#include "store/secrets/pepper.hpp"

#include "store/secrets/key_file.hpp"

namespace parley::store {
namespace {

constexpr std::string_view pepper_row = "pepper";

std::filesystem::path file_in(const std::filesystem::path& directory) {
  return directory / "pepper.key";
}

bool has_api_keys(const Snapshot& snapshot) {
  return !snapshot.ids_in({RecordKind::api_key, Facet::all}, {}, 1).empty() ||
         !snapshot.ids_in({RecordKind::api_key, Facet::all, nil_value, Shelf::archived}, {}, 1).empty();
}

Problem no_pepper(const std::filesystem::path& directory, const std::string& why) {
  return problem(ProblemKind::store_refuses, file_in(directory).string() + why);
}

}  // namespace

Expected<std::optional<Key256>> find_pepper(const std::filesystem::path& directory,
                                            const std::optional<std::string>& given) {
  if (!given) return read_key(file_in(directory));
  const auto key = key_from_hex(*given);
  if (key) return key;
  return problem(ProblemKind::store_refuses,
                 "PARLEY_PEPPER_KEY must be 64 lower-case hex digits, such as `openssl rand -hex 32` prints");
}

Expected<Done> check_pepper(const Snapshot& snapshot, const std::filesystem::path& directory,
                            const std::optional<std::string>& given) {
  TRY(pepper, find_pepper(directory, given));
  if (!has_api_keys(snapshot)) return Done{};
  if (!pepper) {
    return no_pepper(directory, " is missing; no API key is valid without it; restore it from a backup");
  }
  TRY(known, known_fingerprint(snapshot, pepper_row));
  if (!known || *known == fingerprint_of(Secrets(*pepper))) return Done{};
  return no_pepper(directory, " is not the pepper of this store's API keys; restore it from a backup");
}

Expected<Key256> open_pepper(Store& store, const std::filesystem::path& directory,
                             const std::optional<std::string>& given) {
  TRY(fine, check_pepper(store.snapshot(), directory, given));
  TRY(held, find_pepper(directory, given));
  TRY(pepper, held ? Expected<Key256>(*held) : read_or_make_key(file_in(directory)));
  TRY(known, known_fingerprint(store.snapshot(), pepper_row));
  const std::string fingerprint = fingerprint_of(Secrets(pepper));
  if (known != fingerprint) {
    TRY(remembered, store.remember({{std::string(pepper_row), fingerprint}}));
  }
  return pepper;
}

}  // namespace parley::store
