#pragma once
/// Sorts lists by any first-level scalar field (D6): reads the sort key of a record through its description. Plain
/// values; any thread.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "model/description/record_parse.hpp"

namespace parley::http {

/// A field's value; null sorts before every other value, strings by code point, enums by their keyword.
using SortKey = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// A visitor that reads one field of a record.
class SortReader {
 public:
  explicit SortReader(std::string_view name) : name_(name) {}

  void stamp(const Stamp& stamp) {
    if (name_ == "updatedAt") key_ = stamp.updated_at.ms;
    if (name_ == "createdAt") key_ = stamp.created_at().ms;
    if (name_ == "id") key_ = to_text(stamp.id);
  }
  template <class T>
  void field(std::string_view name, const T& member, const Rules& rules, std::string_view /*doc*/) {
    if (name == name_ && rules.access != Access::internal) take(member);
  }
  template <class T>
  void computed(std::string_view, const T&, std::string_view) {}

  /// nullopt if the record has no scalar field with that name.
  [[nodiscard]] std::optional<SortKey> key() && { return std::move(key_); }

 private:
  template <class T>
  void take(const T& member) {
    if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, bool> ||
                  std::is_same_v<T, std::int64_t> || std::is_same_v<T, double>) {
      key_ = member;
    } else if constexpr (std::is_same_v<T, Time>) {
      key_ = member.ms;
    } else if constexpr (Worded<T>) {
      key_ = std::string(word_of(member));
    } else if constexpr (requires { member.has_value(); }) {
      using Inner = typename T::value_type;
      take(Inner{});  // determines whether the field is a scalar
      if (key_ && !member.has_value()) key_ = SortKey{};
      if (key_ && member.has_value()) take(*member);
    }
  }

  std::string_view name_;
  std::optional<SortKey> key_;
};

template <Described T>
[[nodiscard]] std::optional<SortKey> sort_key(const T& record, std::string_view name) {
  SortReader reader(name);
  T::describe(record, reader);
  return std::move(reader).key();
}

/// The fields by which records of a type can be sorted.
template <Described T>
[[nodiscard]] std::vector<std::string_view> sortable() {
  std::vector<std::string_view> names;
  FieldNames gather(names);
  const T record{};
  T::describe(record, gather);
  std::erase_if(names, [&](std::string_view name) { return !sort_key(record, name); });
  return names;
}

}  // namespace parley::http
