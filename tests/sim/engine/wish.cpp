#include "tests/sim/engine/wish.hpp"

#include <array>

namespace parley::sim {
namespace {

constexpr std::array<std::string_view, 4> rule_words{"greets", "rule0", "rule1", "more"};
constexpr std::array<std::string_view, 5> asks_words{"hello", "p", "bye", "clause", "other words"};
constexpr std::array<std::string_view, 4> ruled_words{"+", "-", "skipped", "error"};

/// D30.
std::int64_t weight_by(Gravity gravity) {
  switch (gravity) {
    case Gravity::minor: return 1;
    case Gravity::major: return 3;
    case Gravity::blocker: break;
  }
  return 5;
}

std::uint64_t packed(const Total& total) {
  return static_cast<std::uint64_t>(total.score) * 4 + (total.passed ? 2U : 0U) +
         (total.is_decided ? 1U : 0U);
}

}  // namespace

Total total_of(const std::vector<Row>& rows) {
  std::int64_t of = 0;
  std::int64_t got = 0;
  Total total;
  bool is_open = false;
  for (const Row& row : rows) {
    const bool counts = row.ruled == Ruled::passed || row.ruled == Ruled::failed;
    const bool blocks = row.gravity == Gravity::blocker;
    if (counts) of += row.weight;
    if (row.ruled == Ruled::passed) got += row.weight;
    total.is_decided = total.is_decided || counts;
    is_open = is_open || (blocks && !counts);
    total.passed = total.passed && !(blocks && row.ruled != Ruled::passed);
  }
  total.is_decided = total.is_decided && !is_open;
  if (of > 0) total.score = (got * 200 + of) / (of * 2);
  return total;
}

Wish wish_of(std::uint32_t value) {
  Wish wish;
  wish.is_preview = value % 4 == 0;
  const std::uint32_t kind = value / 4 % 6;
  const std::uint32_t how = value / 24;
  Row row;
  row.gravity = static_cast<Gravity>(how % 3);
  constexpr std::array<std::int64_t, 3> weights{0, 2, 10};
  const std::int64_t weight = weights.at(how / 3 % weights.size());
  row.weight = weight == 0 ? weight_by(row.gravity) : weight;
  const auto add = [&](Rule rule, Asks asks) {
    row.rule = rule;
    row.asks = asks;
    wish.rows.push_back(row);
  };
  const auto text = static_cast<Asks>(how / 9 % 3);
  const auto other_text = static_cast<Asks>((how / 9 + 1) % 3);
  switch (kind) {
    case 0: break;  // unchanged
    case 1: add(Rule::greets, text); break;
    case 2: add(Rule::more, text); break;
    case 3: add(Rule::rule0, Asks::clause); break;
    case 4: add(Rule::rule0, Asks::other_words); break;
    default: add(Rule::greets, text), add(Rule::more, other_text); break;
  }
  return wish;
}

std::uint64_t rescore_detail(const Total& before, const Total& after, std::size_t flips, bool is_saved) {
  return ((packed(before) * 1'000 + packed(after)) * 10 + flips) * 10 + (is_saved ? 1U : 0U);
}

std::string text_of(Asks asks) {
  return std::string(asks_words.at(static_cast<std::size_t>(asks)));
}

std::string text_of(const std::vector<Row>& rows, const Total& total) {
  std::string text = std::to_string(total.score) + (total.passed ? "" : ",not passed") +
                     (total.is_decided ? "" : ",undecided") + "{";
  for (const Row& row : rows) {
    if (text.back() != '{') text += " ";
    text += std::string(rule_words.at(static_cast<std::size_t>(row.rule))) + ":" + text_of(row.asks) + "*" +
            std::to_string(row.weight) + (row.gravity == Gravity::blocker ? "!" : "") +
            std::string(ruled_words.at(static_cast<std::size_t>(row.ruled)));
  }
  return text + "}";
}

}  // namespace parley::sim
