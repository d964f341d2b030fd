#pragma once
/// Shared by the handlers of results and runs: list rows of results, and answers rendered from an actor's reply.

#include "http/handlers/handlers.hpp"
#include "http/lists/page.hpp"
#include "http/views/result_view.hpp"

namespace parley::http {

[[nodiscard]] Rows result_rows(const store::Snapshot& snapshot, const Linker& linker, WriteMode mode);
/// A list of results, filtered by `query`.
[[nodiscard]] Expected<Reply> result_page(const store::Snapshot& snapshot, const RequestContext& call,
                                          QueryReader& reader, store::ListQuery query);

/// The updatedAt that the result must still have when its change is decided; nullopt without If-Match. Problem: 412
/// if the request's tag does not match the result as GET shows it now (D12).
[[nodiscard]] Expected<std::optional<Time>> wanted_update(const store::Snapshot& snapshot,
                                                          const RequestContext& call, const ResultHead& head);
/// Answers with the whole result in its state after the command.
[[nodiscard]] actors::Completion<actors::ResultReply> answer_result(const Context& context,
                                                                    const RequestContextPtr& call,
                                                                    ReplyTo reply);
/// Answers with a new result and its Location.
void answer_new_result(const Context& context, const ReplyTo& reply, Expected<actors::ResultReply> done);

/// Filters by an enum value; any other text is a fault.
template <Worded E>
void filter_by_word(QueryReader& reader, store::ListQuery& query, std::string_view name, store::Facet facet) {
  const auto word = reader.text(name);
  if (!word) return;
  if (from_word<E>(*word)) {
    add_filter(query, facet, {store::value_of(*word)});
  } else {
    reader.fault(name, one_of({Words<E>::all.begin(), Words<E>::all.end()}));
  }
}

}  // namespace parley::http
