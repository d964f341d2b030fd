#pragma once
/// The external history of one schedule: commands and their answers, reads of the stored state, crashes, in the
/// order in which they happened. Plain values.

#include <string>
#include <vector>

#include "model/id.hpp"
#include "tests/sim/engine/shape.hpp"

namespace parley::sim {

/// The answer to a command; for `detail`, see detail_of_... in model.hpp.
struct Reply {
  int status = 0;
  std::uint64_t detail = 0;
  bool operator==(const Reply&) const = default;
};

inline constexpr std::int64_t no_time = INT64_MIN;
/// For a rescore request whose outcome was not read.
inline constexpr std::int64_t no_version = -1;

struct Op {
  Deed deed = Deed::look;
  Name target;
  std::uint32_t token = 0;   ///< identifies what the command adds; a repeat keeps the original's token
  std::uint32_t anchor = 0;  ///< token of the entry that an insert or a merge refers to
  bool is_after = true;
  std::uint32_t value = 0;
  bool has_key = false;
  Made made_as;  ///< the result that the command creates
  Id subject;    ///< id of the target
  Id anchor_id;  ///< id of the entry

  std::int64_t at = no_time;        ///< ms, the clock value when a heartbeat was decided
  std::int64_t earliest = no_time;  ///< the earliest clock value while the command was in progress
  std::int64_t latest = no_time;

  std::int64_t based_on =
      no_version;  ///< the number of earlier rescores of the result when a request was decided

  // The answer.
  int answers = 0;
  Reply reply;
  Id made;  ///< the entry, turn or clone that the answer identifies
  std::vector<Id> offered;
  int epoch = 0;  ///< the process that was called
};

struct Event {
  enum class Sort : std::uint8_t { invoked, answered, looked, crashed, noted };
  Sort sort = Sort::noted;
  std::size_t op = 0;
  Shape shape;  ///< for a read
  std::string note;
};

struct History {
  std::vector<Op> ops;
  std::vector<Event> events;
};

[[nodiscard]] std::string text_of(const History& history);

}  // namespace parley::sim
