#include "http/traces/log_merge.hpp"

#include <algorithm>

#include "model/json/json_writer.hpp"

namespace parley::http {
namespace {

using Messages = std::vector<LogMessage>;

std::string member_text(const json::Text& object, std::string_view name) {
  const auto document = json::parse(object.text);
  const auto value = document.ok() ? document->root().find(name) : std::nullopt;
  return value ? value->compact().text : std::string();
}

bool is_message(const LogMessage& message) {
  return message.type == EntryType::message;
}

/// Whether both are the same message or call; a call is identified by its id.
bool is_same(const LogMessage& a, const LogMessage& b) {
  if (a.type != b.type || is_testers(a.role) != is_testers(b.role)) return false;
  if (is_message(a)) return a.content == b.content;
  const std::string id = member_text(a.metadata, "id");
  const std::string other = member_text(b.metadata, "id");
  if (!id.empty() && !other.empty()) return id == other;
  return a.name == b.name && member_text(a.metadata, "arguments") == member_text(b.metadata, "arguments");
}

/// Adds the members of `from` that `into` lacks. Returns whether any were added.
bool add_members(json::Text& into, const json::Text& from) {
  const auto mine = json::parse(into.text);
  const auto theirs = json::parse(from.text);
  if (!mine.ok() || !theirs.ok()) return false;
  json::Writer out;
  out.begin_object();
  for (const json::Value& member : mine->root().children()) out.key(member.key()).raw(member.compact().text);
  bool has_more = false;
  for (const json::Value& member : theirs->root().children()) {
    if (mine->root().find(member.key())) continue;
    out.key(member.key()).raw(member.compact().text);
    has_more = true;
  }
  out.end_object();
  if (has_more) into = {std::move(out).text()};
  return has_more;
}

/// The position at which the whole sequence `said` occurs.
Messages::iterator place_of(Messages& messages, const Messages& said) {
  return std::search(messages.begin(), messages.end(), said.begin(), said.end(), is_same);
}

/// Whether `later` repeats the conversation from its beginning, at least as far as `earlier`. Calls are ignored,
/// because they may have arrived separately before.
bool repeats(const Messages& earlier, const Messages& later) {
  auto next = later.begin();
  for (const LogMessage& each : earlier) {
    if (!is_message(each)) continue;
    next = std::find_if(next, later.end(), is_message);
    if (next == later.end() || !is_same(*next, each)) return false;
    ++next;
  }
  return true;
}

/// `later` with the calls of `earlier` added, so that details from tool spans are kept.
Messages with_calls_of(const Messages& earlier, Messages later) {
  for (const LogMessage& call : earlier) {
    if (is_message(call)) continue;
    const auto same =
        std::find_if(later.begin(), later.end(), [&](const LogMessage& each) { return is_same(each, call); });
    if (same != later.end()) {
      add_members(same->metadata, call.metadata);
    } else {
      const bool ends_with_answer =
          !later.empty() && is_message(later.back()) && !is_testers(later.back().role);
      later.insert(ends_with_answer ? later.end() - 1 : later.end(), call);
    }
  }
  return later;
}

/// The number of last messages of `part` that are also the first messages of `said`.
std::size_t overlap(const Messages& part, const Messages& said) {
  std::size_t count = std::min(part.size(), said.size());
  while (count > 0 &&
         !std::equal(part.end() - static_cast<std::ptrdiff_t>(count), part.end(), said.begin(), is_same))
    --count;
  return count;
}

/// The part of the trace, extended by its new messages.
Messages merged_part(const Messages& part, const Messages& said) {
  if (repeats(part, said)) return with_calls_of(part, said);
  if (std::none_of(said.begin(), said.end(), is_message)) return with_calls_of(said, part);
  Messages out = part;
  for (std::size_t i = overlap(part, said); i < said.size(); ++i) {
    const LogMessage& each = said[i];
    const auto same =
        is_message(each) ? out.end() : std::find_if(out.begin(), out.end(), [&](const LogMessage& known) {
          return is_same(known, each);
        });
    if (same == out.end()) {
      out.push_back(each);
    } else {
      add_members(same->metadata, each.metadata);
    }
  }
  return out;
}

void replace_part(TracedLog& log, TracePart& part, const Messages& with) {
  const auto begin = log.messages.begin() + static_cast<std::ptrdiff_t>(part.from);
  const auto at = log.messages.erase(begin, begin + static_cast<std::ptrdiff_t>(part.entries));
  log.messages.insert(at, with.begin(), with.end());
  for (TracePart& other : log.parts) {
    if (&other != &part && other.from >= part.from + part.entries)
      other.from = other.from + with.size() - part.entries;
  }
  part.entries = with.size();
}

/// Adds further details of the trace to the calls from `at` on.
bool enrich(Messages::iterator at, const Messages& said) {
  bool has_more = false;
  for (const LogMessage& each : said) has_more = add_members((at++)->metadata, each.metadata) || has_more;
  return has_more;
}

bool is_within(const TracedLog& log, const TracePart& part) {
  return part.from <= log.messages.size() && part.entries <= log.messages.size() - part.from;
}

}  // namespace

bool merge_trace(TracedLog& log, const std::string& trace, const std::vector<LogMessage>& said) {
  std::erase_if(log.parts,
                [&](const TracePart& part) { return !is_within(log, part); });  // changed by hand since then
  if (const auto at = place_of(log.messages, said); at != log.messages.end()) return enrich(at, said);
  auto part = std::find_if(log.parts.begin(), log.parts.end(),
                           [&](const TracePart& each) { return each.id == trace; });
  if (repeats(log.messages, said)) {
    log.messages = with_calls_of(log.messages, said);
    if (part == log.parts.end()) part = log.parts.insert(part, {trace, 0, 0});
    *part = {trace, 0, log.messages.size()};
  } else if (part != log.parts.end()) {
    const auto begin = log.messages.begin() + static_cast<std::ptrdiff_t>(part->from);
    const Messages before(begin, begin + static_cast<std::ptrdiff_t>(part->entries));
    replace_part(log, *part, merged_part(before, said));
  } else {
    log.parts.push_back({trace, log.messages.size(), said.size()});
    log.messages.insert(log.messages.end(), said.begin(), said.end());
  }
  if (log.parts.size() > trace_parts_max) log.parts.erase(log.parts.begin());
  return true;
}

std::vector<TracePart> trace_parts(const json::Text& metadata) {
  std::vector<TracePart> parts;
  const auto document = json::parse(metadata.text);
  const auto list = document.ok() ? document->root().find("traces") : std::nullopt;
  if (!list || !list->is(json::Kind::array)) return parts;
  for (const json::Value& each : list->children()) {
    const auto id = each.find("id");
    const auto from = each.find("from");
    const auto entries = each.find("entries");
    if (!id || !from || !entries || !id->is(json::Kind::string)) continue;
    const auto first = from->integer();
    const auto count = entries->integer();
    if (!first || !count || *first < 0 || *count < 0) continue;
    parts.push_back(
        {std::string(id->string()), static_cast<std::size_t>(*first), static_cast<std::size_t>(*count)});
  }
  return parts;
}

json::Text with_trace_parts(const json::Text& metadata, const std::vector<TracePart>& parts) {
  json::Writer out;
  out.begin_object();
  if (const auto document = json::parse(metadata.text); document.ok()) {
    for (const json::Value& member : document->root().children())
      if (member.key() != "traces") out.key(member.key()).raw(member.compact().text);
  }
  out.key("traces").begin_array();
  for (const TracePart& part : parts) {
    out.begin_object().member("id", part.id).key("from").integer(static_cast<std::int64_t>(part.from));
    out.key("entries").integer(static_cast<std::int64_t>(part.entries)).end_object();
  }
  out.end_array().end_object();
  return {std::move(out).text()};
}

std::vector<LogMessage> messages_of(const ExternalLog& log) {
  std::vector<LogMessage> messages;
  for (const Entry& entry : entries_of(log)) {
    LogMessage message;
    message.type = entry.type;
    message.role = entry.role == Role::tester ? LogRole::tester : LogRole::chatbot;
    message.content = entry.content;
    message.name = entry.name;
    message.metadata = entry.metadata;
    message.created_at = entry.created_at;
    messages.push_back(std::move(message));
  }
  return messages;
}

}  // namespace parley::http
