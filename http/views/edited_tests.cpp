#include "http/views/edited_tests.hpp"

#include "model/description/record_write.hpp"
#include "model/description/stored_reader.hpp"
#include "model/records/test_result.hpp"

namespace parley::http {
namespace {

/// The most results of a test that are read. Those of a launch come first, but other runs may be launched at the same
/// moment.
constexpr std::size_t results_looked_at = 8;

/// The tests that have results in the run.
Expected<std::vector<Id>> tests_of(const store::Snapshot& snapshot, const Id& run) {
  std::vector<Id> tests;
  TRY_DONE(snapshot.for_each_case(run, [&](const Id& test, const store::CaseCounters&) {
    if (!test.is_nil()) tests.push_back(test);
  }));
  return tests;
}

/// The stored case of one result of the test in the run; empty if no such result is near the beginning of the run.
Expected<std::string_view> case_of(const store::Snapshot& snapshot, const Run& run, const Id& test) {
  const Id start = make_id(run.stamp.created_at(), {});
  for (const store::Shelf shelf : store::all_shelves) {
    const store::Slice results{RecordKind::test_result, store::Facet::test, store::value_of(test), shelf};
    for (const Id& id : snapshot.ids_in(results, start, results_looked_at)) {
      TRY(head, snapshot.find<ResultHead>(id));
      if (!head || !head->run || head->run->id != run.stamp.id) continue;
      TRY(found, snapshot.value(store::TableId::result_cases, id.key()));
      if (found) return found->payload;
    }
  }
  return std::string_view();
}

/// Compares values, because another version may have written the same case in different bytes.
bool is_same(std::string_view a, std::string_view b) {
  TestCase first, second;
  return a == b ||
         (parse_stored(a, first) && parse_stored(b, second) && write_stored(first) == write_stored(second));
}

}  // namespace

Expected<std::optional<std::vector<Id>>> EditedTests::next(const Run& run) {
  TRY(tests, tests_of(snapshot_, run.stamp.id));
  if (tests.size() > tests_max) return std::optional<std::vector<Id>>{};
  std::vector<Id> edited;
  for (const Id& test : tests) {
    TRY(played, case_of(snapshot_, run, test));
    if (played.empty()) continue;
    const auto [known, is_first] = cases_.try_emplace(test, played);
    if (is_first) continue;
    if (!is_same(known->second, played)) edited.push_back(test);
    known->second = played;
  }
  return std::optional(std::move(edited));
}

}  // namespace parley::http
