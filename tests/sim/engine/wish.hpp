#pragma once
/// The content of a verdict and of a rescore request, in the terms of the interface (docs/reference/scoring.md, D30,
/// D34, D41): rows of assertions, and requests that override them. Uses no record type of the product. Pure.

#include <cstdint>
#include <string>
#include <vector>

namespace parley::sim {

/// An assertion, identified by its id; `more` has a generated id and is identified by its name.
enum class Rule : std::uint8_t { greets, rule0, rule1, more };
/// What an assertion asks: a text that the chatbot said, or a question to a judge.
enum class Asks : std::uint8_t { hello, posted, bye, clause, other_words };
enum class Gravity : std::uint8_t { minor, major, blocker };
enum class Ruled : std::uint8_t { passed, failed, skipped, error };

/// One assertion of a verdict.
struct Row {
  Rule rule = Rule::greets;
  Asks asks = Asks::hello;
  Gravity gravity = Gravity::major;
  std::int64_t weight = 3;
  Ruled ruled = Ruled::passed;
  bool operator==(const Row&) const = default;
};

/// The value of a result.
struct Total {
  std::int64_t score = 0;
  bool passed = true;
  bool is_decided = false;
  bool operator==(const Total&) const = default;
};
/// D34.
[[nodiscard]] Total total_of(const std::vector<Row>& rows);

/// The body of POST /test-results/{id}/rescore. Its rows have no verdicts yet.
struct Wish {
  bool is_preview = false;
  std::vector<Row> rows;
};
/// The request that a step with this value sends.
[[nodiscard]] Wish wish_of(std::uint32_t value);

/// The `detail` of the reply: the old and the new value, the number of assertions whose status changed, and whether the
/// rescore was saved.
[[nodiscard]] std::uint64_t rescore_detail(const Total& before, const Total& after, std::size_t flips,
                                           bool is_saved);

/// The text that an assertion searches for. Precondition: it searches for a text.
[[nodiscard]] std::string text_of(Asks asks);
[[nodiscard]] std::string text_of(const std::vector<Row>& rows, const Total& total);

}  // namespace parley::sim
