#include "convert/traces/joined_log.hpp"

#include <algorithm>

#include "model/limits.hpp"

namespace parley::convert {
namespace {

bool is_answer(const LogEntry& entry) {
  return entry.type == LogEntry::Type::message && !entry.is_tester;
}

std::vector<std::string> answers_in(const std::vector<LogEntry>& entries) {
  std::vector<std::string> texts;
  for (const LogEntry& entry : entries) {
    if (is_answer(entry)) texts.push_back(entry.content);
  }
  return texts;
}

/// Whether both entries record the same message or call. The ids or the arguments of a call may be missing in one.
bool is_counterpart(const LogEntry& a, const LogEntry& b) {
  if (a.type != b.type || a.content != b.content || a.name != b.name) return false;
  if (a.type != LogEntry::Type::tool) return true;
  for (const std::string_view key : {"id", "arguments"}) {
    const std::string* of_a = find_member(a.metadata, key);
    const std::string* of_b = find_member(b.metadata, key);
    if (of_a != nullptr && of_b != nullptr) return *of_a == *of_b;
  }
  return true;
}

void add_missing(Members& into, const Members& more) {
  for (const auto& [key, value] : more) {
    if (find_member(into, key) == nullptr) into.emplace_back(key, value);
  }
}

/// Adds what only `more` has. Returns the number of answers in `more` that differ and are left out.
std::size_t add_entries(std::vector<LogEntry>& into, std::vector<LogEntry>&& more) {
  std::vector<bool> is_used(into.size(), false);
  std::vector<LogEntry> missing;
  std::size_t left_out = 0;
  std::size_t next = 0;  // both are usually in the same order
  for (LogEntry& entry : more) {
    std::size_t at = next;
    std::size_t compared = 0;
    while (compared < into.size() && (is_used[at] || !is_counterpart(into[at], entry))) {
      at = (at + 1) % into.size();
      ++compared;
    }
    if (compared < into.size()) {
      is_used[at] = true;
      next = (at + 1) % into.size();
      add_missing(into[at].metadata, entry.metadata);
    } else if (is_answer(entry)) {
      ++left_out;
    } else {
      missing.push_back(std::move(entry));
    }
  }
  const bool ends_with_answer = !into.empty() && is_answer(into.back());
  into.insert(into.end() - (ends_with_answer ? 1 : 0), std::make_move_iterator(missing.begin()),
              std::make_move_iterator(missing.end()));
  return left_out;
}

}  // namespace

std::vector<JoinedLog::Exchange> JoinedLog::exchanges_of(std::vector<LogEntry>&& entries) {
  std::vector<Exchange> out;
  for (LogEntry& entry : entries) {
    const bool is_users = entry.type == LogEntry::Type::message && entry.is_tester;
    if (is_users || out.empty()) out.emplace_back();
    if (is_users) {
      out.back().said = std::move(entry);
    } else {
      out.back().rest.push_back(std::move(entry));
    }
  }
  return out;
}

/// Whether the exchange of a history is this one. A window of the history may begin after the words of the user.
bool JoinedLog::is_same(const Exchange& known, const Exchange& repeated) {
  if (repeated.said) return known.said && known.said->content == repeated.said->content;
  const std::vector<std::string> all = answers_in(known.rest);
  const std::vector<std::string> some = answers_in(repeated.rest);
  return !some.empty() && std::all_of(some.begin(), some.end(), [&](const std::string& text) {
    return std::find(all.begin(), all.end(), text) != all.end();
  });
}

/// Whether the exchange has the answers of the known one and more: a turn that was recorded in several traces.
bool JoinedLog::goes_on(const Exchange& known, const Exchange& repeated) {
  const std::vector<std::string> before = answers_in(known.rest);
  const std::vector<std::string> after = answers_in(repeated.rest);
  return after.size() > before.size() && std::equal(before.begin(), before.end(), after.begin());
}

/// The largest number of exchanges that end the log and begin `later`. The last exchange of `later` is new, unless it
/// goes on with the last one of the log: a user may say the same words twice.
std::size_t JoinedLog::overlap_with(const std::vector<Exchange>& later) const {
  for (std::size_t count = std::min(exchanges_.size(), later.size()); count > 0; --count) {
    const auto first = exchanges_.end() - static_cast<std::ptrdiff_t>(count);
    const bool is_new = count < later.size() || goes_on(exchanges_.back(), later.back());
    if (is_new && std::equal(first, exchanges_.end(), later.begin(), is_same)) return count;
  }
  return 0;
}

void JoinedLog::merge(Exchange& known, Exchange&& repeated, bool is_last) {
  const std::size_t before = known.rest.size();
  if (answers_in(known.rest).empty() || (is_last && goes_on(known, repeated)))
    std::swap(known.rest, repeated.rest);
  other_texts_ += add_entries(known.rest, std::move(repeated.rest));
  entries_ += known.rest.size() - before;
}

void JoinedLog::add(LogDraft&& part) {
  const bool is_too_long = std::max(entries_, part.entries.size()) > limits::external_messages_max;
  std::vector<Exchange> later = exchanges_of(std::move(part.entries));
  // A log with too many entries is refused, so it need not be compared.
  const std::size_t overlap = is_too_long ? 0 : overlap_with(later);
  const std::size_t first = exchanges_.size() - overlap;
  for (std::size_t i = 0; i < overlap; ++i)
    merge(exchanges_[first + i], std::move(later[i]), i + 1 == later.size());
  for (std::size_t i = overlap; i < later.size(); ++i) {
    entries_ += later[i].rest.size() + (later[i].said ? 1U : 0U);
    if (!later[i].said && !exchanges_.empty()) {
      std::move(later[i].rest.begin(), later[i].rest.end(), std::back_inserter(exchanges_.back().rest));
    } else {
      exchanges_.push_back(std::move(later[i]));
    }
  }
  if (log_.id.empty()) log_.id = std::move(part.id);
  for (const auto& [key, value] : part.metadata) {
    const std::string* known = find_member(log_.metadata, key);
    other_metadata_ += known != nullptr && *known != value ? 1U : 0U;
  }
  add_missing(log_.metadata, part.metadata);
}

void JoinedLog::report(Conversion& conversion, const At& at, const std::string& log_name) const {
  const auto lose = [&](const std::string& what, const std::string& why, std::size_t count) {
    if (count == 0) return;
    conversion.report.add(
        at.source, at.place,
        {.outcome = Outcome::not_mapped, .source = what, .log = log_name, .why = why, .count = count});
  };
  lose("history", "a later trace repeats the answer in other words; the recorded answer is kept",
       other_texts_);
  lose("metadata", "the traces of the conversation differ in it; that of the first trace is kept",
       other_metadata_);
}

LogDraft JoinedLog::take() {
  for (Exchange& each : exchanges_) {
    if (each.said) log_.entries.push_back(std::move(*each.said));
    std::move(each.rest.begin(), each.rest.end(), std::back_inserter(log_.entries));
  }
  return std::move(log_);
}

}  // namespace parley::convert
