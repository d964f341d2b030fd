#pragma once
/// Parses records from JSON: bodies, with all their faults at once and a pointer for each (D3, D5), and
/// stored values.
/// A Parser lives for one object on one thread.

#include <algorithm>
#include <concepts>
#include <set>

#include "model/description/record.hpp"
#include "model/pattern/pattern_check.hpp"

namespace parley {

enum class ParseMode : std::uint8_t { create, patch, stored };

/// Collects the faults of one body, and the links that it names (the store checks whether they exist).
/// Invariant: no fault is reported at or below the pointer of an earlier one, because that value is already
/// wrong and further faults in it would not be the client's (D3).
struct Findings {
  std::vector<Fault> faults;
  struct NamedLink {
    RecordKind kind;
    Id id;
    std::string pointer;
  };
  std::vector<NamedLink> links;
  PatternCheck patterns;             ///< the budget of all patterns in the body
  bool strict = false;               ///< Prefer: handling=strict, unknown keys are faults
  bool lenient = false;              ///< Prefer: handling=lenient, no unknown key is a fault
  std::vector<std::string> ignored;  ///< pointers to the unknown keys that were ignored (D99)

  void add(std::string pointer, std::string detail) {
    if (has(pointer)) return;
    known_.insert(pointer);
    faults.push_back({std::move(pointer), {}, std::move(detail)});
  }
  /// The faults of one text, which share its pointer.
  void add_each(const std::string& pointer, std::vector<std::string> details) {
    if (details.empty() || has(pointer)) return;
    known_.insert(pointer);
    for (std::string& detail : details) faults.push_back({pointer, {}, std::move(detail)});
  }
  /// Whether the value at the pointer, or one that contains it, already has a fault. Costs one look-up per
  /// level.
  [[nodiscard]] bool has(std::string_view pointer) const;

 private:
  std::set<std::string, std::less<>> known_;  ///< the pointers of `faults`
};

/// The visitor that only collects the names of fields.
class FieldNames {
 public:
  explicit FieldNames(std::vector<std::string_view>& names) : names_(names) {}
  void stamp(const Stamp&) { names_.insert(names_.end(), {"id", "createdAt", "updatedAt"}); }
  template <class T>
  void field(std::string_view name, const T&, const Rules& rules, std::string_view /*doc*/) {
    if (rules.access != Access::internal) names_.push_back(name);
  }
  template <class T>
  void computed(std::string_view name, const T&, std::string_view) {
    names_.push_back(name);
  }

 private:
  std::vector<std::string_view>& names_;
};

/// The visitor that fills a record from a JSON object. A null equals a left-out field (D5).
class Parser {
 public:
  /// Needs: `object` is an object and outlives the parser. `prefix` is its pointer.
  Parser(const json::Value& object, ParseMode mode, std::string prefix, Findings& findings)
      : object_(object), mode_(mode), prefix_(std::move(prefix)), findings_(findings) {}

  void stamp(Stamp& stamp);

  template <class T>
  void field(std::string_view name, T& member, const Rules& rules, std::string_view /*doc*/) {
    known_.push_back(name);
    if (!may_read(rules.access)) return;
    taken_.push_back(name);
    const auto value = object_.find(name);
    if (!value || value->is(json::Kind::null)) {
      if (rules.required && mode_ == ParseMode::create) missing(name);
      return;
    }
    given_.push_back(name);
    read(*value, member, rules, prefix_ + "/" + json::pointer_token(name));
  }
  /// A field that appears only in responses: it is neither stored nor sent by clients.
  template <class T>
  void computed(std::string_view name, const T&, std::string_view) {
    known_.push_back(name);
  }

  /// True if the object gives the field a value other than null. Needs: the field was visited.
  [[nodiscard]] bool gave(std::string_view name) const {
    return std::find(given_.begin(), given_.end(), name) != given_.end();
  }
  [[nodiscard]] bool gave_nothing() const { return given_.empty(); }
  /// Adds names that do not count as unknown keys although the body has no such field (D5).
  template <class Names>
  void knows(const Names& names) {
    known_.insert(known_.end(), names.begin(), names.end());
  }
  /// Calls knows() for every field of a record.
  template <Described T>
  void knows_fields_of() {
    T record{};
    FieldNames names(known_);
    T::describe(record, names);
  }
  /// Reports unknown keys: those that resemble a field's name, or all of them if the client asked for strict
  /// handling.
  void finish();

 private:
  [[nodiscard]] bool may_read(Access access) const;
  void missing(std::string_view name);
  void fault(const std::string& pointer, std::string detail) { findings_.add(pointer, std::move(detail)); }

  void read(const json::Value& value, std::string& member, const Rules& rules, const std::string& pointer);
  void read(const json::Value& value, bool& member, const Rules& rules, const std::string& pointer);
  void read(const json::Value& value, std::int64_t& member, const Rules& rules, const std::string& pointer);
  void read(const json::Value& value, double& member, const Rules& rules, const std::string& pointer);
  void read(const json::Value& value, Time& member, const Rules& rules, const std::string& pointer);
  void read(const json::Value& value, json::Text& member, const Rules& rules, const std::string& pointer);
  [[nodiscard]] std::optional<Id> read_id(const json::Value& value, RecordKind kind,
                                          const std::string& pointer);

  template <Worded E>
  void read(const json::Value& value, E& member, const Rules&, const std::string& pointer) {
    const auto found = value.is(json::Kind::string) ? from_word<E>(value.string()) : std::nullopt;
    if (found) {
      member = *found;
    } else {
      fault(pointer, one_of(Words<E>::all));
    }
  }
  template <RecordKind K>
  void read(const json::Value& value, Ref<K>& member, const Rules&, const std::string& pointer) {
    if (const auto id = read_id(value, K, pointer)) member.id = *id;
  }
  template <RecordKind K>
  void read(const json::Value& value, Links<K>& member, const Rules& rules, const std::string& pointer) {
    member.clear();
    if (!value.is(json::Kind::array)) {  // one id means a list of one (D8)
      if (const auto id = read_id(value, K, pointer)) member.push_back({*id});
      return;
    }
    if (is_misfit(value, rules, pointer)) return;
    std::size_t index = 0;
    for (const json::Value& item : value.children()) {
      const auto id = read_id(item, K, pointer + "/" + std::to_string(index++));
      if (id && std::find(member.begin(), member.end(), Ref<K>{*id}) == member.end()) member.push_back({*id});
    }
  }
  template <class T>
  void read(const json::Value& value, std::optional<T>& member, const Rules& rules,
            const std::string& pointer) {
    read(value, member.emplace(), rules, pointer);
  }
  template <class T>
  void read(const json::Value& value, std::vector<T>& member, const Rules& rules,
            const std::string& pointer) {
    member.clear();
    if (!value.is(json::Kind::array)) return fault(pointer, "must be an array");
    if (is_misfit(value, rules, pointer)) return;
    std::size_t index = 0;
    for (const json::Value& item : value.children()) {
      read(item, member.emplace_back(), rules, pointer + "/" + std::to_string(index++));
    }
  }
  template <Described T>
  void read(const json::Value& value, T& member, const Rules&, const std::string& pointer) {
    if (!value.is(json::Kind::object)) return fault(pointer, "must be an object");
    Parser nested(value, mode_ == ParseMode::patch ? ParseMode::create : mode_, pointer, findings_);
    T::describe(member, nested);
    nested.finish();
  }

  /// Whether a list has fewer or more items than allowed.
  [[nodiscard]] bool is_misfit(const json::Value& value, const Rules& rules, const std::string& pointer);
  template <std::size_t N>
  [[nodiscard]] static std::string one_of(const std::array<std::string_view, N>& words) {
    std::string text = "must be one of";
    for (std::size_t i = 0; i < N; ++i) {
      text += i == 0 ? " " : ", ";
      text += words[i].empty() ? "\"\"" : words[i];
    }
    return text;
  }

  json::Value object_;
  ParseMode mode_;
  std::string prefix_;
  Findings& findings_;
  std::vector<std::string_view> known_;
  std::vector<std::string_view> taken_;  ///< fields that the body may contain
  std::vector<std::string_view> given_;
};

/// Fills `record` from a stored value. Needs: text that write_stored wrote (verified by a checksum).
template <Described T>
void parse_stored(const json::Value& object, T& record) {
  Findings findings;
  Parser parser(object, ParseMode::stored, "", findings);
  T::describe(record, parser);
}

}  // namespace parley
