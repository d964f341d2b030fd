#include "http/views/result_warnings.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "tester/warnings.hpp"

namespace parley::http {
namespace {

bool has_any(WarningSet codes, std::initializer_list<WarningCode> wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](WarningCode code) { return codes.has(code); });
}

/// Finds the warnings again if the sentences for `codes` quote the case or the conversation. Nothing is read for
/// other codes: many results have them, and a GET must be cheap.
Expected<std::vector<Warning>> found_again(const store::Snapshot& snapshot, const ResultHead& head,
                                           std::uint32_t bound, WarningSet codes) {
  using enum WarningCode;
  const bool needs_play = has_any(codes, {script_unfinished, empty_answers});
  if (!needs_play && !has_any(codes, {no_blocker, unknown_placeholder, directive_lookalike}))
    return std::vector<Warning>{};
  TRY(test_case, snapshot.part<TestCase>(head));
  std::vector<Entry> entries;
  std::vector<std::uint32_t> lines;
  const auto visit = [&](std::uint32_t, const store::StoredEntry& stored) {
    if (auto entry = entry_from_stored(stored.json)) entries.push_back(std::move(entry).value());
    if (stored.role == Role::tester && !stored.is_inserted && !stored.is_history)
      lines.push_back(stored.origin);
    return true;
  };
  if (needs_play) TRY_DONE(snapshot.for_each_entry(head, visit, bound));
  const TestCase none;
  return tester::warnings_of_result({head, test_case ? *test_case : none, entries, lines});
}

}  // namespace

Expected<Done> write_warnings(json::Writer& out, const store::Snapshot& snapshot, const ResultHead& head,
                              std::uint32_t bound, WriteMode mode) {
  const WarningSet codes{head.warned.value_or(0)};
  std::vector<Warning> found;
  if (mode == WriteMode::full) {
    TRY(again, found_again(snapshot, head, bound, codes));
    found = std::move(again);
  }
  out.key("warnings").begin_array();
  for (std::size_t i = 0; i < warning_codes; ++i) {
    const auto code = static_cast<WarningCode>(i);
    if (!codes.has(code)) continue;
    const auto known =
        std::find_if(found.begin(), found.end(), [&](const Warning& one) { return one.code == code; });
    out.begin_object().member("code", word_of(code));
    out.member("detail", known != found.end() ? std::string_view(known->detail) : tester::sentence_of(code));
    out.end_object();
  }
  out.end_array();
  return Done{};
}

}  // namespace parley::http
