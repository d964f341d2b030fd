#pragma once
/// What can be seen of a run and its results, in the words of the interface: the state of the sequential model, and the
/// form into which what is stored is brought so that the two compare. Knows no record of the product. Plain values.

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

/// Results are told apart by the step that made the first of their lineage, and their place in it.
struct Name {
  std::uint32_t root = 0;  ///< first_root + n for the n-th that the plan begins with, else the step's token
  std::uint32_t generation = 0;
  auto operator<=>(const Name&) const = default;
};
inline constexpr std::uint32_t first_root = 1'000;

/// An entry: a client's by the token of its step, a tester's turn and an agent's answer by their number.
struct Said {
  enum class Sort : std::uint8_t { message, tool, registers, turn };
  std::uint32_t token = 0;
  Sort sort = Sort::message;
  bool is_inserted = false;
  bool says_hello = false;
  std::uint32_t born = 0;    ///< place in the order of creation
  std::uint64_t merged = 0;  ///< steps whose metadata was merged
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
  std::uint32_t metadata = 0;  ///< step that replaced it last
  std::vector<Said> talk;      ///< in the order of the conversation
  // Its verdict, where schedules score again; nothing elsewhere.
  std::int64_t rescored = 0;  ///< how often
  std::vector<Row> rows;
  Total total;
  bool operator==(const One&) const = default;
};

struct Shape {
  RunState run = RunState::fresh;
  Canceled canceled = Canceled::not_at_all;
  std::uint64_t kept = 0;  ///< steps whose Idempotency-Key is kept
  std::vector<One> ones;   ///< by name
  /// Whose next turn a client has asked for and a model has yet to say (D47). Nobody sees it; a crash forgets it.
  std::set<Name> awaited;
  // What runners hold of the run's agent, as it is stored: also what has been started since (D73).
  std::set<Name> leased;
  std::int64_t leased_until = 0;  ///< ms; 0 where nothing is leased
  bool operator==(const Shape&) const = default;
  /// Whether it looks like that from outside.
  [[nodiscard]] bool shows(const Shape& seen) const;
  /// Leases of what still waits. One of a result that was started while a heartbeat was decided may be renewed with the
  /// others, and means nothing.
  [[nodiscard]] std::set<Name> held() const;

  [[nodiscard]] One* find(const Name& name);
  [[nodiscard]] const One* find(const Name& name) const;
  void add(One one);
  /// The result of the lineage that was made last.
  [[nodiscard]] One& newest(std::uint32_t root);
};

[[nodiscard]] std::size_t hash_of(const Shape& shape);
[[nodiscard]] std::string text_of(const Name& name);
[[nodiscard]] std::string text_of(const One& one);
[[nodiscard]] std::string text_of(const Shape& shape);

}  // namespace parley::sim
