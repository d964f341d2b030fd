#pragma once
/// The JSON of a test result (D32, D50, D56), assembled from its stored parts; entries are copied as stored. Any
/// thread.

#include "actors/commands.hpp"
#include "http/lists/page.hpp"
#include "model/description/record_write.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// The result immediately after a command, read through a later snapshot (I35).
using Cut = actors::ResultReply;

/// Appends the result that belongs to `head`, read from the snapshot; minimal rows are defined in D24. Needs: `head`
/// is from that snapshot or from `cut`. `cut` may be null.
[[nodiscard]] Expected<Done> write_result(json::Writer& out, const store::Snapshot& snapshot,
                                          const ResultHead& head, const Cut* cut, WriteMode mode,
                                          const Linker& linker);
/// The whole result without its conversation; `entries` is the number of its entries.
[[nodiscard]] Expected<std::string> result_head_json(const store::Snapshot& snapshot, const ResultHead& head);
/// The whole result as one JSON text.
[[nodiscard]] Expected<std::string> result_json(const store::Snapshot& snapshot, const ResultHead& head,
                                                const Cut* cut = nullptr);
/// As above; nullopt if the text is longer than `bytes_max`. Writing stops soon after the bound.
[[nodiscard]] Expected<std::optional<std::string>> short_result_json(const store::Snapshot& snapshot,
                                                                     const ResultHead& head,
                                                                     std::size_t bytes_max);

/// The client's metadata, overlaid with the keys that the server wrote (D46, D47a, D61).
[[nodiscard]] json::Text shown_metadata(const json::Text& client, const ResultHead& head);

/// The first-level scalar fields by which results can be sorted.
[[nodiscard]] std::vector<std::string_view> sortable_of_results();
/// The value of one of the sortable fields.
[[nodiscard]] Expected<std::optional<SortKey>> result_sort_key(const store::Snapshot& snapshot, const Id& id,
                                                               std::string_view field);

}  // namespace parley::http
