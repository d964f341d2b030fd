#include "client/playing/plan_text.hpp"

#include "client/files/snapshot_file.hpp"
#include "client/remote/api.hpp"
#include "client/report/report_json.hpp"
#include "client/report/safe_text.hpp"
#include "client/run/suite_records.hpp"
#include "client/screen/case_lines.hpp"

namespace parley::client {
namespace {

constexpr std::size_t created_bytes_max = 60'000;

/// Writes a value as lines: text unchanged, a list with one item per line, and anything else as JSON.
std::string lines_of(const std::optional<json::Value>& value) {
  if (!value || value->is(json::Kind::null)) return "";
  if (value->is(json::Kind::string)) {
    std::string text(value->string());
    if (!text.empty() && text.back() != '\n') text += "\n";
    return text;
  }
  if (!value->is(json::Kind::array)) return value->compact().text + "\n";
  std::string text;
  for (const json::Value& each : value->children()) text += each.compact().text + "\n";
  return text;
}

std::string painted(std::string_view diff, const Paint& paint) {
  std::string out;
  while (!diff.empty()) {
    const std::size_t end = std::min(diff.find('\n'), diff.size() - 1);
    const std::string line = one_line(diff.substr(0, end));
    const bool is_old = line.starts_with("- ");
    const bool is_new = line.starts_with("+ ");
    out += (is_old ? paint.red(line) : is_new ? paint.green(line) : line) + "\n";
    diff.remove_prefix(end + 1);
  }
  return out;
}

/// Whether the value is secret. The plan then shows only that it changes.
bool is_secret(const std::string& pointer) {
  return pointer == "/secrets" || pointer.starts_with("/secrets/");
}

std::string field_text(const json::Value& field, const Paint& paint) {
  const std::string pointer = text_at(field, "pointer");
  std::string text = paint.dim("@@ " + one_line(pointer.empty() ? "" : pointer.substr(1)) + " @@") + "\n";
  if (is_secret(pointer)) return text + "  (secrets are not shown)\n";
  std::string diff = line_diff(lines_of(field.find("now")), lines_of(field.find("file")));
  return text + painted(diff.substr(0, created_bytes_max), paint);
}

std::string record_text(const CompiledSuite& suite, const json::Value& change, std::string_view action,
                        const Paint& paint) {
  const std::string name = text_at(change, "type") + " " + one_line(text_at(change, "key"));
  const std::string pointer = text_at(change, "pointer");
  const std::string place = pointer.empty() ? "not in the files" : place_of_pointer(suite, pointer);
  std::string text = paint.bold(std::string(action) + " " + name + "  " + one_line(place)) + "\n";
  for (const json::Value& each : items_of(change, "fields")) text += field_text(each, paint);
  return text;
}

}  // namespace

std::string plan_text(const CompiledSuite& suite, const json::Value& answer, const Terminal& terminal) {
  const Paint paint(terminal);
  std::string text;
  for (const json::Value& each : items_of(answer, "changes"))
    text += record_text(suite, each, text_at(each, "action"), paint);
  for (const json::Value& each : items_of(answer, "changedElsewhere"))
    text += record_text(suite, each, "changed elsewhere:", paint);
  return for_terminal(std::move(text), terminal);
}

}  // namespace parley::client
