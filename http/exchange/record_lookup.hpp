#pragma once
/// Between paths and records (D4): 404 for an unknown id and for text that cannot be an id; where a new
/// record is found. Any thread.

#include <string>
#include <string_view>

#include "http/exchange/reply.hpp"
#include "http/exchange/request_context.hpp"
#include "http/protocol/percent.hpp"
#include "model/expected.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// Problem: not_found, in the words of the path; internal where lists show it, so that it was lost (I13).
template <store::Stamped T>
[[nodiscard]] Expected<T> record_at(const store::Snapshot& snapshot, std::string_view id_text) {
  const auto id = id_from_text(id_text);
  if (!id) return unknown_record(noun_of(T::kind), id_text);
  TRY(found, snapshot.find_listed<T>(*id));
  if (!found) return unknown_record(noun_of(T::kind), id_text);
  return std::move(*found);
}

/// The record that a kept request was about (D9). Problem: not_found, where it was deleted since.
template <store::Stamped T>
[[nodiscard]] Expected<T> kept_record(const store::Snapshot& snapshot, const std::vector<Id>& ids) {
  return record_at<T>(snapshot, to_text(ids.front()));
}

/// The path of a record that was just made in the collection that was called; for Location.
[[nodiscard]] inline std::string location_of(const RequestContext& call, const Id& id) {
  std::string_view path = call.path;
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  return safe_in_link(path) + "/" + to_text(id);
}

/// Whether the request names a state that the record must still have where its change is decided. `If-Match: *` asks only
/// that there is a record (RFC 9110 13.1.1), so what comes between does no harm.
[[nodiscard]] inline bool names_state(const RequestContext& call) {
  return !call.if_match.empty() && call.if_match != "*";
}

/// Problem: 412 where the request has an If-Match that does not name `shown`, the record as GET shows it now (D12).
[[nodiscard]] inline Expected<Done> check_if_match(const RequestContext& call, std::string_view shown) {
  if (call.if_match.empty() || names_tag(call.if_match, entity_tag(shown))) return Done{};
  return changed_meanwhile();
}

/// The same with `show`, which renders the record as a Result and is called only where a state is named.
template <class Show>
[[nodiscard]] Expected<Done> check_state(const RequestContext& call, const Show& show) {
  if (!names_state(call)) return Done{};
  const Expected<std::string> shown = show();
  return shown ? check_if_match(call, *shown) : Expected<Done>(shown.problem());
}

}  // namespace parley::http
