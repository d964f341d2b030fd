#include "store/views/views.hpp"

#include <algorithm>

#include "model/check.hpp"

namespace parley::store {
namespace {

using Rows = std::vector<FacetRow>;

constexpr FacetRow all_row{Facet::all, nil_value};

/// Adds a row for a link, if the link is set.
template <class Link>
void add_link(Rows& rows, Facet facet, const std::optional<Link>& link) {
  if (link) rows.push_back({facet, value_of(link->id)});
}

/// Adds a row for the project whose files own the record.
void add_project(Rows& rows, const Applied& applied) {
  if (applied.project) rows.push_back({Facet::project, value_of(std::string_view(*applied.project))});
}

}  // namespace

Rows facets_of(const Scenario& record) {
  Rows rows{all_row};
  add_project(rows, record.applied);
  for (const auto& folder : record.folders) rows.push_back({Facet::folder, value_of(folder.id)});
  add_link(rows, Facet::created_by, record.created_by);
  if (!record.folders.empty()) {
    rows.push_back({Facet::visible, nil_value});
  } else {
    add_link(rows, Facet::visible, record.created_by);
  }
  return rows;
}

Rows facets_of(const Test& record) {
  Rows rows{all_row, {Facet::scenario, value_of(record.scenario.id)}};
  const auto parent = record.parent_test ? id_from_text(*record.parent_test) : std::nullopt;
  if (parent) rows.push_back({Facet::parent_test, value_of(*parent)});
  for (const std::string& tag : record.tags) {
    const FacetRow row{Facet::tag, value_of(std::string_view(tag))};
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
  }
  add_project(rows, record.applied);
  return rows;
}

Rows facets_of(const Agent& record) {
  Rows rows{all_row, {Facet::type, value_of(std::string_view(record.type))}};
  add_link(rows, Facet::owner, record.owner);
  add_project(rows, record.applied);
  return rows;
}

Rows facets_of(const Personality& record) {
  Rows rows{all_row};
  add_project(rows, record.applied);
  return rows;
}
Rows facets_of(const Folder&) {
  return {all_row};
}
Rows facets_of(const RunGroup&) {
  return {all_row};
}
Rows facets_of(const User&) {
  return {all_row};
}
Rows facets_of(const Tag& record) {
  Rows rows{all_row};
  if (record.is_smart) rows.push_back({Facet::smart, nil_value});
  return rows;
}
Rows facets_of(const ScenarioConfiguration& record) {
  Rows rows{all_row};
  add_project(rows, record.applied);
  return rows;
}
Rows facets_of(const ScheduledRun& record) {
  return {all_row, {Facet::scheduled, value_of(record.is_enabled || record.starting.has_value())}};
}
Rows facets_of(const Webhook&) {
  return {all_row};
}
Rows facets_of(const ApiKey& record) {
  return {all_row, {Facet::owner, value_of(record.user.id)}};
}

Rows facets_of(const ExternalLog& record) {
  Rows rows{all_row, {Facet::external_id, value_of(std::string_view(record.external_id))}};
  if (!record.external_source.empty()) {
    rows.push_back({Facet::external_source, value_of(std::string_view(record.external_source))});
  }
  for (const auto& tag : record.tags) rows.push_back({Facet::tag, value_of(tag.id)});
  for (const auto& agent : record.agents) rows.push_back({Facet::linked_agent, value_of(agent.id)});
  return rows;
}

Rows facets_of(const Run& record) {
  Rows rows{all_row,
            {Facet::scenario, value_of(record.scenario.id)},
            {Facet::agent, value_of(record.agent.id)},
            {Facet::status, value_of(word_of(record.status))},
            {Facet::scheduled, value_of(record.scheduled_run.has_value())}};
  add_link(rows, Facet::personality, record.personality);
  add_link(rows, Facet::created_by, record.created_by);
  add_link(rows, Facet::run_group, record.run_group);
  if (is_under_way(record.hallucination_status)) rows.push_back({Facet::detecting, nil_value});
  return rows;
}

Rows facets_of(const ResultHead& record) {
  Rows rows{
      all_row, {Facet::agent, value_of(record.agent.id)}, {Facet::status, value_of(word_of(record.status))}};
  add_link(rows, Facet::run, record.run);
  add_link(rows, Facet::test, record.test);
  if (!is_terminal(record.status)) add_link(rows, Facet::live_of_run, record.run);
  if (record.is_owed()) rows.push_back({Facet::owed, nil_value});
  const bool is_waiting =
      record.status == ResultStatus::pending && !record.is_server_driven && !record.is_manual;
  if (is_waiting) rows.push_back({Facet::waiting, value_of(record.agent.id)});
  return rows;
}

Slice slice_of(RecordKind kind, const FacetRow& row, Shelf shelf) {
  const bool is_live = row.facet == Facet::owed || row.facet == Facet::live_of_run ||
                       row.facet == Facet::waiting || row.facet == Facet::detecting;
  return {kind, row.facet, row.value, is_live ? Shelf::current : shelf};
}

void add_rows(ViewChanges& changes, RecordKind kind, const Id& id, Shelf shelf, const Rows& rows,
              std::int64_t times) {
  for (const FacetRow& row : rows) {
    const Slice slice = slice_of(kind, row, shelf);
    changes.index[index_key(slice, id)] += times;
    changes.counts[slice_key(slice)] += times;
  }
}

void add_shares(ViewChanges& changes, const ResultHead& head, std::int64_t times) {
  if (!head.run) return;
  const Id& run = head.run->id;
  add(changes.runs[run], run_share(head), times);
  add(changes.cases[{run, head.test ? head.test->id : Id{}}], case_share(head), times);
}

void add_sums(ViewChanges& sums, const ViewChanges& more) {
  for (const auto& [key, change] : more.counts) sums.counts[key] += change;
  for (const auto& [run, share] : more.runs) add(sums.runs[run], share, 1);
  for (const auto& [place, share] : more.cases) add(sums.cases[place], share, 1);
}

void drop_common(Rows& before, Rows& after) {
  std::erase_if(before, [&after](const FacetRow& row) {
    const auto same = std::find(after.begin(), after.end(), row);
    if (same == after.end()) return false;
    after.erase(same);
    return true;
  });
}

void settle(ViewChanges& changes) {
  std::erase_if(changes.index, [](const auto& row) { return row.second == 0; });
  std::erase_if(changes.counts, [](const auto& row) { return row.second == 0; });
  std::erase_if(changes.runs, [](const auto& row) { return is_zero(row.second); });
  std::erase_if(changes.cases, [](const auto& row) { return is_zero(row.second); });
}

}  // namespace parley::store
