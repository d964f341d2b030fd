#pragma once
/// Answers of the tester's and the judge's model that are given again for the same question, where the operator asks for
/// it (--keep-answers). The same means: role, endpoint, model, prompt, parameters, and the repetition of the test in its
/// run, so that repetitions stay several looks at one thing. Failures, void answers and those of a retry are neither kept
/// nor given again. Any thread.

#include "actors/base/handles.hpp"
#include "actors/services.hpp"

namespace parley::actors {

enum class ModelRole : std::uint8_t { tester, judge };

/// Where the answer to the request is kept; empty where it is not to be.
[[nodiscard]] std::string kept_as(const Services& world, const ResultHead& head, ModelRole role,
                                  const outbound::HttpRequest& request);
/// The answer that was kept there; nullopt also where it cannot be read.
[[nodiscard]] std::optional<outbound::HttpOutcome> find_kept(const Services& world,
                                                             const std::string& kept_as);
/// Sends it to the writer and waits for nothing: losing one costs a call. One that repeats the endpoint's key is not kept
/// (I67).
void keep_answer(const Writer& writer, const std::string& kept_as, const outbound::HttpOutcome& outcome,
                 const outbound::ChatEndpoint& endpoint);

}  // namespace parley::actors
