#pragma once
/// Joins the logs of the traces of one conversation. A trace may repeat the whole history, its last exchanges (a window
/// of the history), the texts only, or nothing. Plain values; one thread.

#include <optional>
#include <vector>

#include "convert/records/conversion.hpp"

namespace parley::convert {

class JoinedLog {
 public:
  /// Adds the log of the next trace in order of time.
  void add(LogDraft&& part);
  /// Reports what the histories of later traces have and the log does not.
  void report(Conversion& conversion, const At& at, const std::string& log_name) const;
  [[nodiscard]] LogDraft take();

 private:
  /// A message of the user and what follows it.
  struct Exchange {
    std::optional<LogEntry> said;  ///< nullopt: what the agent says before the user
    std::vector<LogEntry> rest;
  };

  [[nodiscard]] static std::vector<Exchange> exchanges_of(std::vector<LogEntry>&& entries);
  [[nodiscard]] static bool is_same(const Exchange& known, const Exchange& repeated);
  [[nodiscard]] static bool goes_on(const Exchange& known, const Exchange& repeated);
  [[nodiscard]] std::size_t overlap_with(const std::vector<Exchange>& later) const;
  void merge(Exchange& known, Exchange&& repeated, bool is_last);

  LogDraft log_;  ///< without its entries
  std::vector<Exchange> exchanges_;
  std::size_t entries_ = 0;         ///< in the exchanges
  std::size_t other_texts_ = 0;     ///< in histories, and different from what was recorded
  std::size_t other_metadata_ = 0;  ///< members that the first trace has with another value
};

}  // namespace parley::convert
