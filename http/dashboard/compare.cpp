// Compares two runs trial by trial, and two conversations turn by turn.

#include <algorithm>
#include <map>

#include "http/dashboard/dashboard_handlers.hpp"
#include "http/exchange/record_lookup.hpp"
#include "http/lists/page.hpp"
#include "http/views/conversation_diff.hpp"
#include "http/views/link.hpp"
#include "http/views/result_view.hpp"
#include "http/views/run_cells.hpp"
#include "model/description/record_write.hpp"
#include "model/records/external_log.hpp"
#include "scoring/review.hpp"

namespace parley::http {
namespace {

using RowKey = std::pair<std::optional<Id>, std::optional<Id>>;
/// The cells of both runs in one row.
struct Pairs {
  std::vector<const Cell*> a;
  std::vector<const Cell*> b;
};
using PairsByRow = std::map<RowKey, Pairs>;

void add_cells(const RunCells& cells, const std::optional<Id>& test, std::vector<const Cell*> Pairs::*side,
               PairsByRow& pairs) {
  for (const Cell& cell : cells.cells) {
    const CellRow& row = cells.rows[cell.row];
    if (!test || row.test == test) (pairs[{row.test, row.personality}].*side).push_back(&cell);
  }
}

void write_trial(json::Writer& out, std::string_view name, const std::vector<const Cell*>& cells,
                 std::size_t i) {
  out.key(name);
  if (i >= cells.size()) {
    out.null();
    return;
  }
  const Cell& cell = *cells[i];
  out.begin_object().member("id", to_text(cell.head->stamp.id)).member("state", std::string(1, cell.state));
  out.key("score").integer(cell.head->score).end_object();
}

void write_link_or_null(json::Writer& out, std::string_view name, RecordKind kind,
                        const std::optional<Id>& id, const Linker& linker) {
  out.key(name);
  id ? linker.append(out, kind, *id) : static_cast<void>(out.null());
}

Expected<std::vector<Entry>> entries_of(const store::Snapshot& snapshot, const ResultHead& head) {
  std::vector<Entry> entries;
  std::optional<Problem> fault;
  const auto visit = [&](std::uint32_t, const store::StoredEntry& stored) {
    auto entry = entry_from_stored(stored.json);
    if (entry.ok()) {
      entries.push_back(std::move(entry).value());
    } else {
      fault = std::move(entry).problem();
    }
    return !fault;
  };
  TRY_DONE(snapshot.for_each_entry(head, visit));
  if (fault) return *fault;
  return entries;
}

void write_turn(json::Writer& out, const DiffedTurn& turn) {
  out.begin_object().key("turn").integer(turn.turn);
  out.member("tester", word_of_likeness(turn.tester)).member("tools", word_of_likeness(turn.tools));
  out.member("actions", word_of_likeness(turn.actions)).member("events", word_of_likeness(turn.events));
  out.member("agent", word_of_likeness(turn.agent));
  for (const auto& [name, ids] : {std::pair("a", &turn.a), std::pair("b", &turn.b)}) {
    out.key(name).begin_array();
    for (const Id& id : *ids) out.string(to_text(id));
    out.end_array();
  }
  out.end_object();
}

/// The conversation of a result or of an external log.
struct Conversation {
  std::string head;  ///< the JSON members other than the conversation
  std::vector<Entry> entries;
  std::optional<EndReason> end;
  std::vector<AssertionResult> verdict;
};

Conversation conversation_of(const store::Snapshot& snapshot, const ExternalLog& log) {
  Conversation made;
  const SnapshotLinker linker(snapshot);
  json::Writer out;
  out.begin_object();
  RecordWriter writer(out, WriteMode::minimal, &linker);
  ExternalLog::describe(log, writer);
  out.end_object();
  made.head = std::move(out).text();
  made.entries = parley::entries_of(log);
  if (log.assertion_results) made.verdict = scoring::results_of({*log.assertion_results, {}, {}});
  return made;
}

Expected<Conversation> conversation_of(const store::Snapshot& snapshot, const ResultHead& result) {
  Conversation made;
  TRY(head, result_head_json(snapshot, result));
  TRY(entries, entries_of(snapshot, result));
  TRY(verdict, snapshot.verdict(result));
  made.head = std::move(head);
  made.entries = std::move(entries);
  made.end = result.end_reason;
  if (verdict) made.verdict = scoring::results_of(*verdict);
  return made;
}

Expected<Conversation> conversation_at(const store::Snapshot& snapshot, const std::string& id_text) {
  if (const auto id = id_from_text(id_text)) {
    TRY(log, snapshot.find<ExternalLog>(*id));
    if (log) return conversation_of(snapshot, *log);
  }
  TRY(result, record_at<ResultHead>(snapshot, id_text));
  return conversation_of(snapshot, result);
}

/// Writes the assertions whose status differs. An assertion that only one side has is null on the other side.
void write_flips(json::Writer& out, const std::vector<AssertionResult>& rows_before,
                 const std::vector<AssertionResult>& rows_after) {
  out.key("flips").begin_array();
  const auto write = [&](const Assertion& assertion, const AssertionResult* one, const AssertionResult* two) {
    if (one != nullptr && two != nullptr && one->status == two->status) return;
    const auto word = [](const AssertionResult* row) {
      return row == nullptr ? std::nullopt : std::optional(std::string(word_of(row->status)));
    };
    out.begin_object().key("assertion").begin_object().member("id", assertion.id);
    out.member_or_null("name", assertion.name).member("type", assertion.type).end_object();
    out.member_or_null("before", word(one)).member_or_null("after", word(two)).end_object();
  };
  const auto find = [](const std::vector<AssertionResult>& rows, const Assertion& like) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const AssertionResult& row) {
      return row.assertion.id == like.id || (like.name && row.assertion.name == like.name);
    });
    return found == rows.end() ? nullptr : &*found;
  };
  for (const AssertionResult& row : rows_before) write(row.assertion, &row, find(rows_after, row.assertion));
  for (const AssertionResult& row : rows_after) {
    if (find(rows_before, row.assertion) == nullptr) write(row.assertion, nullptr, &row);
  }
  out.end_array();
}

}  // namespace

Expected<Reply> compare_trials(const Context&, const store::Snapshot& snapshot, const RequestContext& call,
                               const Run& before, const Run& after) {
  QueryReader reader(call.query);
  const auto test = reader.id("test", RecordKind::test);
  TRY_DONE(reader.result());
  if (call.is_interactive) return cut_short();
  TRY(a, cells_of(snapshot, before));
  TRY(b, cells_of(snapshot, after));
  PairsByRow pairs;
  add_cells(a, test, &Pairs::a, pairs);
  add_cells(b, test, &Pairs::b, pairs);
  const SnapshotLinker linker(snapshot);
  json::Writer out;
  out.begin_object().key("tests").begin_array();
  for (const auto& [row, sides] : pairs) {
    out.begin_object();
    write_link_or_null(out, "test", RecordKind::test, row.first, linker);
    write_link_or_null(out, "personality", RecordKind::personality, row.second, linker);
    out.key("trials").begin_array();
    for (std::size_t i = 0; i < std::max(sides.a.size(), sides.b.size()); ++i) {
      out.begin_object().key("n").integer(static_cast<std::int64_t>(i) + 1);
      write_trial(out, "a", sides.a, i);
      write_trial(out, "b", sides.b, i);
      out.end_object();
    }
    out.end_array().end_object();
  }
  out.end_array().end_object();
  return tagged_reply(std::move(out).text(), call.if_none_match);
}

Expected<Reply> compare_results(const Context&, const store::Snapshot& snapshot, const RequestContext& call) {
  if (call.is_interactive) return cut_short();
  TRY(a, conversation_at(snapshot, call.path_values.at(0)));
  TRY(b, conversation_at(snapshot, call.path_values.at(1)));
  const ConversationDiff diff = diff_of({a.entries, a.end}, {b.entries, b.end});
  json::Writer out;
  out.begin_object().key("a").raw(a.head).key("b").raw(b.head);
  out.key("turns").begin_array();
  for (const DiffedTurn& turn : diff.turns) write_turn(out, turn);
  out.end_array().key("structural");
  if (diff.structural) {
    out.begin_object().key("turn").integer(diff.structural->turn).member("what", diff.structural->what);
    out.member("says", diff.structural->says).end_object();
  } else {
    out.null();
  }
  out.key("wording");
  diff.wording ? out.integer(*diff.wording) : out.null();
  write_flips(out, a.verdict, b.verdict);
  out.end_object();
  return tagged_reply(std::move(out).text(), call.if_none_match);
}

}  // namespace parley::http
