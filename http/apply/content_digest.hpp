#pragma once
/// Digests the content of a record that is owned by files, and lists the differences between two records (D110).
/// Pure; any thread.

#include "http/apply/apply_plan.hpp"
#include "model/description/record_write.hpp"
#include "model/records/agent.hpp"
#include "model/records/external_log.hpp"
#include "model/records/named_records.hpp"
#include "model/records/scenario.hpp"
#include "model/records/scenario_configuration.hpp"
#include "model/records/test.hpp"

namespace parley::http {

/// The digest of the content as 16 hex digits.
[[nodiscard]] std::string digest_text(std::string_view content);

/// The record without the parts that its files do not set: times, owner, heartbeats, folders. Sealed secrets differ
/// from write to write, so they do not count.
template <class T>
[[nodiscard]] T content_of(T record) {
  record.stamp = {};
  record.applied = {};
  if constexpr (std::same_as<T, Agent>) {
    record.secrets = {};
    record.owner.reset();
    record.unique_identifier.reset();
    record.last_seen_at.reset();
  }
  if constexpr (std::same_as<T, Scenario>) {
    record.created_by.reset();
    record.folders.clear();
    record.baselines = {};  // the page sets them
  }
  return record;
}

template <class T>
[[nodiscard]] std::string content_digest(const T& record) {
  return digest_text(write_stored(content_of(record)));
}

/// The members that differ between two JSON objects.
[[nodiscard]] std::vector<FieldChange> differing_members(const std::string& now, const std::string& file);

/// The fields whose value changes. A changed secret is reported as `/secrets` with masked values.
template <class T>
[[nodiscard]] std::vector<FieldChange> changed_fields(const T& before, const T& after) {
  auto fields = differing_members(write_stored(content_of(before)), write_stored(content_of(after)));
  if constexpr (std::same_as<T, Agent>) {
    if (before.secrets != after.secrets) fields.push_back({"/secrets", R"("***")", R"("***")"});
  }
  return fields;
}

}  // namespace parley::http
