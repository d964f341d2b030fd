// A window of a conversation, and the numbers of the entries that contain a text.

#include <algorithm>

#include "http/dashboard/dashboard_handlers.hpp"
#include "http/dashboard/entry_texts.hpp"
#include "http/lists/page.hpp"

namespace parley::http {
namespace {

constexpr std::int64_t entries_default = 200;
constexpr std::int64_t entries_most = 1'000;
constexpr std::size_t find_bytes_max = 1'024;
constexpr std::size_t found_max = 1'000;
/// The number of bytes of entries that an interactive call may read.
constexpr std::size_t bytes_at_once_max = 512 * 1024;

struct Window {
  std::int64_t from = 0;
  std::int64_t limit = entries_default;
  std::optional<TextSearch> find;
};

Expected<Window> window_of(const RequestContext& call) {
  QueryReader reader(call.query);
  Window window;
  window.from = reader.integer("from", 0, INT32_MAX, 0);
  window.limit = reader.integer("limit", 1, entries_most, entries_default);
  if (const auto text = reader.text("find")) {
    if (text->empty() || text->size() > find_bytes_max) {
      reader.fault("find", "must be a text of 1 to 1024 bytes");
    } else {
      window.find.emplace(*text);
    }
  }
  TRY_DONE(reader.result());
  return window;
}

}  // namespace

Expected<Reply> list_entries(const Context&, const store::Snapshot& snapshot, const RequestContext& call,
                             const ResultHead& head) {
  TRY(window, window_of(call));
  json::Writer out;
  out.begin_object();
  out.key("data").begin_array();
  std::int64_t number = 0;
  std::size_t bytes = 0;
  bool is_too_long = false;
  std::vector<std::int64_t> found;
  const auto visit = [&](std::uint32_t, const store::StoredEntry& entry) {
    if (number >= window.from && number < window.from + window.limit) {
      out.raw(entry.json);
      bytes += entry.json.size();
    }
    if (window.find) {
      bytes += entry.json.size();
      if (found.size() < found_max && window.find->is_in(entry.json)) found.push_back(number);
    }
    ++number;
    is_too_long = call.is_interactive && bytes > bytes_at_once_max;
    return !is_too_long;
  };
  TRY_DONE(snapshot.for_each_entry(head, visit));
  if (is_too_long) return cut_short();
  out.end_array();
  out.key("from").integer(window.from).key("limit").integer(window.limit).key("total").integer(number);
  if (window.find) {
    out.key("found").begin_array();
    for (const std::int64_t each : found) out.integer(each);
    out.end_array();
  }
  out.end_object();
  return tagged_reply(std::move(out).text(), call.if_none_match);
}

}  // namespace parley::http
