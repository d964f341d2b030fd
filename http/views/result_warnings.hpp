#pragma once
/// The warnings of a result in answers (D97): the codes in its head with their sentences. Any thread.

#include "model/description/record_write.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// Appends the member `warnings`. A minimal row has only the sentences that quote no text of the result. `bound`:
/// only entries with a smaller ordinal are read (I35).
[[nodiscard]] Expected<Done> write_warnings(json::Writer& out, const store::Snapshot& snapshot,
                                            const ResultHead& head, std::uint32_t bound, WriteMode mode);

}  // namespace parley::http
