#pragma once
/// What the handlers of results and runs share: rows of results, and answers rendered from what an actor replied.

#include "http/exchange/page.hpp"
#include "http/handlers/handlers.hpp"
#include "http/views/result_view.hpp"

namespace parley::http {

[[nodiscard]] Rows result_rows(const store::Snapshot& snapshot, const Linker& linker, WriteMode mode);
/// A list of results with the filters that `query` has already.
[[nodiscard]] Expected<Reply> result_page(const store::Snapshot& snapshot, const RequestContext& call,
                                          QueryReader& reader, store::ListQuery query);

/// The updatedAt that the result must still have where its change is decided; none without If-Match. Problem: 412 where
/// the request's tag is not that of the result as GET shows it now (D12).
[[nodiscard]] Expected<std::optional<Time>> wanted_update(const store::Snapshot& snapshot,
                                                          const RequestContext& call, const ResultHead& head);
/// Answers the whole result as it stood after the command.
[[nodiscard]] actors::Completion<actors::ResultReply> answer_result(const Context& context,
                                                                    const RequestContextPtr& call,
                                                                    ReplyTo reply);
/// Answers a result that was just made, with its Location.
void answer_new_result(const Context& context, const ReplyTo& reply, Expected<actors::ResultReply> done);

/// Filters by a word of an enum; another word is a fault.
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
