#pragma once
/// The use of a model by one role (tester or judge) for one result. Plain values.

#include <optional>
#include <string>

#include "model/description/record.hpp"
#include "model/values/chat.hpp"

namespace parley {

struct ModelUse {
  std::string model = {};     ///< the name that the endpoint reports, else the configured one
  std::int64_t calls = 0;     ///< answered calls, including those with void answers: they were paid for
  std::int64_t repeated = 0;  ///< cached answers, which cost nothing
  std::optional<std::int64_t> input_tokens = std::nullopt;  ///< sums over the answers that report them
  std::optional<std::int64_t> output_tokens = std::nullopt;
  std::optional<double> cost = std::nullopt;
  std::int64_t throttled = 0;  ///< answers that asked for fewer calls; not counted in `calls`

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("model", self.model, Rules{}, "");
    v.field("calls", self.calls, Rules{}, "");
    v.field("repeated", self.repeated, Rules{}, "");
    v.field("inputTokens", self.input_tokens, Rules{}, "");
    v.field("outputTokens", self.output_tokens, Rules{}, "");
    v.field("cost", self.cost, Rules{}, "");
    v.field("throttled", self.throttled, Rules{}, "");
  }
  bool operator==(const ModelUse&) const = default;

  [[nodiscard]] bool is_any() const { return calls > 0 || repeated > 0; }
  void add(const ModelUse& more);
  /// Adds one answer, from a call or from the cache.
  void add(const ChatAnswer& answer, bool is_repeated = false);
};

}  // namespace parley
