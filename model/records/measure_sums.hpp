#pragma once
/// Sums of the recognized measures over chatbot messages (D35, D56): response time, tokens, cost. Plain values.

#include "model/records/entry.hpp"
#include "model/values/latency.hpp"

namespace parley {

/// Sum and count of one measure over the chatbot messages that carry it (D35, D56).
struct MeasureSum {
  double sum = 0;
  std::int64_t count = 0;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("s", self.sum, Rules{}, "");
    v.field("n", self.count, Rules{}, "");
  }
  void add(const std::optional<double>& value);
  MeasureSum& operator+=(const MeasureSum& other);
  /// nullopt without values, or if the sum went out of range (I59: never NaN).
  [[nodiscard]] std::optional<double> mean() const;
  bool operator==(const MeasureSum&) const = default;
};

struct MeasureSums {
  MeasureSum response_time;
  MeasureSum input_tokens;
  MeasureSum output_tokens;
  MeasureSum cost;
  SparseLatencies times;              ///< response times as a histogram; only after scoring
  std::optional<std::int64_t> turns;  ///< number of tester turns; only after scoring

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("rt", self.response_time, Rules{}, "");
    v.field("in", self.input_tokens, Rules{}, "");
    v.field("out", self.output_tokens, Rules{}, "");
    v.field("cost", self.cost, Rules{}, "");
    v.field("times", self.times, Rules{}, "");
    v.field("turns", self.turns, Rules{}, "");
  }
  void add(const Measures& measures);
  MeasureSums& operator+=(const MeasureSums& other);
  bool operator==(const MeasureSums&) const = default;
};

}  // namespace parley
