#pragma once
/// Answers of models, kept by what was asked, so that the same question need not be paid for twice. A cache: losing one
/// costs a call. Thread: as the snapshot; the rest is pure.
///
///   digest  = SHA-256 of the question's parts, each behind its length
///   key     = first two bytes of the digest: 65,536 places, and a new answer takes its place from an older one
///   value   = digest (32 bytes), body of the answer (at most answer_bytes_max)
///
/// Bound: 65,536 answers of 16 KiB, 1 GiB at the very most; nothing has to be swept.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

/// A turn or a verdict has some hundred bytes; a longer one is asked for again.
inline constexpr std::size_t answer_bytes_max = 16 * 1024;

/// The digest under which the answer to a question is kept.
[[nodiscard]] std::string answer_digest(std::span<const std::string_view> parts);
/// Adds nothing where the body is too long. Needs: a digest of answer_digest.
void keep_answer(ChangeSet& changes, std::string_view digest, std::string_view body);
[[nodiscard]] Expected<std::optional<std::string>> kept_answer(const Snapshot& snapshot,
                                                               std::string_view digest);
/// Forgets answers, at most `most`; tells how many.
std::size_t forget_answers(const Snapshot& snapshot, std::size_t most, ChangeSet& changes);

}  // namespace parley::store
