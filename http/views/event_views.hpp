#pragma once
/// Turns commits into events of a stream: `run`, `cells`, `result`, `entry`, `agent`, `record`. Only the events actor
/// calls it.
///
///   run     {id, status, counts, rev}
///   cells   {run, rev, the columns of GET /runs/{id}/cells}; only {run, rev} if more than 500 cells changed
///   result  {id, run, state, turn, entries, endReason, rev}
///   entry   {result, entry}, or {result, id} for an entry larger than 16 KiB
///   agent, record  {id, kind, what}    what: created, changed or deleted

#include <map>
#include <set>

#include "actors/streams/event_stream.hpp"
#include "http/views/run_places.hpp"

namespace parley::http {

class EventViews final : public actors::EventRenderer {
 public:
  [[nodiscard]] std::vector<actors::StreamEvent> render(const store::Snapshot& snapshot,
                                                        const std::vector<actors::Moved>& moved,
                                                        const Wanted& wanted) override;
  [[nodiscard]] std::vector<Id> touched_runs() const override { return {touched_.begin(), touched_.end()}; }
  [[nodiscard]] std::optional<actors::StreamEvent> render_run(const store::Snapshot& snapshot,
                                                              const Id& run) override;
  [[nodiscard]] std::string framed(std::string_view text) const override;

 private:
  struct Work;

  void take(Work& work, const actors::Moved& moved);
  void take_result(Work& work, const actors::Moved& moved);
  void emit_record(Work& work, const actors::Moved& moved, std::vector<actors::Topic> topics);
  void emit_result(Work& work, const ResultHead& head);
  void emit_entry(Work& work, const ResultHead& head, std::uint32_t ordinal);
  void emit_cells(Work& work, const Id& run, const std::vector<ResultHead>& heads);

  RunPlaces places_;
  std::set<Id> touched_;
};

}  // namespace parley::http
