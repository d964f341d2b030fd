#pragma once
/// A suite that is ready to be played: all files are read, all defaults, variants, data rows and matrix cells are
/// expanded, and all texts are checked. Plain values without references to the source files; any thread may read
/// them.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/suite/agent_check.hpp"
#include "model/source/source_fault.hpp"

namespace parley::client {

/// A place in a file. `file` is the path as messages show it.
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

/// How a command serves as an agent (`exec:`).
struct ExecSettings {
  enum class Mode : std::uint8_t { session, turn, pool };
  std::vector<std::string> command;  ///< program and arguments
  Mode mode = Mode::session;
  std::int64_t pool_size = 1;      ///< for mode pool
  std::vector<std::string> env;    ///< variables passed in addition to PATH, HOME, LANG, LC_ALL and TMPDIR
  std::filesystem::path cwd;       ///< absolute
  std::vector<std::string> watch;  ///< globs, as written
  std::int64_t timeout_ms = 30'000;
  std::int64_t retries = 0;
};

struct CompiledAgent {
  std::string key;   ///< key of the record
  std::string name;  ///< as written in the file
  std::string type;  ///< type of the record: HTTP, OPENAI, GITHUB, EXTERNAL, DEMO; LOCAL for `exec`
  std::string config = "{}";
  std::string secrets = "{}";
  std::string metadata = "{}";  ///< from `knowledge`
  std::optional<ExecSettings> exec;
  std::int64_t concurrency = 0;  ///< 0: not set
  FilePlace place;
};

struct CompiledPersona {
  std::string key;
  std::string name;
  std::string description;
  std::string instruction;
  FilePlace place;
};

/// An assertion level: `must` (BLOCKER), `should` (MAJOR) or `could` (MINOR).
enum class Level : std::uint8_t { must, should, could };
[[nodiscard]] std::string_view word_of(Level level);

/// An assertion of the composed case. `id` is the id in the record, and therefore in the results.
struct CompiledAssertion {
  std::string id;
  std::string name;  ///< may be empty
  std::string type;
  Level level = Level::must;
  FilePlace place;
};

struct Snapshot {
  std::string mode = "strict";      ///< mode of tool-set: strict, superset, subset or unordered
  std::vector<std::string> ignore;  ///< tool names
  std::filesystem::path file;       ///< `snapshots/RECORD_KEY.yaml` next to the suite; absolute
  bool is_recorded = false;         ///< the file exists
};

/// One test record: a test, a variant of a test, or a row of its data.
struct CompiledTest {
  std::string record_key;  ///< key of the record: KEY, KEY--VARIANT or KEY--ROW
  std::string key;         ///< key of the test in the file
  std::string variant;     ///< name of the variant; empty: not a variant
  std::string row;         ///< identifies the row of data; empty: not a row
  std::string name;  ///< as displayed: "Orders a latte", "Orders a latte · in Wien", "Finds any order #3"
  std::string scenario;  ///< key
  FilePlace place;       ///< of the test, or of the variant, in the YAML file
  std::vector<std::string> tags;
  std::string digest;  ///< 16 hex digits, over everything that affects how the test is played and judged
  bool is_enabled = true;
  bool is_script = false;  ///< true if the tester needs no model
  std::int64_t repeat = 1;
  std::optional<std::int64_t> max_turns;
  std::string persona;   ///< key; empty: the test sets no persona
  std::string from_log;  ///< external id; empty: no log
  std::string fields = "{}";
  std::string instruction;                    ///< composed with the parent's, before fields are substituted
  std::vector<CompiledAssertion> assertions;  ///< composed from defaults, parent and own assertions
  std::optional<Snapshot> snapshot;
  bool is_selected = true;  ///< false if PATH named other lines (`file.yaml:12`)
};

/// One combination to play: a test with an agent and a persona, `repeat` times.
struct Cell {
  std::string agent;         ///< key
  std::string test;          ///< record_key
  std::string persona = {};  ///< key; empty: no persona
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

/// Parses `4/5` into (4, 5). Returns nullopt if the text is not k/n with 1 <= k <= n <= 9999.
[[nodiscard]] std::optional<Ratio> ratio_of(std::string_view text);

/// `gate:`. A rule without a value is not checked.
struct GateSettings {
  std::optional<double> min_pass_rate;
  std::optional<Ratio> per_test;
  std::optional<double> min_score;
  std::string baseline;  ///< a run, `last-green` or a file; empty: no baseline
  bool allow_open = false;
  bool allow_undecided = false;
  std::optional<double> max_cost;
  std::optional<std::int64_t> max_time_ms;
};

struct CompiledSuite {
  std::string project;  ///< a slug
  std::string name;
  std::filesystem::path folder;  ///< folder of the root file, which is the project directory
  FilePlace place;               ///< the root file
  ModelSettings tester;
  ModelSettings judge;
  std::vector<CompiledAgent> agents;
  std::vector<CompiledPersona> personas;
  std::vector<CompiledScenario> scenarios;
  std::vector<CompiledTest> tests;
  std::vector<Cell> cells;
  std::size_t excluded = 0;  ///< number of combinations that `exclude` removed
  std::int64_t repeat = 1;
  std::int64_t concurrency = 0;  ///< 0: not set
  std::optional<std::int64_t> seed;
  std::optional<GateSettings> gate;
  std::vector<std::string> reporters;  ///< in the form of `--reporter`
  /// The body of POST /apply without `dryRun` and `prune`. It holds secrets: do nothing with it except send it.
  std::string apply_document;
  /// Values that must not appear in any output.
  std::vector<std::string> secrets;
  /// Where each part of the apply document is written: from JSON Pointer to place, for faults that a server reports.
  std::map<std::string, FilePlace> pointers;
};

/// Returns the number of cases: the sum of the repetitions of all cells.
[[nodiscard]] std::int64_t case_count(const CompiledSuite& suite);

struct LoadOptions {
  /// Files, folders (every `*.parley.yaml` in them) or `file.yaml:12`. Empty: `parley.yaml` in `folder` or its
  /// parents.
  std::vector<std::string> paths;
  std::filesystem::path folder = ".";  ///< `--project`, or the working directory
  std::map<std::string, std::string> environment;
  std::optional<std::filesystem::path> env_file;
  /// Whether the recorded calls of a test are not part of its assertions, so that new calls can be accepted. Null:
  /// they always are.
  std::function<bool(const CompiledTest&)> ignores_snapshot;
  /// Returns what is wrong with an item of `reporters`; empty if it is valid. Null: reporters are not checked.
  std::function<std::string(std::string_view)> reporter_fault;
  AgentCheck agent_check;  ///< null: the configs of agents are not checked
};

struct LoadedSuites {
  std::vector<CompiledSuite> suites;  ///< empty if a file has an error
  std::vector<source::SourceFault> faults;
  std::vector<std::filesystem::path> files;  ///< all files that were read or looked for; `watch` watches them
};

/// Reads, checks and compiles suites. Reads only files in the project folder, and uses no network.
[[nodiscard]] LoadedSuites load_suites(const LoadOptions& options);

}  // namespace parley::client
