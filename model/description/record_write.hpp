#pragma once
/// Writes records as JSON: stored values (everything, links as ids, empty fields left out) and responses
/// (links resolved through a Linker, internal fields left out). A visitor lives for one record on one thread.

#include "model/description/record.hpp"
#include "model/json/json_writer.hpp"

namespace parley {

/// Writes a linked record in a response as the object `{id, name, ...}` (D8).
class Linker {
 public:
  virtual ~Linker() = default;
  virtual void append(json::Writer& out, RecordKind kind, const Id& id) const = 0;
};

enum class WriteMode : std::uint8_t { stored, full, minimal };

class RecordWriter {
 public:
  /// Needs: an open object in `out`. `linker` may be null for stored values.
  RecordWriter(json::Writer& out, WriteMode mode, const Linker* linker)
      : out_(out), mode_(mode), linker_(linker) {}

  void stamp(const Stamp& stamp);
  /// Shows this JSON text instead of the member's value, for computed and redacted values. Call before describe().
  void show_as(std::string_view name, std::string json) { shown_.push_back({name, std::move(json)}); }

  template <class T>
  void field(std::string_view name, const T& member, const Rules& rules, std::string_view /*doc*/) {
    if (mode_ == WriteMode::stored) {
      if (is_absent(member)) return;  // every record starts with these empty
    } else if (rules.access == Access::internal || (mode_ == WriteMode::minimal && !rules.minimal)) {
      return;
    }
    if constexpr (requires { member.has_value(); }) {
      if (!member.has_value() && !rules.shown_if_null) return;
    }
    out_.key(name);
    for (const Replacement& replacement : shown_) {
      if (replacement.name == name) {
        out_.raw(replacement.json);
        return;
      }
    }
    write(member);
  }
  /// A computed field, which is not stored.
  template <class T>
  void computed(std::string_view name, const T& value, std::string_view /*doc*/) {
    if (mode_ == WriteMode::stored) return;
    out_.key(name);
    write(value);
  }

 private:
  template <class T>
  [[nodiscard]] static bool is_absent(const T& member) {
    if constexpr (requires { member.has_value(); }) {
      return !member.has_value();
    } else if constexpr (requires { member.empty(); }) {
      return member.empty();
    } else {
      return false;
    }
  }

  void write(const std::string& value) { out_.string(value); }
  void write(bool value) { out_.boolean(value); }
  void write(std::int64_t value) { out_.integer(value); }
  void write(double value) { out_.number(value); }
  void write(const json::Text& value) { out_.raw(value.text); }
  void write(Time value);
  void write_link(RecordKind kind, const Id& id);
  template <Worded E>
  void write(E value) {
    out_.string(word_of(value));
  }
  template <RecordKind K>
  void write(const Ref<K>& value) {
    write_link(K, value.id);
  }
  template <class T>
  void write(const std::optional<T>& value) {
    if (value) {
      write(*value);
    } else {
      out_.null();
    }
  }
  template <class T>
  void write(const std::vector<T>& values) {
    out_.begin_array();
    for (const T& value : values) write(value);
    out_.end_array();
  }
  template <Described T>
  void write(const T& value) {
    out_.begin_object();
    // Nested records are always written in full: inside a list, a default that is left out would not be read
    // back.
    RecordWriter nested(out_, mode_ == WriteMode::minimal ? WriteMode::full : mode_, linker_);
    T::describe(value, nested);
    out_.end_object();
  }

  struct Replacement {
    std::string_view name;
    std::string json;
  };

  json::Writer& out_;
  WriteMode mode_;
  const Linker* linker_;
  std::vector<Replacement> shown_;
};

/// The stored JSON of a record.
template <Described T>
[[nodiscard]] std::string write_stored(const T& record) {
  json::Writer out;
  out.begin_object();
  RecordWriter writer(out, WriteMode::stored, nullptr);
  T::describe(record, writer);
  out.end_object();
  return std::move(out).text();
}

}  // namespace parley
