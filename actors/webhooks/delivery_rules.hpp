#pragma once
/// What follows from one attempt to reach a webhook, for the delivery and for the webhook. Pure functions.

#include "store/change.hpp"
#include "store/side/deliveries.hpp"

namespace parley::actors {

/// The outcome of an attempt.
struct Attempt {
  Time at;
  int status = 0;     ///< HTTP status; 0: no answer
  std::string error;  ///< why no answer came; empty if one came
  std::int64_t retry_after_ms = -1;

  [[nodiscard]] bool succeeded() const { return status >= 200 && status < 300; }
  /// 410: the receiver is gone.
  [[nodiscard]] bool is_refused() const { return status == 410; }
};

/// The delivery after the attempt: delivered, to be retried after `pause_ms`, or failed if it is as old as
/// `give_up_ms`.
[[nodiscard]] store::Delivery after_attempt(store::Delivery delivery, const Attempt& attempt,
                                            std::int64_t pause_ms, std::int64_t give_up_ms);

/// A delivery that is not retried any more.
[[nodiscard]] store::Delivery abandoned(store::Delivery delivery, Time now, std::string why);

/// Whether the delivery is too old for another attempt.
[[nodiscard]] bool is_too_old(const store::Delivery& delivery, Time now, std::int64_t give_up_ms);

/// The webhook after the attempt: disabled with the reason if the receiver refused, or nothing has succeeded for
/// `give_up_ms`. `failing_since`: when the failures began, as far as this process knows.
[[nodiscard]] Webhook after_attempt(Webhook webhook, const Attempt& attempt, Time failing_since,
                                    std::int64_t give_up_ms);

/// The text that the record shows for a failed attempt.
[[nodiscard]] std::string error_of(const Attempt& attempt);

}  // namespace parley::actors
