#pragma once
/// The fields that lists can filter by. The keys of `index` and `counts` make each filter one range of keys.
/// Pure values; any thread.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/description/record.hpp"

namespace parley::store {

/// The numbers are part of the format of the data file.
enum class Facet : std::uint8_t {
  all = 0,            ///< every record of the kind; value: nil
  folder = 1,         ///< scenario; one row for each folder
  created_by = 2,     ///< scenario, run
  visible = 3,        ///< scenario: nil if filed in any folder, else its creator (D21)
  scenario = 4,       ///< test, run
  parent_test = 5,    ///< test
  type = 6,           ///< agent; value: from the word
  owner = 7,          ///< agent, api_key
  agent = 8,          ///< run, test_result
  personality = 9,    ///< run
  run_group = 10,     ///< run
  status = 11,        ///< run, test_result; value: from the word
  scheduled = 12,     ///< run: whether a schedule created it; scheduled_run: whether it has something to do
  run = 13,           ///< test_result
  test = 14,          ///< test_result
  live = 15,          ///< up to schema 7: test_result while pending or running; value: nil
  live_of_run = 16,   ///< test_result while pending or running, under its run; always on the current shelf
  smart = 17,         ///< tag with a rule that applies automatically; value: nil
  tag = 18,           ///< external_log, from the id; test, from the text; one row for each tag
  linked_agent = 19,  ///< external_log; one row for each agent
  external_source = 20,  ///< external_log; value: from the text
  external_id = 21,      ///< external_log; value: from the text
  waiting = 22,          ///< pending test_result that a runner must start, under its agent; current shelf
  detecting = 23,        ///< run whose hallucination detection is in progress; current shelf
  owed = 24,  ///< test_result for which the service, not only a client, has work; value: nil; current shelf
  project = 32,  ///< record that a project's files own; value: from the slug
};

using FacetValue = std::array<std::uint8_t, 16>;

inline constexpr FacetValue nil_value{};
[[nodiscard]] constexpr FacetValue value_of(const Id& id) {
  return id.bytes;
}
[[nodiscard]] FacetValue value_of(bool flag);
/// The value of an enum word or a type: padded with zeros, or hashed if it has 16 bytes or more.
[[nodiscard]] FacetValue value_of(std::string_view word);

/// Whether a record has at most one value of the facet, so that the counts of different values can be added.
[[nodiscard]] constexpr bool is_single_valued(Facet facet) {
  return facet != Facet::folder && facet != Facet::tag && facet != Facet::linked_agent;
}

/// The location of a record's index rows, so that lists skip records at no cost. The numbers are part of the format.
enum class Shelf : std::uint8_t {
  current = 0,
  archived = 1,
  retired = 2,  ///< a result that a retry replaced
};
inline constexpr std::array all_shelves{Shelf::current, Shelf::archived, Shelf::retired};

/// One range of `index`: a kind, a facet, a value and a shelf.
struct Slice {
  RecordKind kind;
  Facet facet = Facet::all;
  FacetValue value = nil_value;
  Shelf shelf = Shelf::current;
};

/// The key in `counts` and the prefix in `index`: 19 bytes.
[[nodiscard]] std::string slice_key(const Slice& slice);
/// The key in `index`: 35 bytes.
[[nodiscard]] std::string index_key(const Slice& slice, const Id& id);

inline constexpr std::size_t slice_key_bytes = 19;
inline constexpr std::size_t index_key_bytes = 35;

}  // namespace parley::store
