// POST /runs/{id}/grep: searches the conversations of a run for a text or pattern. One step reads a bounded number of
// bytes on a background thread; the client then requests the next step.

#include <algorithm>

#include "http/dashboard/dashboard_handlers.hpp"
#include "http/dashboard/entry_texts.hpp"
#include "http/lists/page.hpp"
#include "model/pattern/pattern.hpp"
#include "scoring/support/quotes.hpp"

namespace parley::http {
namespace {

constexpr std::size_t results_max = 100;  ///< results with matches in one step
constexpr std::size_t matches_max = 20;   ///< matches in one result
constexpr std::size_t step_bytes_max = 32 * 1024 * 1024;
constexpr Steps step_steps_max = 1'000'000'000;

/// The text or pattern to search for.
class Needle {
 public:
  [[nodiscard]] static Expected<Needle> of(const GrepBody& body) {
    Needle made;
    if (body.text.has_value() == body.pattern.has_value())
      return body_fault("", "must have either text or pattern");
    if (body.text) made.text_ = scoring::comparable(*body.text, by_case);
    if (body.pattern) {
      auto pattern = Pattern::compile(*body.pattern);
      if (!pattern) return body_fault("/pattern", pattern.problem().detail);
      made.pattern_.emplace(std::move(pattern).value());
    }
    return made;
  }
  /// The match in the text; nullopt if nothing matches or the remaining step budget is too small.
  [[nodiscard]] std::optional<scoring::Span> in(std::string_view text) {
    if (!pattern_) {
      if (!scoring::holds(scoring::comparable(text, by_case), text_)) return std::nullopt;
      return scoring::place_of(text, text_, by_case).value_or(scoring::Span{});
    }
    if (pattern_->search(text, steps_) != Found::yes) return std::nullopt;
    const auto place = pattern_->place(text);
    return place ? scoring::Span{place->first, place->second} : scoring::Span{};
  }

 private:
  static constexpr scoring::Ignored by_case{.letter_case = true};
  std::string text_;
  std::optional<Pattern> pattern_;
  Steps steps_ = step_steps_max;
};

bool is_in(const store::StoredEntry& entry, GrepPlace place) {
  switch (place) {
    case GrepPlace::all: return true;
    case GrepPlace::chatbot: return entry.type == EntryType::message && entry.role == Role::chatbot;
    case GrepPlace::tester: return entry.role == Role::tester;
    case GrepPlace::tools: return entry.type == EntryType::tool;
    case GrepPlace::events: return is_event(entry.type);
  }
  return false;
}

struct Match {
  Quote quote;
  std::int64_t number = 0;
  std::int64_t turn = 0;
};

/// One step of the search.
struct Step {
  Needle needle;
  GrepPlace place = GrepPlace::all;
  std::size_t bytes = 0;
};

Expected<std::vector<Match>> matches_in(const store::Snapshot& snapshot, const ResultHead& head, Step& step) {
  std::vector<Match> matches;
  std::int64_t number = 0;
  const auto visit = [&](std::uint32_t, const store::StoredEntry& entry) {
    step.bytes += entry.json.size();
    if (is_in(entry, step.place)) {
      for_each_text(entry.json, [&](std::string_view at, std::string_view text) {
        if (const auto span = step.needle.in(text))
          matches.push_back({scoring::quote_of(entry.id, at, text, *span), number, entry.turn});
        return matches.size() < matches_max;
      });
    }
    ++number;
    return matches.size() < matches_max;
  };
  TRY_DONE(snapshot.for_each_entry(head, visit));
  return matches;
}

void write_row(json::Writer& out, const ResultHead& head, const std::vector<Match>& matches) {
  out.begin_object().member("result", to_text(head.stamp.id));
  out.member_or_null("test", head.test ? std::optional(to_text(head.test->id)) : std::nullopt);
  out.key("matches").begin_array();
  for (const Match& match : matches) {
    out.begin_object().member("entry", match.quote.entry).key("number").integer(match.number);
    out.key("turn").integer(match.turn).member("at", match.quote.at).member("text", match.quote.text);
    out.key("nth").integer(match.quote.nth).end_object();
  }
  out.end_array().end_object();
}

Expected<Reply> grep_reply(const store::Snapshot& snapshot, const Id& run, const Id& after, Step step) {
  store::ListQuery query = list_of(RecordKind::test_result);
  add_filter(query, store::Facet::run, {store::value_of(run)});
  TRY(ids, store::all_ids(snapshot, query));
  std::optional<Id> next;
  std::size_t rows = 0;
  json::Writer out;
  out.begin_object().key("data").begin_array();
  for (auto id = std::upper_bound(ids.begin(), ids.end(), after); id != ids.end(); ++id) {
    TRY(head, snapshot.find<ResultHead>(*id));
    if (!head) continue;
    TRY(matches, matches_in(snapshot, *head, step));
    if (!matches.empty()) {
      write_row(out, *head, matches);
      ++rows;
    }
    const bool is_full = rows == results_max || step.bytes > step_bytes_max;
    if (is_full && std::next(id) != ids.end()) {
      next = *id;
      break;
    }
  }
  out.end_array().member_or_null("next", next ? std::optional(to_text(*next)) : std::nullopt);
  out.end_object();
  return json_reply(std::move(out).text());
}

}  // namespace

void grep_run(const Context& context, const store::Snapshot&, const RequestContextPtr& call, ReplyTo reply,
              const Run& run, const GrepBody& body) {
  static_cast<void>(call);
  auto needle = Needle::of(body);
  if (!needle) return reply(std::move(needle).problem());
  Id after;
  if (body.after) {
    const auto id = id_from_text(*body.after);
    if (!id) return reply(body_fault("/after", "must be `next` of an answer"));
    after = *id;
  }
  const auto step = std::make_shared<Step>(Step{std::move(needle).value(), body.in, 0});
  context.gateway.in_background([&context, reply, step, after, run = run.stamp.id](Expected<Done> turn) {
    if (!turn.ok()) return reply(std::move(turn).problem());
    reply(grep_reply(context.store.snapshot(), run, after, std::move(*step)));
  });
}

}  // namespace parley::http
