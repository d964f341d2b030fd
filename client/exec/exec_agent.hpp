#pragma once
/// The commands of an exec agent, which holds one conversation after another. Modes: session (a process per
/// conversation), turn (a process per turn) and pool (a process for many conversations). Thread: each worker has its
/// own.

#include <atomic>
#include <memory>

#include "client/exec/agent_answer.hpp"
#include "client/exec/child_process.hpp"
#include "client/suite/compiled_suite.hpp"

namespace parley::client {

struct ExecOptions {
  std::string name;  ///< the name of the agent, for messages
  ExecSettings settings;
  std::vector<std::string> environment;  ///< PATH, HOME, LANG, LC_ALL, TMPDIR and `env`, as `NAME=value`
  std::vector<std::string> secrets;      ///< values that must not appear in any output
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::string_view line)> on_stderr;
};

/// Returns the environment of a command. It inherits no other variables from this process, and never PARLEY_KEY.
[[nodiscard]] std::vector<std::string> exec_environment(const ExecSettings& settings,
                                                        const char* const* environment);

/// One turn as a line of JSON. In a session, only the first line contains the conversation so far.
struct ExecTurn {
  std::int64_t number = 0;
  std::string with_conversation;
  std::string without_conversation;
};

class ExecAgent {
 public:
  explicit ExecAgent(ExecOptions options) : options_(std::move(options)) {}

  void begin_conversation();
  /// Asks the command once. The faults of the agent are exit, timeout, not_json, wrong_shape, empty_answer and
  /// too_large.
  [[nodiscard]] AnswerOrFault ask(const ExecTurn& turn);
  /// In mode session, waits until the command exits by itself, then terminates it.
  void end_conversation();
  /// Returns how many conversations left an answer that no turn had asked for. An earlier answer of such a
  /// conversation may belong to another turn.
  [[nodiscard]] std::int64_t surplus() const { return surplus_; }
  /// The last 64 KB of standard error, escaped and without secrets.
  [[nodiscard]] std::string errors() const;

 private:
  [[nodiscard]] AnswerOrFault ask_line(const ExecTurn& turn);
  [[nodiscard]] AnswerOrFault surplus_fault(std::string_view when);
  /// Counts a conversation whose process left output, and has the next one use another process.
  void note_surplus();
  [[nodiscard]] AnswerOrFault ask_process(const ExecTurn& turn);
  [[nodiscard]] CaseFault fault_of(ChildProcess::Wait wait, const ExecTurn& turn);
  [[nodiscard]] Expected<Done> start();

  ExecOptions options_;
  std::unique_ptr<ChildProcess> process_;
  std::int64_t lines_ = 0;  ///< lines that the process has answered
  std::int64_t surplus_ = 0;
  bool is_first_ = true;  ///< the next turn is the first of the conversation
  bool has_broken_ = false;
};

}  // namespace parley::client
