#pragma once
/// The visible state of a run and its results, in the terms of the interface: the state of the sequential model, and
/// the form into which the stored state is converted for comparison. Uses no record type of the product. Plain values.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/sim/engine/plan.hpp"
#include "tests/sim/engine/wish.hpp"

namespace parley::sim {

enum class Status : std::uint8_t { pending, running, completed, failed, canceled };
enum class RunState : std::uint8_t { fresh, pending, running, completed, failed, canceled };
enum class Canceled : std::uint8_t { not_at_all, by_operation, by_patch };

[[nodiscard]] constexpr bool is_over(Status status) {
  return status > Status::running;
}
[[nodiscard]] constexpr bool is_over(RunState state) {
  return state > RunState::running;
}

/// Identifies a result by the step that created the first result of its lineage, and by its place in the lineage.
struct Name {
  std::uint32_t root =
      0;  ///< first_root + n for the n-th result at the beginning of the plan, else the step's token
  std::uint32_t generation = 0;
  auto operator<=>(const Name&) const = default;
};
inline constexpr std::uint32_t first_root = 1'000;

/// An entry: identified by the token of its step if a client added it; a tester's turn or an agent's answer by its
/// number.
struct Said {
  enum class Sort : std::uint8_t { message, tool, registers, turn };
  std::uint32_t token = 0;
  Sort sort = Sort::message;
  bool is_inserted = false;
  bool says_hello = false;
  std::uint32_t born = 0;    ///< place in the order of creation
  std::uint64_t merged = 0;  ///< the steps whose metadata was merged, as a set of tokens
  bool operator==(const Said&) const = default;
};
inline constexpr std::uint32_t turn_base = 10'000;
inline constexpr std::uint32_t answer_base = 20'000;

struct One {
  Name name;
  Kind kind = Kind::client;
  Status status = Status::pending;
  bool is_ended = false;
  bool is_claimed = false;
  bool is_manual = false;
  bool is_free = false;     ///< a model plays its tester
  bool is_preview = false;  ///< it has no run
  bool is_retired = false;
  std::uint32_t metadata = 0;  ///< the step that last replaced it
  std::vector<Said> talk;      ///< in the order of the conversation
  // The verdict, if schedules rescore; otherwise empty.
  std::int64_t rescored = 0;  ///< number of rescores
  std::vector<Row> rows;
  Total total;
  bool operator==(const One&) const = default;
};

struct Shape {
  RunState run = RunState::fresh;
  Canceled canceled = Canceled::not_at_all;
  std::uint64_t kept = 0;  ///< the steps whose Idempotency-Key is stored, as a set of tokens
  std::vector<One> ones;   ///< by name
  /// Results whose next turn a client has requested and a model has yet to give (D47). Invisible; lost in a crash.
  std::set<Name> awaited;
  // The runners' leases on the run's agent as stored, including results that have started since (D73).
  std::set<Name> leased;
  std::int64_t leased_until = 0;  ///< ms; 0 if nothing is leased
  bool operator==(const Shape&) const = default;
  /// Whether both look the same from the outside.
  [[nodiscard]] bool shows(const Shape& seen) const;
  /// The leases of results that still wait. The lease of a result that started while a heartbeat was decided may be
  /// renewed with the others, and has no effect.
  [[nodiscard]] std::set<Name> held() const;

  [[nodiscard]] One* find(const Name& name);
  [[nodiscard]] const One* find(const Name& name) const;
  void add(One one);
  /// The newest result of the lineage.
  [[nodiscard]] One& newest(std::uint32_t root);
};

[[nodiscard]] std::size_t hash_of(const Shape& shape);
[[nodiscard]] std::string text_of(const Name& name);
[[nodiscard]] std::string text_of(const One& one);
[[nodiscard]] std::string text_of(const Shape& shape);

}  // namespace parley::sim
