#include "store/side/answer_cache_table.hpp"

#include <openssl/evp.h>

#include <array>

#include "model/check.hpp"
#include "store/engine/lmdb.hpp"
#include "store/engine/raw_snapshot.hpp"

namespace parley::store {
namespace {

constexpr std::size_t digest_bytes = 32;
constexpr std::size_t place_bytes = 2;

}  // namespace

std::string answer_digest(std::span<const std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) {
    append_u64(text, part.size());
    text += part;
  }
  std::array<unsigned char, digest_bytes> digest{};
  unsigned int size = 0;
  CHECK(EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) == 1);
  return {reinterpret_cast<const char*>(digest.data()), size};
}

void keep_answer(ChangeSet& changes, std::string_view digest, std::string_view body) {
  CHECK(digest.size() == digest_bytes);
  if (body.size() > answer_bytes_max) return;
  std::string key(digest.substr(0, place_bytes));
  std::string value = frame(key, 0, std::string(digest).append(body));
  changes.writes.push_back({TableId::answers, std::move(key), any_revision, std::move(value)});
}

Expected<std::optional<std::string>> kept_answer(const Snapshot& snapshot, std::string_view digest) {
  CHECK(digest.size() == digest_bytes);
  TRY(found, snapshot.value(TableId::answers, digest.substr(0, place_bytes)));
  if (!found || found->payload.substr(0, digest_bytes) != digest) return std::optional<std::string>{};
  return std::optional(std::string(found->payload.substr(digest_bytes)));
}

std::size_t forget_answers(const Snapshot& snapshot, std::size_t most, ChangeSet& changes) {
  std::size_t count = 0;
  Cursor cursor(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[TableId::answers]);
  for (bool there = cursor.first(); there && count < most; there = cursor.next()) {
    changes.writes.push_back({TableId::answers, std::string(cursor.key()), any_revision, {}});
    ++count;
  }
  return count;
}

}  // namespace parley::store
