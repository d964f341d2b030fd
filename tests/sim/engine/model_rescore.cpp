// The sequential model: the content of a verdict (D33, D34), and how a rescore changes it (docs/reference/scoring.md).

#include <algorithm>

#include "tests/sim/engine/model_parts.hpp"

namespace parley::sim {
namespace {

/// Whether the chatbot said the text.
bool has_said(const One& one, Asks asks) {
  return std::any_of(one.talk.begin(), one.talk.end(), [&](const Said& said) {
    if (said.sort != Said::Sort::message) return false;
    const bool is_posted = said.token < turn_base;
    if (asks == Asks::posted) return is_posted;
    return asks == Asks::hello ? said.says_hello : !is_posted && !said.says_hello;
  });
}

/// Code decides what it can decide; a criterion keeps the verdict that was given to the same words.
Ruled ruled_of(const One& one, const Row& wished) {
  if (wished.asks < Asks::clause) return has_said(one, wished.asks) ? Ruled::passed : Ruled::failed;
  const auto same = std::find_if(one.rows.begin(), one.rows.end(), [&](const Row& row) {
    return row.rule == wished.rule && row.asks == wished.asks;
  });
  return same == one.rows.end() ? Ruled::skipped : same->ruled;
}

/// D41: each requested row replaces the row with the same name; the others are appended.
std::vector<Row> laid_over(const One& one, const Wish& wish) {
  std::vector<Row> rows = one.rows;
  for (Row wished : wish.rows) {
    wished.ruled = ruled_of(one, wished);
    const auto place =
        std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.rule == wished.rule; });
    if (place == rows.end()) {
      rows.push_back(wished);
    } else {
      *place = wished;
    }
  }
  return rows;
}

/// Counts the assertions whose status changed or that are new.
std::size_t flips_of(const std::vector<Row>& before, const std::vector<Row>& after) {
  std::size_t flips = 0;
  for (const Row& row : after) {
    const bool stood = std::any_of(before.begin(), before.end(), [&](const Row& other) {
      return other.rule == row.rule && other.ruled == row.ruled;
    });
    flips += stood ? 0U : 1U;
  }
  return flips;
}

}  // namespace

void complete(One& one, const Facts& facts) {
  one.status = Status::completed;
  if (!facts.knows_verdicts) return;
  one.rows.assign(1, {});
  one.rows.front().ruled = ruled_of(one, one.rows.front());
  const auto judged = facts.judged.find(one.name);
  if (judged != facts.judged.end()) {
    for (const Ruled ruled : judged->second) {
      const bool is_first = one.rows.size() == 1;
      const Gravity gravity = is_first ? Gravity::major : Gravity::blocker;
      one.rows.push_back(
          {is_first ? Rule::rule0 : Rule::rule1, Asks::clause, gravity, is_first ? 3 : 5, ruled});
    }
  }
  one.total = total_of(one.rows);
}

/// Only a completed result can be rescored. The change is saved unless the result was rescored after the decision; a
/// preview and a rescore that changes nothing are never saved.
std::vector<Effect> rescore(const Shape& shape, const Op& op, bool is_key_kept) {
  const One& one = *shape.find(op.target);
  if (op.based_on == no_version) return {};
  const Effect refused{shape, {409, 0}};
  if (one.status != Status::completed) return {refused};
  const Wish wish = wish_of(op.value);
  if (one.rescored > op.based_on && !wish.is_preview) return {refused};
  if (one.rescored != op.based_on) return {};
  const std::vector<Row> rows = laid_over(one, wish);
  const Total total = total_of(rows);
  const bool is_saved = !wish.is_preview && rows != one.rows;
  const auto detail = rescore_detail(one.total, total, flips_of(one.rows, rows), is_saved);
  if (!is_saved) return {{shape, {200, detail}}};
  if (is_key_kept) return {refused};
  Shape after = shape;
  One& mine = *after.find(op.target);
  mine.rows = rows;
  mine.total = total;
  ++mine.rescored;
  if (op.has_key) after.kept |= std::uint64_t{1} << op.token;
  return {{std::move(after), {200, detail}}};
}

}  // namespace parley::sim
