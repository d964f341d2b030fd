#include "model/description/record.hpp"

#include <algorithm>

namespace parley {

std::string_view noun_of(RecordKind kind) {
  switch (kind) {
    case RecordKind::scenario: return "scenario";
    case RecordKind::test: return "test";
    case RecordKind::agent: return "agent";
    case RecordKind::personality: return "personality";
    case RecordKind::folder: return "folder";
    case RecordKind::tag: return "tag";
    case RecordKind::run_group: return "run group";
    case RecordKind::scheduled_run: return "scheduled run";
    case RecordKind::scenario_configuration: return "scenario configuration";
    case RecordKind::user: return "user";
    case RecordKind::api_key: return "API key";
    case RecordKind::external_log: return "external conversation log";
    case RecordKind::run: return "run";
    case RecordKind::test_result: return "test result";
    case RecordKind::webhook: return "webhook";
  }
  return "record";
}

std::string noun_with_article(RecordKind kind) {
  const std::string_view noun = noun_of(kind);
  const bool is_sounded = std::string_view("aeioA").find(noun.front()) != std::string_view::npos;  // "a user"
  return (is_sounded ? "an " : "a ") + std::string(noun);
}

std::size_t chars_in(std::string_view utf8) {
  return static_cast<std::size_t>(std::count_if(
      utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace parley
