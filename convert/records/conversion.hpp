#pragma once
/// One run of `convert`: the options, what was read, and the outcome. Importers add tests, checks and logs here; names,
/// keys, limits, sums and the rule about tests without checks are kept in one place. One thread.

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

/// A place in a source: what faults and items are reported with.
struct At {
  const Source& source;
  Place place;
};

/// A test while its parts are read.
struct TestDraft {
  Test test;
  std::string at;  ///< FILE:LINE
  std::size_t checks_found = 0;
  bool cannot_play = false;                 ///< a turn was lost, so the test is disabled
  bool agent_begins = false;                ///< that the agent speaks first was reported
  std::map<std::string, std::size_t> lost;  ///< constructs that were not mapped
};

/// What one PATH became.
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
  std::string notes;  ///< for people, in addition to the report: the columns that were chosen

  /// Starts the output of a PATH; names and keys are unique within it.
  void begin_output(const std::string& path, const std::string& suite_name);
  [[nodiscard]] const std::vector<Output>& outputs() const { return outputs_; }
  [[nodiscard]] Suite& suite() { return outputs_.back().suite; }

  /// A test whose name is made unique.
  [[nodiscard]] TestDraft begin_test(const std::string& name, const At& at);
  /// The user says this in the next turn, or, if the outcome is not_mapped, would say it in a test that cannot be played.
  void say(TestDraft& draft, const std::string& text, const At& at, Item item);
  /// The model tester gets this prose; lines that look like a script are quoted.
  void set_goal(TestDraft& draft, const std::string& text, const At& at, Item item);
  /// Adds a check, or reports why the product cannot hold it: a text with a placeholder, a pattern that RE2 does not know.
  void check(TestDraft& draft, Check check, const At& at, Item item);
  /// A check that is lost.
  void lose(TestDraft& draft, const At& at, Item item);
  /// Anything else of a test, by name.
  void note(TestDraft& draft, const At& at, Item item);
  /// Once for each test in which the agent speaks before the user; checks of what it says are about the first turn.
  void note_agent_begins(TestDraft& draft, const At& at);
  void finish(TestDraft&& draft, const At& at);

  /// Stores the log and adds its line to the report. Empty text: a fault was added.
  std::string finish_log(LogDraft&& log, const At& at);
  /// The externalId that a log with this id of the source will have.
  [[nodiscard]] std::string external_id(const std::string& id);

 private:
  /// Each taken name with the number that the next equal one tries first, so that 20,000 equal names are quick.
  using Names = std::map<std::string, std::size_t>;
  std::string unique(Names& taken, const std::string& wanted, const std::string& gap);

  std::vector<Output> outputs_;
  Names names_;
  Names keys_;
  Names external_ids_;
};

/// Lower case letters, digits and single hyphens, at most 64 characters; `fallback` if nothing is left.
[[nodiscard]] std::string slug_of(std::string_view text, std::string_view fallback);

}  // namespace parley::convert
