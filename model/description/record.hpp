#pragma once
/// How a record is described. Each record struct lists its fields once, in `describe(self, visitor)`. Parsing
/// of bodies, writing of responses and stored values, JSON Schema and sorting are visitors over that list
/// (design: one place per fact). Everything here is plain values; any thread.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/id.hpp"
#include "model/json/json.hpp"
#include "model/time.hpp"

namespace parley {

/// Every kind of record that has its own id.
enum class RecordKind : std::uint8_t {
  scenario,
  test,
  agent,
  personality,
  folder,
  tag,
  run_group,
  scheduled_run,
  scenario_configuration,
  user,
  api_key,
  external_log,
  run,
  test_result,
  webhook,
};

/// "test result": the kind as messages call it.
[[nodiscard]] std::string_view noun_of(RecordKind kind);
/// "a test result", "an agent": the noun with its article.
[[nodiscard]] std::string noun_with_article(RecordKind kind);

/// A link to another record: an id in bodies and in the store, an object `{id, name, ...}` in responses (D8).
template <RecordKind K>
struct Ref {
  Id id;
  auto operator<=>(const Ref&) const = default;  // NOLINT(modernize-use-nullptr)
};
template <RecordKind K>
using Links = std::vector<Ref<K>>;

/// The fields that every record has. createdAt is the time inside the id.
struct Stamp {
  Id id;
  Time updated_at;
  /// Increases by one with each committed change; 0: the record was never stored.
  std::uint64_t revision = 0;

  [[nodiscard]] Time created_at() const { return time_of(id); }
  bool operator==(const Stamp&) const = default;
};

/// Who may set a field.
enum class Access : std::uint8_t {
  client,    ///< POST and PATCH
  create,    ///< POST only
  service,   ///< never in a body, but shown
  internal,  ///< never in a body, never shown, but stored
};

enum class Shape : std::uint8_t { object, array, any };

/// The bounds of one field; 0 means no bound of that kind.
struct Rules {
  Access access = Access::client;
  bool required = false;  ///< required in a POST
  std::size_t chars_max = 0;
  std::size_t bytes_max = 0;
  std::size_t items_max = 0;
  std::int64_t least = INT64_MIN;
  std::int64_t most = INT64_MAX;
  Shape shape = Shape::object;  ///< for a json::Text
  bool minimal = true;          ///< also in rows of `output=minimal`
  bool never_empty =
      false;  ///< a string that must have at least one character, a list that must have an item
  bool shown_if_null = true;       ///< an optional without a value is shown as null; otherwise it is left out
  std::string_view schema{};       ///< for a json::Text in responses: the name of its schema
  std::string_view body_schema{};  ///< for a string or json::Text in bodies: the name of its schema
  /// For a string in bodies: the characters it may have, as a regular expression for JSON Schema. The code
  /// that checks the string declares it next to the check.
  std::string_view pattern{};
};

/// Enums in records specialize this with their keywords in the order of the enumerators.
template <class E>
struct Words;

template <class E>
concept Worded = requires {
  Words<E>::all;
};

template <Worded E>
[[nodiscard]] constexpr std::string_view word_of(E value) {
  return Words<E>::all[static_cast<std::size_t>(value)];
}

template <Worded E>
[[nodiscard]] std::optional<E> from_word(std::string_view word) {
  for (std::size_t i = 0; i < Words<E>::all.size(); ++i) {
    if (Words<E>::all[i] == word) return static_cast<E>(i);
  }
  return std::nullopt;
}

/// Characters (code points) of valid UTF-8.
[[nodiscard]] std::size_t chars_in(std::string_view utf8);

/// A struct with `static constexpr bool described = true` and
/// `template <class Self, class V> static void describe(Self& self, V& visitor)`.
template <class T>
concept Described = requires {
  T::described;
};

}  // namespace parley
