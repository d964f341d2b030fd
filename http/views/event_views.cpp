#include "http/views/event_views.hpp"

#include <algorithm>

#include "http/views/cell_columns.hpp"
#include "model/outcome/state_letter.hpp"

namespace parley::http {
namespace {

using actors::Moved;
using actors::StreamEvent;
using actors::Topic;
using actors::TopicKind;

constexpr std::size_t cells_reported_max = 500;
constexpr std::size_t entry_bytes_max = 16 * 1024;

std::string_view what_of(const Moved& moved) {
  if (moved.is_erased) return "deleted";
  return moved.is_new ? "created" : "changed";
}

}  // namespace

/// State of one call of render().
struct EventViews::Work {
  const store::Snapshot& snapshot;
  const Wanted& wanted;
  std::vector<StreamEvent> events{};
  std::set<Id> results{};                           ///< already reported
  std::map<Id, std::vector<ResultHead>> of_runs{};  ///< changed results of watched runs

  [[nodiscard]] bool wants_run(const Id& run) const {
    return wanted({TopicKind::runs, {}}) || wanted({TopicKind::run, run});
  }
};

std::vector<StreamEvent> EventViews::render(const store::Snapshot& snapshot, const std::vector<Moved>& moved,
                                            const Wanted& wanted) {
  touched_.clear();
  Work work{snapshot, wanted};
  for (const Moved& each : moved) take(work, each);
  for (const auto& [run, heads] : work.of_runs) emit_cells(work, run, heads);
  return std::move(work.events);
}

void EventViews::take(Work& work, const Moved& moved) {
  switch (moved.kind) {
    case RecordKind::test_result: return take_result(work, moved);
    case RecordKind::run:
      if (moved.is_erased)
        return emit_record(work, moved, {{TopicKind::runs, {}}, {TopicKind::run, moved.id}});
      if (work.wants_run(moved.id)) touched_.insert(moved.id);
      return;
    case RecordKind::agent: return emit_record(work, moved, {{TopicKind::agents, {}}});
    case RecordKind::user:
    case RecordKind::webhook:
    case RecordKind::api_key: return;  // not visible to every user
    case RecordKind::scenario:
    case RecordKind::test:
    case RecordKind::personality:
    case RecordKind::folder:
    case RecordKind::tag:
    case RecordKind::run_group:
    case RecordKind::scheduled_run:
    case RecordKind::scenario_configuration:
    case RecordKind::external_log:
      return emit_record(work, moved, {{TopicKind::records, {}}, {TopicKind::runs, {}}});
  }
}

void EventViews::emit_record(Work& work, const Moved& moved, std::vector<Topic> topics) {
  if (std::none_of(topics.begin(), topics.end(), work.wanted)) return;
  json::Writer out;
  out.begin_object().member("id", to_text(moved.id)).member("kind", noun_of(moved.kind));
  out.member("what", what_of(moved)).end_object();
  const bool is_agent = moved.kind == RecordKind::agent;
  work.events.push_back({std::move(topics), is_agent ? "agent" : "record", std::move(out).text()});
}

void EventViews::take_result(Work& work, const Moved& moved) {
  const auto head = work.snapshot.find<ResultHead>(moved.id);
  if (!head.ok()) return;
  if (!*head) {
    places_.forget_all();
    if (!moved.entry) emit_record(work, moved, {{TopicKind::result, moved.id}, {TopicKind::runs, {}}});
    return;
  }
  const bool is_watched = work.wanted({TopicKind::result, moved.id});
  if (moved.entry && is_watched) emit_entry(work, **head, *moved.entry);
  if (!work.results.insert(moved.id).second) return;
  if (is_watched) emit_result(work, **head);
  if (!(*head)->run) return;
  const Id& run = (*head)->run->id;
  if (work.wants_run(run)) touched_.insert(run);
  if (work.wanted({TopicKind::run, run})) work.of_runs[run].push_back(**head);
}

void EventViews::emit_result(Work& work, const ResultHead& head) {
  const std::uint32_t entries = work.snapshot.entry_count(head.stamp.id);
  const auto last = entries == 0 ? Expected<std::optional<store::StoredEntry>>(std::nullopt)
                                 : work.snapshot.entry(head.stamp.id, entries - 1);
  const auto changed = work.snapshot.newest_change(head);
  json::Writer out;
  out.begin_object().member("id", to_text(head.stamp.id));
  out.member_or_null("run", head.run ? std::optional(to_text(head.run->id)) : std::nullopt);
  out.member("state", std::string(1, state_letter(head)));
  out.key("turn").integer(last.ok() && *last ? (*last)->turn : 0);
  out.key("entries").integer(entries);
  out.member_or_null("endReason",
                     head.end_reason ? std::optional(std::string(word_of(*head.end_reason))) : std::nullopt);
  out.key("rev").integer(changed.ok() ? changed->ms : head.stamp.updated_at.ms).end_object();
  work.events.push_back({{{TopicKind::result, head.stamp.id}}, "result", std::move(out).text()});
}

void EventViews::emit_entry(Work& work, const ResultHead& head, std::uint32_t ordinal) {
  const auto entry = work.snapshot.entry(head.stamp.id, ordinal);
  if (!entry.ok() || !*entry) return;
  json::Writer out;
  out.begin_object().member("result", to_text(head.stamp.id));
  if ((*entry)->json.size() > entry_bytes_max) {
    out.member("id", to_text((*entry)->id));
  } else {
    out.key("entry").raw((*entry)->json);
  }
  out.end_object();
  work.events.push_back({{{TopicKind::result, head.stamp.id}}, "entry", std::move(out).text()});
}

void EventViews::emit_cells(Work& work, const Id& run, const std::vector<ResultHead>& heads) {
  CellColumns columns;
  std::int64_t rev = 0;
  for (const ResultHead& head : heads) {
    rev = std::max(rev, head.stamp.updated_at.ms);
    if (heads.size() > cells_reported_max) continue;
    const auto cell = places_.cell_of(work.snapshot, run, head);
    if (!cell) continue;
    const auto figures = figures_of(work.snapshot, *cell);
    if (!figures.ok()) continue;
    rev = std::max(rev, figures->changed.ms);
    columns.add(*cell, *figures);
  }
  json::Writer out;
  out.begin_object().member("run", to_text(run)).key("rev").integer(rev);
  if (heads.size() <= cells_reported_max) columns.write(out);
  out.end_object();
  work.events.push_back({{{TopicKind::run, run}}, "cells", std::move(out).text()});
}

std::optional<StreamEvent> EventViews::render_run(const store::Snapshot& snapshot, const Id& run) {
  const auto found = snapshot.find<Run>(run);
  if (!found.ok() || !*found) return std::nullopt;
  const auto counters = snapshot.run_counters(run);
  if (!counters.ok()) return std::nullopt;
  json::Writer out;
  out.begin_object().member("id", to_text(run)).member("status", word_of((*found)->status));
  out.key("counts").begin_object();
  out.key("expected").integer((*found)->expected).key("total").integer(counters->total());
  out.key("pending").integer(counters->pending).key("running").integer(counters->running);
  out.key("completed").integer(counters->completed).key("failed").integer(counters->failed);
  out.key("canceled").integer(counters->canceled).key("passed").integer(counters->passed);
  out.key("notPassed").integer(counters->not_passed).key("undecided").integer(counters->undecided);
  out.end_object();
  out.key("rev").integer((*found)->stamp.updated_at.ms).end_object();
  return StreamEvent{{{TopicKind::runs, {}}, {TopicKind::run, run}}, "run", std::move(out).text()};
}

/// The text as one chunk (RFC 9112 section 7.1).
std::string EventViews::framed(std::string_view text) const {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string size;
  for (std::size_t left = text.size(); left > 0; left /= 16) size.insert(size.begin(), digits[left % 16]);
  return size + "\r\n" + std::string(text) + "\r\n";
}

}  // namespace parley::http
