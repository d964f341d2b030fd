#pragma once
/// The position in the log that a data file has reached. The transaction that applies a row also writes it, so
/// both are on disk or neither is. Plain values. Thread: the functions as their argument.
///
///   meta "log" = log id (16) seq u64 digest (32) digest before (32)

#include <map>
#include <optional>
#include <string>

#include "store/changelog/change_log.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

inline constexpr std::string_view log_place_key = "log";

struct LogPlace {
  Id log;  ///< id of the log
  LogPosition at;
  Digest256 before{};  ///< digest at at.seq - 1; shows whether only the last row is missing from the log
  bool operator==(const LogPlace&) const = default;
};

[[nodiscard]] std::string encode_place(const LogPlace& place);
[[nodiscard]] std::optional<LogPlace> decode_place(std::string_view payload);
/// nullopt: the data file belongs to no log. Problem: internal if the row is damaged.
[[nodiscard]] Expected<std::optional<LogPlace>> log_place(const Snapshot& snapshot);

}  // namespace parley::store
