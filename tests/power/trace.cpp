#include "tests/power/trace.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace parley::power {

std::string content_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  std::string text(error ? 0 : size, '\0');
  if (error || !in.read(text.data(), static_cast<std::streamsize>(text.size()))) {
    throw std::runtime_error("there is no file " + file);
  }
  return text;
}

std::vector<Event> read_trace(const std::string& file) {
  const std::string text = content_of(file);
  std::vector<Event> events;
  std::size_t at = 0;
  while (text.size() - at >= sizeof(EventHead)) {
    EventHead head;
    std::memcpy(&head, text.data() + at, sizeof head);
    if (head.kind > Kind::sync_directory) throw std::runtime_error(file + " is not a trace");
    const std::uint64_t bytes = head.kind == Kind::truncate ? 0 : head.length;
    if (text.size() - at - sizeof head < head.name_length + bytes) break;
    at += sizeof head;
    Event event{head.kind, text.substr(at, head.name_length), head.offset, head.length, {}, 0};
    at += head.name_length;
    event.bytes = text.substr(at, bytes);
    at += bytes;
    event.position = at;
    events.push_back(std::move(event));
  }
  return events;
}

}  // namespace parley::power
