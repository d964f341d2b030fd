#include "model/values/model_use.hpp"

#include <cmath>
#include <limits>

namespace parley {
namespace {

/// Adds an untrusted number: a sum that would overflow stays at the maximum.
void add_to(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& part) {
  if (!part) return;
  std::int64_t added = 0;
  const bool is_over = __builtin_add_overflow(sum.value_or(0), *part, &added);
  sum = is_over ? std::numeric_limits<std::int64_t>::max() : added;
}

void add_to(std::optional<double>& sum, const std::optional<double>& part) {
  if (!part) return;
  const double added = sum.value_or(0) + *part;
  sum = std::isfinite(added) ? added : std::numeric_limits<double>::max();
}

}  // namespace

void ModelUse::add(const ModelUse& more) {
  if (!more.model.empty()) model = more.model;
  calls += more.calls;
  repeated += more.repeated;
  add_to(input_tokens, more.input_tokens);
  add_to(output_tokens, more.output_tokens);
  add_to(cost, more.cost);
  throttled += more.throttled;
}

void ModelUse::add(const ChatAnswer& answer, bool is_repeated) {
  if (is_repeated) return add(ModelUse{.model = answer.model, .repeated = 1});
  add(ModelUse{answer.model, 1, 0, answer.usage.input_tokens, answer.usage.output_tokens, answer.usage.cost,
               answer.throttled});
}

}  // namespace parley
