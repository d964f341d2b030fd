#include "outbound/formats/event_stream.hpp"

#include <algorithm>

#include "model/text/ascii.hpp"

namespace parley::outbound {
namespace {

constexpr std::string_view done = "[DONE]";

/// Removes the next line and returns it without its end: CR, LF or both.
std::string_view take_line(std::string_view& rest) {
  const auto end = std::min(rest.find_first_of("\r\n"), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end);
  if (rest.starts_with("\r\n")) {
    rest.remove_prefix(2);
  } else if (!rest.empty()) {
    rest.remove_prefix(1);
  }
  return line;
}

/// Collects the fields of consecutive events.
class Events {
 public:
  void take(std::string_view line) {
    if (line.empty()) return end();
    const auto colon = std::min(line.find(':'), line.size());
    const std::string_view field = line.substr(0, colon);
    std::string_view value = line.substr(std::min(colon + 1, line.size()));
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (field == "event") current_.name = value;
    if (field != "data") return;
    if (has_data_) current_.data += '\n';
    current_.data += value;
    has_data_ = true;
  }

  void end() {
    if (has_data_ && current_.data == done) {
      stream_.is_done = true;
    } else if (has_data_) {
      stream_.events.push_back(std::move(current_));
    }
    current_ = {};
    has_data_ = false;
  }

  [[nodiscard]] bool is_done() const { return stream_.is_done; }
  [[nodiscard]] EventStream stream() && { return std::move(stream_); }

 private:
  EventStream stream_;
  StreamEvent current_;
  bool has_data_ = false;
};

}  // namespace

EventStream events_of(std::string_view body) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (body.starts_with(mark)) body.remove_prefix(mark.size());
  Events events;
  while (!body.empty() && !events.is_done()) events.take(take_line(body));
  events.end();
  return std::move(events).stream();
}

bool is_event_stream(std::string_view content_type) {
  const auto type = content_type.substr(0, content_type.find(';'));
  return ascii::lower(ascii::trimmed(type)) == "text/event-stream";
}

}  // namespace parley::outbound
