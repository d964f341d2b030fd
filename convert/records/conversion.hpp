#pragma once
/// One run of `convert`: its options, its inputs and its outcome. Importers add tests, checks and logs here. Names,
/// keys, limits, totals and the rule for tests without checks are kept in one place. One thread.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "convert/reading/inputs.hpp"
#include "convert/reading/node.hpp"
#include "convert/records/log_draft.hpp"
#include "convert/records/options.hpp"
#include "convert/records/report.hpp"

namespace parley::convert {

/// A position in a source, used to report faults and items.
struct At {
  const Source& source;
  Place place;
};

/// A test that is being read.
struct TestDraft {
  Test test;
  std::string at;  ///< FILE:LINE
  std::size_t checks_found = 0;
  bool cannot_play = false;                 ///< a turn was lost, so the test is disabled
  bool agent_begins = false;                ///< it was already reported that the agent speaks first
  std::map<std::string, std::size_t> lost;  ///< number of unmapped constructs, by construct
};

/// The result of one PATH.
struct Output {
  std::string path;
  Suite suite;
  std::string log_lines;
  std::size_t logs = 0;
};

class Conversion {
 public:
  explicit Conversion(Options given) : options(std::move(given)), inputs(faults) {}

  Options options;
  Faults faults;
  Inputs inputs;
  Report report;
  Totals totals;
  std::string notes;  ///< shown to people in addition to the report, such as the chosen columns

  /// Starts the output of a PATH. Names and keys are unique within one output.
  void begin_output(const std::string& path, const std::string& suite_name);
  [[nodiscard]] const std::vector<Output>& outputs() const { return outputs_; }
  [[nodiscard]] Suite& suite() { return outputs_.back().suite; }

  /// Starts a test and makes its name unique.
  [[nodiscard]] TestDraft begin_test(const std::string& name, const At& at);
  /// Adds a user turn. If the item is not_mapped, the user would say the text in a test that cannot be played.
  void say(TestDraft& draft, const std::string& text, const At& at, Item item);
  /// Sets the prose for the model tester. Lines that look like a script get a leading dash.
  void set_goal(TestDraft& draft, const std::string& text, const At& at, Item item);
  /// Adds a check, or reports why parley cannot store it: a text with a placeholder, or a pattern that RE2 rejects.
  void check(TestDraft& draft, Check check, const At& at, Item item);
  /// Reports a check that was not converted.
  void lose(TestDraft& draft, const At& at, Item item);
  /// Reports any other construct of a test under the test's name.
  void note(TestDraft& draft, const At& at, Item item);
  /// Reports, once for each test, that the agent speaks before the user. Checks of those words apply to the first turn.
  void note_agent_begins(TestDraft& draft, const At& at);
  void finish(TestDraft&& draft, const At& at);

  /// Stores the log and adds its line to the report. Returns its externalId; empty: a fault was added.
  std::string finish_log(LogDraft&& log, const At& at);
  /// The externalId for a log whose id in the source is `id`, before it is made unique.
  [[nodiscard]] std::string external_id(const std::string& id);
  /// The same for lines of the report that belong to a log; empty if rows become tests instead.
  [[nodiscard]] std::string log_name(const std::string& id) {
    return options.as == "tests" ? std::string() : external_id(id);
  }

 private:
  /// Maps each used name to the number to try for its next duplicate, so that 20,000 equal names stay fast.
  using Names = std::map<std::string, std::size_t>;
  std::string unique(Names& taken, const std::string& wanted, const std::string& gap);

  std::vector<Output> outputs_;
  Names names_;
  Names keys_;
  Names external_ids_;
};

/// Lowercase letters, digits and single hyphens, at most 64 characters; `fallback` if nothing is left.
[[nodiscard]] std::string slug_of(std::string_view text, std::string_view fallback);

}  // namespace parley::convert
