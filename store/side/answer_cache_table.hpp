#pragma once
/// Cached model answers by question, so that a repeated question costs nothing. Losing an answer costs one call.
/// Thread: as the snapshot; the rest is pure.
///
///   digest  = SHA-256 of the question's parts, each preceded by its length
///   key     = first two bytes of the digest: 65,536 places; a new answer replaces the older one in its place
///   value   = digest (32 bytes), body of the answer (at most answer_bytes_max)
///
/// Bound: 65,536 answers of 16 KiB, at most 1 GiB; no clean-up is needed.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

/// A turn or a verdict has some hundred bytes; longer answers are not cached.
inline constexpr std::size_t answer_bytes_max = 16 * 1024;

/// The digest under which the answer to a question is cached.
[[nodiscard]] std::string answer_digest(std::span<const std::string_view> parts);
/// Caches the answer unless the body is too long. Needs: a digest from answer_digest.
void keep_answer(ChangeSet& changes, std::string_view digest, std::string_view body);
[[nodiscard]] Expected<std::optional<std::string>> kept_answer(const Snapshot& snapshot,
                                                               std::string_view digest);
/// Removes at most `most` answers and returns their number.
std::size_t forget_answers(const Snapshot& snapshot, std::size_t most, ChangeSet& changes);

}  // namespace parley::store
