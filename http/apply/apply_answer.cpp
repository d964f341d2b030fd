#define XXH_INLINE_ALL
#include <xxhash.h>

#include "http/apply/content_digest.hpp"

namespace parley::http {
namespace {

std::string_view action_word(ApplyAction action) {
  switch (action) {
    case ApplyAction::created: return "created";
    case ApplyAction::updated: return "updated";
    case ApplyAction::archived: return "archived";
    case ApplyAction::changed_elsewhere: return "changedElsewhere";
  }
  return "";
}

/// The name of the record's type in the body and in paths.
std::string_view type_word(RecordKind kind) {
  switch (kind) {
    case RecordKind::agent: return "agent";
    case RecordKind::personality: return "personality";
    case RecordKind::scenario: return "scenario";
    case RecordKind::scenario_configuration: return "scenarioConfiguration";
    default: return "test";
  }
}

void write_change(json::Writer& out, const AppliedChange& change, bool with_action) {
  out.begin_object();
  if (with_action) out.member("action", action_word(change.action));
  out.member("type", type_word(change.kind)).member("key", change.key).member("id", to_text(change.id));
  if (!change.pointer.empty()) out.member("pointer", change.pointer);
  out.key("fields").begin_array();
  for (const FieldChange& field : change.fields) {
    out.begin_object()
        .member("pointer", field.pointer)
        .key("file")
        .raw(field.file)
        .key("now")
        .raw(field.now)
        .end_object();
  }
  out.end_array().end_object();
}

std::string member_text(const std::optional<json::Value>& value) {
  return value ? std::string(value->raw()) : "null";
}

}  // namespace

std::string digest_text(std::string_view content) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text(16, '0');
  std::uint64_t hash = XXH3_64bits(content.data(), content.size());
  for (std::size_t i = text.size(); i > 0; --i, hash >>= 4U) text[i - 1] = digits[hash & 0xFU];
  return text;
}

std::vector<FieldChange> differing_members(const std::string& now, const std::string& file) {
  std::vector<FieldChange> changes;
  const auto stored = json::parse(now);
  const auto wanted = json::parse(file);
  if (!stored.ok() || !wanted.ok()) return changes;
  for (const json::Value& member : wanted->root().children()) {
    const auto before = stored->root().find(member.key());
    if (before && before->raw() == member.raw()) continue;
    changes.push_back(
        {"/" + json::pointer_token(member.key()), std::string(member.raw()), member_text(before)});
  }
  for (const json::Value& member : stored->root().children()) {
    if (wanted->root().find(member.key())) continue;
    changes.push_back({"/" + json::pointer_token(member.key()), "null", std::string(member.raw())});
  }
  return changes;
}

std::string plan_json(const ApplyPlan& plan) {
  json::Writer out;
  out.begin_object();
  const auto number = [&](std::string_view name, std::size_t count) {
    out.key(name).integer(static_cast<std::int64_t>(count));
  };
  number("created", plan.count(ApplyAction::created));
  number("updated", plan.count(ApplyAction::updated));
  number("unchanged", plan.unchanged);
  number("archived", plan.count(ApplyAction::archived));
  out.key("changedElsewhere").begin_array();
  for (const AppliedChange& change : plan.list) {
    if (change.action == ApplyAction::changed_elsewhere) write_change(out, change, false);
  }
  out.end_array().key("changes").begin_array();
  for (const AppliedChange& change : plan.list) {
    if (change.action != ApplyAction::changed_elsewhere) write_change(out, change, true);
  }
  out.end_array().key("errors").begin_array().end_array().end_object();
  return std::move(out).text();
}

Problem changed_elsewhere_problem(const ApplyPlan& plan) {
  Problem found = problem(ProblemKind::changed_elsewhere,
                          "records were changed since the files were applied; nothing was written. "
                          "\"force\": true overwrites them");
  for (const AppliedChange& change : plan.list) {
    if (change.action != ApplyAction::changed_elsewhere) continue;
    std::string fields;
    for (const FieldChange& field : change.fields)
      fields += (fields.empty() ? "" : ", ") + field.pointer.substr(1);
    found.faults.push_back(
        {change.pointer,
         {},
         std::string(type_word(change.kind)) + " \"" + change.key + "\" was changed elsewhere: " + fields});
  }
  return found;
}

}  // namespace parley::http
