#include "store/views/aggregates.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "store/engine/value.hpp"

namespace parley::store {
namespace {

constexpr double picos = 1e12;
constexpr double value_max = 1e14;

/// Wraps instead of overflowing: 92,000 results of 1e14 each are nonsense anyway, and must stay removable.
std::int64_t sum_of(std::int64_t a, std::int64_t b, std::int64_t times) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) +
                                   static_cast<std::uint64_t>(b) * static_cast<std::uint64_t>(times));
}

void count_outcome(RunCounters& share, const ResultHead& head) {
  if (!head.has_outcome()) {
    share.undecided = 1;
  } else {
    (head.overall_passed ? share.passed : share.not_passed) = 1;
    share.score_sum = head.score;
  }
  if (!head.sums) return;
  share.response_time = Tally::of(head.sums->response_time);
  share.input_tokens = Tally::of(head.sums->input_tokens);
  share.output_tokens = Tally::of(head.sums->output_tokens);
  share.cost = Tally::of(head.sums->cost);
  add_latencies(share.times, head.sums->times);
}

/// Counts the result as an attempt of its chain of retries.
void count_attempt(RunCounters& share, const ResultHead& head) {
  if (head.retired_by) share.retries.at(static_cast<std::size_t>(retry_cause(head))) = 1;
  if (head.previous) return;
  share.first.total = 1;
  if (!before_retry(head).has_outcome()) return;
  (head.overall_passed ? share.first.passed : share.first.not_passed) = 1;
  share.first.score_sum = head.score;
}

void count_warnings(RunCounters& share, const ResultHead& head) {
  const WarningSet warned{head.warned.value_or(0)};
  for (std::size_t i = 0; i < warning_codes; ++i) {
    if (warned.has(static_cast<WarningCode>(i))) share.warnings.at(i) = 1;
  }
}

UseSums use_of(const std::optional<ModelUse>& use) {
  UseSums sums;
  if (!use) return sums;
  sums.calls = use->calls;
  const auto as_sum = [](const auto& value) {
    return value ? Tally::of({static_cast<double>(*value), 1}) : Tally{};
  };
  sums.input_tokens = as_sum(use->input_tokens);
  sums.output_tokens = as_sum(use->output_tokens);
  sums.cost = as_sum(use->cost);
  return sums;
}

void count_use(RunCounters& share, const ResultHead& head) {
  share.tester = use_of(head.tester_use);
  share.judge = use_of(head.judge_use);
  if (!head.sums) return;
  const MeasureSums& sums = *head.sums;
  share.agent.calls = std::max(
      {sums.response_time.count, sums.input_tokens.count, sums.output_tokens.count, sums.cost.count});
  share.agent.input_tokens = Tally::of(sums.input_tokens);
  share.agent.output_tokens = Tally::of(sums.output_tokens);
  share.agent.cost = Tally::of(sums.cost);
}

}  // namespace

Tally Tally::of(const MeasureSum& sum) {
  if (sum.count == 0 || std::isnan(sum.sum)) return {};
  const double value = std::clamp(sum.sum, -value_max, value_max);
  const double whole = std::floor(value);
  return {static_cast<std::int64_t>(whole), std::llround((value - whole) * picos), sum.count};
}

double Tally::sum() const {
  return static_cast<double>(whole) + static_cast<double>(pico) / picos;
}

std::optional<double> Tally::mean() const {
  if (count == 0) return std::nullopt;
  return sum() / static_cast<double>(count);
}

RunCounters run_share(const ResultHead& head) {
  RunCounters share;
  share.live = is_terminal(head.status) ? 0 : 1;
  count_attempt(share, head);
  count_use(share, head);
  if (head.retired_by) return share;
  count_warnings(share, head);
  switch (head.status) {
    case ResultStatus::pending: share.pending = 1; break;
    case ResultStatus::running: share.running = 1; break;
    case ResultStatus::failed: share.failed = 1; break;
    case ResultStatus::canceled: share.canceled = 1; break;
    case ResultStatus::completed:
      share.completed = 1;
      count_outcome(share, head);
      break;
  }
  return share;
}

CaseCounters case_share(const ResultHead& head) {
  if (head.retired_by) return {};
  const bool decided = head.has_outcome();
  return {.total = 1,
          .live = is_terminal(head.status) ? 0 : 1,
          .terminal = is_terminal(head.status) ? 1 : 0,
          .decided = decided ? 1 : 0,
          .passed = decided && head.overall_passed ? 1 : 0};
}

template <class Counters>
void add(Counters& sum, const Counters& share, std::int64_t times) {
  static_assert(sizeof(Counters) % sizeof(std::int64_t) == 0);
  std::array<std::int64_t, sizeof(Counters) / sizeof(std::int64_t)> numbers{};
  auto put = numbers.begin();
  Counters::each(share, [&](std::int64_t number) { *put++ = number; });
  auto next = numbers.begin();
  Counters::each(sum, [&](std::int64_t& number) { number = sum_of(number, *next++, times); });
}

template <class Counters>
bool is_zero(const Counters& counters) {
  return counters == Counters{};
}

template <class Counters>
std::string encode_counters(const Counters& counters) {
  std::string out;
  out.reserve(sizeof(Counters));
  Counters::each(counters, [&](std::int64_t number) { append_u64(out, static_cast<std::uint64_t>(number)); });
  return out;
}

template <class Counters>
std::optional<Counters> decode_counters(std::string_view payload) {
  Counters counters;
  std::size_t bytes = 0;
  Counters::each(counters, [&](std::int64_t) { bytes += 8; });
  if (payload.size() != bytes) return std::nullopt;
  // The counters of a run are some 200 numbers, and each GET of one of its live results reads them.
  Counters::each(counters, [at = payload.data()](std::int64_t& number) mutable {
    number = static_cast<std::int64_t>(u64_at({at, 8}));
    at += 8;
  });
  return counters;
}

template void add(RunCounters&, const RunCounters&, std::int64_t);
template void add(CaseCounters&, const CaseCounters&, std::int64_t);
template bool is_zero(const RunCounters&);
template bool is_zero(const CaseCounters&);
template std::string encode_counters(const RunCounters&);
template std::string encode_counters(const CaseCounters&);
template std::optional<RunCounters> decode_counters(std::string_view);
template std::optional<CaseCounters> decode_counters(std::string_view);

}  // namespace parley::store
