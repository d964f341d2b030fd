#pragma once
/// What was seen of one schedule from outside: commands and their answers, looks at the stored state, crashes, in the
/// order in which they happened. Plain values.

#include <string>
#include <vector>

#include "model/id.hpp"
#include "tests/sim/engine/shape.hpp"

namespace parley::sim {

/// What a command was answered; `detail` says more where there is more to say, see detail_of_... in model.hpp.
struct Reply {
  int status = 0;
  std::uint64_t detail = 0;
  bool operator==(const Reply&) const = default;
};

inline constexpr std::int64_t no_time = INT64_MIN;
/// Of a wish to score again that nobody has looked at.
inline constexpr std::int64_t no_version = -1;

struct Op {
  Deed deed = Deed::look;
  Name target;
  std::uint32_t token = 0;   ///< of what it adds; a repeat has that of the command it repeats
  std::uint32_t anchor = 0;  ///< token of the entry that an insert or a merge names
  bool is_after = true;
  std::uint32_t value = 0;
  bool has_key = false;
  Made made_as;  ///< of a result that it creates
  Id subject;    ///< id of the target
  Id anchor_id;  ///< id of the entry

  std::int64_t at = no_time;        ///< ms, what the clock told where a heartbeat was decided
  std::int64_t earliest = no_time;  ///< of what the clock told while it was under way
  std::int64_t latest = no_time;

  std::int64_t based_on =
      no_version;  ///< how often the result had been scored again where a wish was decided

  // What came back.
  int answers = 0;
  Reply reply;
  Id made;  ///< entry, turn or clone that the answer names
  std::vector<Id> offered;
  int epoch = 0;  ///< the process that was asked
};

struct Event {
  enum class Sort : std::uint8_t { invoked, answered, looked, crashed, noted };
  Sort sort = Sort::noted;
  std::size_t op = 0;
  Shape shape;  ///< of a look
  std::string note;
};

struct History {
  std::vector<Op> ops;
  std::vector<Event> events;
};

[[nodiscard]] std::string text_of(const History& history);

}  // namespace parley::sim
