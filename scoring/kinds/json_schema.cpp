// The types `is-json` and `json-schema`.

#include <array>
#include <utility>

#include "scoring/kinds/json_source.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/schema.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace json_schema_kind {
namespace {

constexpr std::array is_json_keys{
    ConfigKey{"schema", false, ConfigType::any, "JSON Schema that the value satisfies; absent: any JSON."},
    ConfigKey{"fenced", false, ConfigType::flag, "true: a Markdown code fence may surround the JSON."},
    ConfigKey{"within", false, ConfigType::flag, "true: an object or list anywhere in the text is enough."},
};
constexpr std::array schema_keys{
    ConfigKey{"schema", true, ConfigType::any, "JSON Schema that the value satisfies."},
    json_pointer_key,
    json_entries_key,
    json_name_key,
    json_which_key,
};

void check_is_json(const json::Value& config, const std::string& pointer, Findings& findings) {
  if (const auto schema = given(config, "schema")) check_schema(*schema, pointer + "/schema", findings);
}

void check_json_schema(const json::Value& config, const std::string& pointer, Findings& findings) {
  check_json_source(config, pointer, findings);
  if (const auto schema = config.find("schema")) check_schema(*schema, pointer + "/schema", findings);
}

/// The text between the lines of a code fence; the whole text if it has no fence.
std::string_view unfenced(std::string_view text) {
  constexpr std::string_view fence = "```";
  constexpr std::string_view blank = " \t\r\n";
  const auto begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos || !text.substr(begin).starts_with(fence)) return text;
  const auto end = text.find_last_not_of(blank) + 1;
  const auto line_end = text.find('\n', begin);
  if (line_end == std::string_view::npos || !text.substr(0, end).ends_with(fence)) return text;
  return end - fence.size() > line_end ? text.substr(line_end, end - fence.size() - line_end) : text;
}

std::string violation_phrase(const Violation& violation) {
  return (violation.pointer.empty() ? "the value" : violation.pointer) + " " + violation.detail;
}

/// The fault of the text; empty if the text has no fault.
std::string fault_of(std::string_view text, const std::optional<Schema>& schema, Work& work) {
  const auto document = json::parse(text, json::outside);
  if (!document.ok()) return "is not JSON (" + document.problem().detail + "): " + in_quotes(text);
  const auto violation = schema ? schema->violation_of(document.value().root(), work) : std::nullopt;
  return violation ? "is JSON, but " + violation_phrase(*violation) : std::string();
}

/// The maximum number of positions in a text where JSON is tried. Without it, a text of brackets would take
/// quadratic time.
constexpr std::size_t tried_places_max = 100;

/// The position after the bracket that closes the one at `begin`, or npos.
std::size_t closing_end(std::string_view text, std::size_t begin) {
  std::size_t depth = 0;
  for (std::size_t at = begin; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      at = json::string_end(text, at);
      if (at == std::string_view::npos) return at;
      --at;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

/// The fault of the first object or list in the text; empty if one of them has no fault.
std::string fault_within(std::string_view text, const std::optional<Schema>& schema, Work& work) {
  std::string first_fault = "has no JSON in it: " + in_quotes(text);
  bool has_fault = false;
  std::size_t at = text.find_first_of("{[");
  for (std::size_t tried = 0; at != std::string_view::npos && tried < tried_places_max; ++tried) {
    if (!work.take(reading_steps(text.substr(at)))) return first_fault;
    const std::size_t end = closing_end(text, at);
    const bool is_json =
        end != std::string_view::npos && json::parse(text.substr(at, end - at), json::outside).ok();
    if (is_json) {
      std::string fault = fault_of(text.substr(at, end - at), schema, work);
      if (fault.empty()) return fault;
      if (!std::exchange(has_fault, true)) first_fault = std::move(fault);
    }
    at = text.find_first_of("{[", is_json ? end : at + 1);
  }
  return first_fault;
}

Verdict decide_is_json(const json::Value& config, Conversation& conversation) {
  const auto given_schema = given(config, "schema");
  const auto schema = given_schema ? std::optional<Schema>(*given_schema) : std::nullopt;
  const bool fenced = flag_at(config, "fenced");
  const bool within = flag_at(config, "within");
  // The verdict describes the last faulty text, so it is kept: a second search would repeat the work.
  std::string_view at_fault;
  std::string fault;
  const auto holds = [&](std::string_view text) {
    auto found = within ? fault_within(text, schema, conversation.work())
                        : fault_of(fenced ? unfenced(text) : text, schema, conversation.work());
    if (found.empty()) return true;
    at_fault = text;
    fault = std::move(found);
    return false;
  };
  return decide_texts(
      config, conversation,
      {std::string(within ? "has JSON in it" : "is JSON") + (schema ? " as the schema says" : ""), holds,
       [&](std::string_view text) {
         const bool is_it = !fault.empty() && text.data() == at_fault.data();
         return is_it ? fault : "is " + shortened(text);
       }});
}

Verdict decide_json_schema(const json::Value& config, Conversation& conversation) {
  const Schema schema(*config.find("schema"));
  std::optional<Violation> last;
  Verdict verdict = decide_json(config, conversation, "as the schema says", [&](const json::Value& value) {
    auto violation = schema.violation_of(value, conversation.work());
    if (!violation) return true;
    last = std::move(violation);
    return false;
  });
  if (verdict.status == AssertionStatus::failed && last) verdict.found += ": " + violation_phrase(*last);
  return verdict;
}

}  // namespace
}  // namespace json_schema_kind

constinit const Kind rows::is_json{
    .name = "is-json",
    .summary = "A chatbot message is JSON.",
    .keys = json_schema_kind::is_json_keys,
    .scoped = true,
    .check = json_schema_kind::check_is_json,
    .decide = json_schema_kind::decide_is_json,
};

constinit const Kind rows::json_schema{
    .name = "json-schema",
    .summary = "Some entry's metadata has a value that satisfies a JSON Schema.",
    .keys = json_schema_kind::schema_keys,
    .check = json_schema_kind::check_json_schema,
    .decide = json_schema_kind::decide_json_schema,
};

}  // namespace parley::scoring
