#pragma once
/// Compares two conversations turn by turn: which parts are equal and where they diverge. Turns are aligned by
/// number. Pure; any thread.
///
/// There are two levels. A *structural* difference is a different tester turn, tool call, argument or action, or an
/// earlier end. A difference in *wording* is a different chatbot text only.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/records/entry.hpp"
#include "model/values/end_reason.hpp"

namespace parley::http {

enum class Likeness : std::uint8_t { same, arguments, different, only_a, only_b };
[[nodiscard]] std::string_view word_of_likeness(Likeness likeness);

struct DiffedTurn {
  std::int64_t turn = 0;
  Likeness tester = Likeness::same;
  Likeness tools = Likeness::same;
  Likeness actions = Likeness::same;
  Likeness events = Likeness::same;
  Likeness agent = Likeness::same;
  std::vector<Id> a;  ///< ids of the entries
  std::vector<Id> b;
};

struct StructuralDifference {
  std::int64_t turn = 0;
  std::string_view what;  ///< tester, tool, action or end
  std::string says;       ///< a sentence
};

struct ConversationDiff {
  std::vector<DiffedTurn> turns;
  std::optional<StructuralDifference> structural;  ///< the first structural difference
  std::optional<std::int64_t> wording;             ///< the first turn that differs only in its text
};

struct DiffSide {
  const std::vector<Entry>& entries;
  std::optional<EndReason> end;
};
[[nodiscard]] ConversationDiff diff_of(const DiffSide& a, const DiffSide& b);

}  // namespace parley::http
