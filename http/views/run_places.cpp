#include "http/views/run_places.hpp"

#include <algorithm>

#include "model/outcome/state_letter.hpp"

namespace parley::http {
namespace {

constexpr std::size_t runs_max = 8;

}  // namespace

RunPlaces::Known* RunPlaces::known(const store::Snapshot& snapshot, const Id& run) {
  if (const auto found = runs_.find(run); found != runs_.end()) return &found->second;
  const auto record = snapshot.find<Run>(run);
  if (!record.ok() || !*record) return nullptr;
  auto cells = cells_of(snapshot, **record);
  if (!cells.ok()) return nullptr;
  if (runs_.size() >= runs_max) runs_.erase(runs_.begin());
  Known& made = runs_[run];
  made.rows = std::move(cells->rows);
  for (const Cell& cell : cells->cells) made.places[first_attempt(*cell.head)] = {cell.row, cell.n};
  return &made;
}

std::optional<Cell> RunPlaces::cell_of(const store::Snapshot& snapshot, const Id& run, ResultHead head) {
  if (head.retired_by) return std::nullopt;
  Known* of_run = known(snapshot, run);
  if (of_run == nullptr) return std::nullopt;
  const Id first = first_attempt(head);
  auto place = of_run->places.find(first);
  if (place == of_run->places.end()) {
    const auto is_row = [&](const CellRow& row) {
      return row.test == (head.test ? std::optional(head.test->id) : std::nullopt) &&
             row.personality == (head.personality ? std::optional(head.personality->id) : std::nullopt);
    };
    auto row = std::find_if(of_run->rows.begin(), of_run->rows.end(), is_row);
    if (row == of_run->rows.end()) {
      CellRow made;
      if (head.test) made.test = head.test->id;
      if (head.personality) made.personality = head.personality->id;
      row = of_run->rows.insert(of_run->rows.end(), made);
    }
    const auto number = static_cast<std::size_t>(row - of_run->rows.begin());
    place = of_run->places.emplace(first, Place{number, ++row->present}).first;
  }
  Cell cell;
  cell.row = place->second.row;
  cell.n = place->second.n;
  cell.state = state_letter(head);
  cell.head = std::make_unique<const ResultHead>(std::move(head));
  return cell;
}

}  // namespace parley::http
