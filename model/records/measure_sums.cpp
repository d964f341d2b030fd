#include "model/records/measure_sums.hpp"

#include <cmath>

namespace parley {

void MeasureSum::add(const std::optional<double>& value) {
  if (!value) return;
  sum += *value;
  ++count;
}

MeasureSum& MeasureSum::operator+=(const MeasureSum& other) {
  sum += other.sum;
  count += other.count;
  return *this;
}

std::optional<double> MeasureSum::mean() const {
  if (count == 0 || !std::isfinite(sum)) return std::nullopt;
  return sum / static_cast<double>(count);
}

void MeasureSums::add(const Measures& measures) {
  response_time.add(measures.response_time);
  input_tokens.add(measures.input_tokens);
  output_tokens.add(measures.output_tokens);
  cost.add(measures.cost);
}

MeasureSums& MeasureSums::operator+=(const MeasureSums& other) {
  response_time += other.response_time;
  input_tokens += other.input_tokens;
  output_tokens += other.output_tokens;
  cost += other.cost;
  return *this;
}

}  // namespace parley
