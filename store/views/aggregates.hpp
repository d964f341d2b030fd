#pragma once
/// Numbers stored next to the records, so that a run's `result` costs the same for ten results as for ten
/// thousand (D35). All are sums of integers: adding and subtracting in any order gives the same result. Pure
/// values; any thread.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/records/retry_cause.hpp"
#include "model/records/test_result.hpp"
#include "model/values/warning.hpp"

namespace parley::store {

/// An exact sum of decimals: the whole part and millionths of a millionth are added separately. A double would
/// keep a rounding error of every value that was later subtracted, and could never get rid of an infinity.
struct Tally {
  std::int64_t whole = 0;
  std::int64_t pico = 0;
  std::int64_t count = 0;

  /// Counts values beyond 1e14 as 1e14.
  [[nodiscard]] static Tally of(const MeasureSum& sum);
  [[nodiscard]] double sum() const;
  /// nullopt if nothing was counted.
  [[nodiscard]] std::optional<double> mean() const;
  bool operator==(const Tally&) const = default;

  template <class Self, class F>
  static void each(Self& self, F&& f) {
    f(self.whole), f(self.pico), f(self.count);
  }
};

/// The first attempts of one run, whether or not they were retried.
struct FirstAttempts {
  std::int64_t total = 0;
  std::int64_t passed = 0;
  std::int64_t not_passed = 0;
  std::int64_t score_sum = 0;  ///< sum over passed and not_passed

  [[nodiscard]] std::int64_t decided() const { return passed + not_passed; }
  bool operator==(const FirstAttempts&) const = default;
};

/// The number of attempts that a retry replaced, by cause of failure, in the order of RetryCause.
using Retries = std::array<std::int64_t, Words<RetryCause>::all.size()>;

/// The number of results with each warning, in the order of WarningCode.
using WarningCounts = std::array<std::int64_t, warning_codes>;

/// The model usage of one role over the results of a run. Includes retried results, because they were paid for.
struct UseSums {
  std::int64_t calls = 0;
  Tally input_tokens;  ///< sum over the results that report input tokens
  Tally output_tokens;
  Tally cost;
  bool operator==(const UseSums&) const = default;

  template <class Self, class F>
  static void each(Self& self, F&& f) {
    f(self.calls);
    Tally::each(self.input_tokens, f), Tally::each(self.output_tokens, f), Tally::each(self.cost, f);
  }
};

/// Counters of one run, over results that no retry has replaced (head.retired_by absent). `live`, `first`,
/// `retries` and the model usage count all results.
struct RunCounters {
  std::int64_t pending = 0;
  std::int64_t running = 0;
  std::int64_t completed = 0;
  std::int64_t failed = 0;
  std::int64_t canceled = 0;
  std::int64_t passed = 0;      ///< completed, decided, overall_passed
  std::int64_t not_passed = 0;  ///< completed, decided, not passed
  std::int64_t undecided = 0;   ///< completed, not decided or not a valid trial
  std::int64_t score_sum = 0;   ///< sum over passed and not_passed
  std::int64_t live = 0;        ///< pending or running
  Tally response_time;          ///< over completed results, like the next three
  Tally input_tokens;
  Tally output_tokens;
  Tally cost;
  FirstAttempts first;
  Retries retries{};
  WarningCounts warnings{};
  UseSums agent;
  UseSums tester;
  UseSums judge;
  Latencies times{};  ///< response times of the chatbot, over completed results

  [[nodiscard]] std::int64_t total() const { return pending + running + completed + failed + canceled; }
  [[nodiscard]] std::int64_t decided() const { return passed + not_passed; }
  bool operator==(const RunCounters&) const = default;

  template <class Self, class F>
  static void each(Self& self, F&& f) {
    f(self.pending), f(self.running), f(self.completed), f(self.failed), f(self.canceled);
    f(self.passed), f(self.not_passed), f(self.undecided), f(self.score_sum), f(self.live);
    Tally::each(self.response_time, f), Tally::each(self.input_tokens, f);
    Tally::each(self.output_tokens, f), Tally::each(self.cost, f);
    f(self.first.total), f(self.first.passed), f(self.first.not_passed), f(self.first.score_sum);
    for (auto& number : self.retries) f(number);
    for (auto& number : self.warnings) f(number);
    UseSums::each(self.agent, f), UseSums::each(self.tester, f), UseSums::each(self.judge, f);
    for (auto& number : self.times) f(number);
  }
};

/// Counters of one test in one run, over results that no retry has replaced.
struct CaseCounters {
  std::int64_t total = 0;
  std::int64_t live = 0;
  std::int64_t terminal = 0;
  std::int64_t decided = 0;  ///< completed, decided, and a valid trial
  std::int64_t passed = 0;   ///< decided results with overall_passed
  bool operator==(const CaseCounters&) const = default;

  template <class Self, class F>
  static void each(Self& self, F&& f) {
    f(self.total), f(self.live), f(self.terminal), f(self.decided), f(self.passed);
  }
};

/// What one result adds to the counters of its run and of its case.
[[nodiscard]] RunCounters run_share(const ResultHead& head);
[[nodiscard]] CaseCounters case_share(const ResultHead& head);

template <class Counters>
void add(Counters& sum, const Counters& share, std::int64_t times);
template <class Counters>
[[nodiscard]] bool is_zero(const Counters& counters);
/// All numbers in order, i64 big-endian.
template <class Counters>
[[nodiscard]] std::string encode_counters(const Counters& counters);
/// nullopt for bytes of another length.
template <class Counters>
[[nodiscard]] std::optional<Counters> decode_counters(std::string_view payload);

}  // namespace parley::store
