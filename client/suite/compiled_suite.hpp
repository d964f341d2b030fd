#pragma once
/// A suite ready to be played: every file read, every default, variant, data row and matrix cell expanded, every text checked.
/// Plain values without a link to the files they came from; any thread may read one.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/source/source_fault.hpp"

namespace parley::client {

/// The place of something in a file. `file` is the path in messages.
struct FilePlace {
  std::string file;
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  bool operator==(const FilePlace&) const = default;
};

/// `tester:` or `judge:`. The key is a secret.
struct ModelSettings {
  enum class Use : std::uint8_t { unset, none, model };
  Use use = Use::unset;
  std::string url;
  std::string model;
  std::string key;
  std::string parameters = "{}";  ///< a JSON object
  std::optional<std::int64_t> timeout_ms;

  bool operator==(const ModelSettings&) const = default;
};

/// How a command acts as an agent (`exec:`).
struct ExecSettings {
  enum class Mode : std::uint8_t { session, turn, pool };
  std::vector<std::string> command;  ///< program and arguments
  Mode mode = Mode::session;
  std::int64_t pool_size = 1;  ///< of mode pool
  std::vector<std::string>
      env;  ///< names of variables that the command gets in addition to PATH, HOME, LANG and TMPDIR
  std::filesystem::path cwd;       ///< absolute
  std::vector<std::string> watch;  ///< globs, as written
  std::int64_t timeout_ms = 30'000;
  std::int64_t retries = 0;
};

struct CompiledAgent {
  std::string key;   ///< of the record
  std::string name;  ///< as written in the file
  std::string type;  ///< of the record: HTTP, OPENAI, GITHUB, EXTERNAL, DEMO; LOCAL for `exec`
  std::string config = "{}";
  std::string secrets = "{}";
  std::string metadata = "{}";  ///< `knowledge`
  std::optional<ExecSettings> exec;
  std::int64_t concurrency = 0;  ///< 0: not given
  FilePlace place;
};

struct CompiledPersona {
  std::string key;
  std::string name;
  std::string description;
  std::string instruction;
  FilePlace place;
};

/// `must` (BLOCKER), `should` (MAJOR) and `could` (MINOR).
enum class Level : std::uint8_t { must, should, could };
[[nodiscard]] std::string_view word_of(Level level);

/// An assertion of the composed case. `id` is that of the record, and so of the results' assertions.
struct CompiledAssertion {
  std::string id;
  std::string name;  ///< may be empty
  std::string type;
  Level level = Level::must;
  FilePlace place;
};

struct Snapshot {
  std::string mode = "strict";      ///< of tool-set: strict, superset, subset or unordered
  std::vector<std::string> ignore;  ///< names of tools
  std::filesystem::path file;       ///< `snapshots/RECORD_KEY.yaml` next to the suite; absolute
  bool is_recorded = false;         ///< the file exists, so its calls are among the assertions
};

/// One test record: a test, a variant of one, or a row of its data.
struct CompiledTest {
  std::string record_key;  ///< of the record: KEY, KEY--VARIANT, KEY--ROW
  std::string key;         ///< of the test in the file
  std::string variant;     ///< name of the variant; empty: none
  std::string row;         ///< identifies the row of data; empty: none
  std::string name;  ///< as displayed: "Orders a latte", "Orders a latte · in Wien", "Finds any order #3"
  std::string scenario;  ///< key
  FilePlace place;       ///< of the test (a variant: of the variant) in the YAML file
  std::vector<std::string> tags;
  std::string digest;  ///< of everything that decides how it is played and judged: 16 hex digits
  bool is_enabled = true;
  bool is_script = false;  ///< no model is needed for the tester
  std::int64_t repeat = 1;
  std::optional<std::int64_t> max_turns;
  std::string persona;   ///< key; empty: none of its own
  std::string from_log;  ///< external id; empty: none
  std::string fields = "{}";
  std::string instruction;                    ///< composed with the parent's, before fields are filled in
  std::vector<CompiledAssertion> assertions;  ///< composed: defaults, parent, own
  std::optional<Snapshot> snapshot;
  bool is_selected = true;  ///< false: PATH named other lines (`file.yaml:12`)
};

/// One played combination: a test with an agent and a persona, `repeat` times.
struct Cell {
  std::string agent;         ///< key
  std::string test;          ///< record_key
  std::string persona = {};  ///< key; empty: none
  std::int64_t repeat = 1;
};

struct CompiledScenario {
  std::string key;
  std::string name;
  std::vector<std::string> agents;  ///< keys; empty: all
  FilePlace place;
};

/// k of n repetitions.
using Ratio = std::pair<std::int64_t, std::int64_t>;

/// `4/5` as (4, 5); nullopt: it is not of the form k/n with 1 <= k <= n <= 9999.
[[nodiscard]] std::optional<Ratio> ratio_of(std::string_view text);

/// `gate:`; absent values are not checked.
struct GateSettings {
  std::optional<double> min_pass_rate;
  std::optional<Ratio> per_test;
  std::optional<double> min_score;
  std::string baseline;  ///< a run, `last-green` or a file; empty: none
  bool allow_open = false;
  bool allow_undecided = false;
  std::optional<double> max_cost;
  std::optional<std::int64_t> max_time_ms;
};

struct CompiledSuite {
  std::string project;  ///< a slug
  std::string name;
  std::filesystem::path folder;  ///< of the root file: the project directory
  FilePlace place;               ///< of the root file
  ModelSettings tester;
  ModelSettings judge;
  std::vector<CompiledAgent> agents;
  std::vector<CompiledPersona> personas;
  std::vector<CompiledScenario> scenarios;
  std::vector<CompiledTest> tests;
  std::vector<Cell> cells;
  std::size_t excluded = 0;  ///< combinations that `exclude` left out
  std::int64_t repeat = 1;
  std::int64_t concurrency = 0;  ///< 0: not given
  std::optional<std::int64_t> seed;
  std::optional<GateSettings> gate;
  std::vector<std::string> reporters;  ///< as `--reporter` takes them
  /// The body of POST /apply without `dryRun` and `prune`. Holds secrets: send it and do nothing else with it.
  std::string apply_document;
  /// Values that no output may show.
  std::vector<std::string> secrets;
  /// Where each part of the apply document is written: JSON Pointer to place, for faults that a server reports.
  std::map<std::string, FilePlace> pointers;
};

/// Cases of the suite: cells times their repetitions.
[[nodiscard]] std::int64_t case_count(const CompiledSuite& suite);

struct LoadOptions {
  /// Files, folders (the `*.parley.yaml` in them) or `file.yaml:12`. Empty: `parley.yaml` in `folder` or its parents.
  std::vector<std::string> paths;
  std::filesystem::path folder = ".";  ///< `--project`, or the working directory
  std::map<std::string, std::string> environment;
  std::optional<std::filesystem::path> env_file;
  bool ignores_snapshots =
      false;  ///< recorded calls are not among the assertions, so that new ones can be accepted
  /// What is wrong with an item of `reporters`; empty: nothing. Null: they are not checked.
  std::function<std::string(std::string_view)> reporter_fault;
};

struct LoadedSuites {
  std::vector<CompiledSuite> suites;  ///< empty if a file has an error
  std::vector<source::SourceFault> faults;
  std::vector<std::filesystem::path> files;  ///< all that were read or searched for; `watch` watches them
};

/// Reads, checks and compiles. Reads files below the project folder only; no network.
[[nodiscard]] LoadedSuites load_suites(const LoadOptions& options);

}  // namespace parley::client
