#include "model/description/record_parse.hpp"

#include <cmath>

#include "model/description/near_miss.hpp"

namespace parley {

using json::Kind;
using json::Value;

bool Findings::has(std::string_view pointer) const {
  if (known_.empty()) return false;
  while (known_.find(pointer) == known_.end()) {
    const auto slash = pointer.rfind('/');
    if (slash == std::string_view::npos) return false;
    pointer = pointer.substr(0, slash);
  }
  return true;
}

void Parser::stamp(Stamp& stamp) {
  known_.insert(known_.end(), {"id", "createdAt", "updatedAt"});
  if (mode_ != ParseMode::stored) return;
  const auto at = object_.find("updatedAt");
  if (at && at->is(json::Kind::number)) stamp.updated_at.ms = at->integer().value_or(0);
}

bool Parser::may_read(Access access) const {
  switch (mode_) {
    case ParseMode::create: return access == Access::client || access == Access::create;
    case ParseMode::patch: return access == Access::client;
    case ParseMode::stored: return true;
  }
  return false;
}

void Parser::missing(std::string_view name) {
  fault(prefix_ + "/" + json::pointer_token(name), "is required");
}

void Parser::finish() {
  if (mode_ == ParseMode::stored) return;
  for (const Value& member : object_.children()) {
    if (std::find(known_.begin(), known_.end(), member.key()) != known_.end()) continue;
    std::string pointer = prefix_ + "/" + json::pointer_token(member.key());
    const auto meant = findings_.lenient ? std::nullopt : meant_field(member.key(), taken_);
    if (meant) {
      fault(pointer, "is not a field of this body; did you mean '" + std::string(*meant) + "'?");
    } else if (findings_.strict) {
      fault(pointer, "is not a field of this record");
    } else {
      findings_.ignored.push_back(std::move(pointer));
    }
  }
}

void Parser::read(const Value& value, std::string& member, const Rules& rules, const std::string& pointer) {
  if (!value.is(Kind::string)) return fault(pointer, "must be a string");
  member = value.string();
  if (rules.never_empty && member.empty()) fault(pointer, "must not be empty");
  if (rules.bytes_max != 0 && member.size() > rules.bytes_max) {
    fault(pointer, "must have at most " + std::to_string(rules.bytes_max) + " bytes");
  }
  if (rules.chars_max != 0 && member.size() > rules.chars_max && chars_in(member) > rules.chars_max) {
    fault(pointer, "must have at most " + std::to_string(rules.chars_max) + " characters");
  }
}

void Parser::read(const Value& value, bool& member, const Rules&, const std::string& pointer) {
  if (!value.is(Kind::boolean)) return fault(pointer, "must be true or false");
  member = value.boolean();
}

void Parser::read(const Value& value, std::int64_t& member, const Rules& rules, const std::string& pointer) {
  const auto whole = value.is(Kind::number) ? value.integer() : std::nullopt;
  if (!whole) return fault(pointer, "must be an integer");
  member = *whole;
  if (member < rules.least || member > rules.most) {
    fault(pointer, "must be from " + std::to_string(rules.least) + " to " + std::to_string(rules.most));
  }
}

void Parser::read(const Value& value, double& member, const Rules&, const std::string& pointer) {
  if (!value.is(Kind::number) || !std::isfinite(value.number())) return fault(pointer, "must be a number");
  member = value.number();
}

void Parser::read(const Value& value, Time& member, const Rules&, const std::string& pointer) {
  if (mode_ == ParseMode::stored) {
    member.ms = value.is(Kind::number) ? value.integer().value_or(0) : 0;
    return;
  }
  const auto time = value.is(Kind::string) ? time_from_text(value.string()) : std::nullopt;
  if (!time) return fault(pointer, "must be an RFC 3339 date-time such as 2026-01-31T12:00:00.000Z");
  member = *time;
}

void Parser::read(const Value& value, json::Text& member, const Rules& rules, const std::string& pointer) {
  if (rules.shape == Shape::object && !value.is(Kind::object)) return fault(pointer, "must be an object");
  if (rules.shape == Shape::array && !value.is(Kind::array)) return fault(pointer, "must be an array");
  member = value.compact();
  if (rules.bytes_max != 0 && json::is_beyond(member, rules.bytes_max)) {
    fault(pointer, "must have at most " + std::to_string(rules.bytes_max) + " bytes of compact JSON");
  }
}

std::optional<Id> Parser::read_id(const Value& value, RecordKind kind, const std::string& pointer) {
  if (!value.is(Kind::string)) {
    fault(pointer, "must be the id of " + noun_with_article(kind));
    return std::nullopt;
  }
  const auto id = id_from_text(value.string());
  if (!id) {
    fault(pointer, "there is no " + std::string(noun_of(kind)) + " with this id");
    return std::nullopt;
  }
  if (mode_ != ParseMode::stored) findings_.links.push_back({kind, *id, pointer});
  return id;
}

bool Parser::is_misfit(const Value& value, const Rules& rules, const std::string& pointer) {
  if (rules.never_empty && value.size() == 0) {
    fault(pointer, "must have at least one item");
    return true;
  }
  if (rules.items_max == 0 || value.size() <= rules.items_max) return false;
  fault(pointer, "must have at most " + std::to_string(rules.items_max) + " items");
  return true;
}

}  // namespace parley
