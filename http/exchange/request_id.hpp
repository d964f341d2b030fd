#pragma once
/// The id of each request, for its answer and the log (D10): the client's X-Request-Id if it is valid, otherwise a
/// new id. Thread: any.

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/time.hpp"

namespace parley::http {

class RequestIdSource {
 public:
  explicit RequestIdSource(Time now);

  [[nodiscard]] std::string next();
  /// `given` if it is 1 to 128 visible ASCII characters, otherwise a new id.
  [[nodiscard]] std::string keep_or_next(std::string_view given);

 private:
  /// Ids are unique, not secret: a random prefix for the process, and a counter.
  std::string prefix_;
  std::atomic<std::uint64_t> count_{0};
};

}  // namespace parley::http
