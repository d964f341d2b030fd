#pragma once
/// Reuses answers of the tester's and the judge's model for the same question, if the operator enables it
/// (--keep-answers). Questions are the same if role, endpoint, model, prompt, parameters and the repetition
/// of the test in its run are equal, so that repetitions remain independent samples. Failures, void answers
/// and answers of a retry are neither stored nor reused. Any thread.

#include "actors/base/handles.hpp"
#include "actors/services.hpp"

namespace parley::actors {

enum class ModelRole : std::uint8_t { tester, judge };

/// The key under which the answer to the request is cached; empty if it must not be cached.
[[nodiscard]] std::string kept_as(const Services& services, const ResultHead& head, ModelRole role,
                                  const outbound::HttpRequest& request);
/// The cached answer; nullopt also if it cannot be read.
[[nodiscard]] std::optional<outbound::HttpOutcome> find_kept(const Services& services,
                                                             const std::string& kept_as);
/// Sends the answer to the writer without waiting: a lost answer costs one call. An answer that repeats the
/// endpoint's key is not cached (I67).
void keep_answer(const Writer& writer, const std::string& kept_as, const outbound::HttpOutcome& outcome,
                 const outbound::ChatEndpoint& endpoint);

}  // namespace parley::actors
