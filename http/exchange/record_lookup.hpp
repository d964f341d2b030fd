#pragma once
/// Maps paths to records and back (D4): 404 for an unknown id and for text that is not an id; the path of a new
/// record. Any thread.

#include <string>
#include <string_view>

#include "http/exchange/reply.hpp"
#include "http/exchange/request_context.hpp"
#include "http/protocol/percent.hpp"
#include "model/expected.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// Problem: not_found, with the id as written in the path; internal if lists show the record, because then it was
/// lost (I13).
template <store::Stamped T>
[[nodiscard]] Expected<T> record_at(const store::Snapshot& snapshot, std::string_view id_text) {
  const auto id = id_from_text(id_text);
  if (!id) return unknown_record(noun_of(T::kind), id_text);
  TRY(found, snapshot.find_listed<T>(*id));
  if (!found) return unknown_record(noun_of(T::kind), id_text);
  return std::move(*found);
}

/// The record that an idempotency record names (D9). Problem: not_found if it has since been deleted.
template <store::Stamped T>
[[nodiscard]] Expected<T> kept_record(const store::Snapshot& snapshot, const std::vector<Id>& ids) {
  return record_at<T>(snapshot, to_text(ids.front()));
}

/// The path of a new record in the called collection, for Location. `id` is written as the record shows it.
[[nodiscard]] inline std::string location_of(const RequestContext& call, std::string_view id) {
  std::string_view path = call.path;
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  return safe_in_link(path).append("/").append(id);
}
[[nodiscard]] inline std::string location_of(const RequestContext& call, const Id& id) {
  return location_of(call, to_text(id));
}

/// Whether the request names a state that the record must still have when its change is decided. `If-Match: *` only
/// requires that the record exists (RFC 9110 section 13.1.1), so concurrent changes do no harm.
[[nodiscard]] inline bool names_state(const RequestContext& call) {
  return !call.if_match.empty() && call.if_match != "*";
}

/// Problem: 412 for a change with `If-None-Match: *`, which applies only to a resource that does not exist yet (RFC
/// 9110 section 13.1.2). Needs: the record exists.
[[nodiscard]] inline Expected<Done> check_may_exist(const RequestContext& call) {
  if (!call.is_change || call.if_none_match != "*") return Done{};
  return problem(ProblemKind::precondition_failed, "the record exists, which If-None-Match: * forbids");
}

/// Problem: 412 if the request has an If-Match that does not match `shown`, which is the record as GET shows it now
/// (D12).
[[nodiscard]] inline Expected<Done> check_if_match(const RequestContext& call, std::string_view shown) {
  if (call.if_match.empty() || names_tag(call.if_match, entity_tag(shown))) return Done{};
  return changed_meanwhile();
}

/// The same for `show`, which renders the record and is called only if the request names a state.
template <class Show>
[[nodiscard]] Expected<Done> check_state(const RequestContext& call, const Show& show) {
  if (!names_state(call)) return Done{};
  const Expected<std::string> shown = show();
  return shown ? check_if_match(call, *shown) : Expected<Done>(shown.problem());
}

}  // namespace parley::http
