#pragma once
/// The commands of an exec agent: one conversation after another, in the modes session (a process for each conversation),
/// turn (a process for each turn) and pool (a process for many conversations). Thread: each worker has its own.

#include <atomic>
#include <memory>

#include "client/exec/agent_answer.hpp"
#include "client/exec/child_process.hpp"
#include "client/suite/compiled_suite.hpp"

namespace parley::client {

struct ExecOptions {
  std::string name;  ///< of the agent, for messages
  ExecSettings settings;
  std::vector<std::string> environment;  ///< PATH, HOME, LANG, TMPDIR and what `env` lists, as `NAME=value`
  std::vector<std::string> secrets;      ///< values that must not be shown
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::string_view line)> on_stderr;
};

/// The environment of a command. It inherits nothing else from this process, and never PARLEY_KEY.
[[nodiscard]] std::vector<std::string> exec_environment(const ExecSettings& settings,
                                                        const char* const* environment);

/// One turn as JSON on one line. The conversation so far is only in the first line of a session.
struct ExecTurn {
  std::int64_t number = 0;
  std::string with_conversation;
  std::string without_conversation;
};

class ExecAgent {
 public:
  explicit ExecAgent(ExecOptions options) : options_(std::move(options)) {}

  void begin_conversation();
  /// Asks once. The fault is the agent's: exit, timeout, not_json, wrong_shape or too_large.
  [[nodiscard]] AnswerOrFault ask(const ExecTurn& turn);
  /// Waits until the command exits by itself, then terminates it.
  void end_conversation();
  /// The last 64 KB that the command wrote to standard error, escaped, without secrets.
  [[nodiscard]] std::string errors() const;

 private:
  [[nodiscard]] AnswerOrFault ask_line(const ExecTurn& turn);
  [[nodiscard]] AnswerOrFault ask_process(const ExecTurn& turn);
  [[nodiscard]] CaseFault fault_of(ChildProcess::Wait wait, const ExecTurn& turn);
  [[nodiscard]] Expected<Done> start();

  ExecOptions options_;
  std::unique_ptr<ChildProcess> process_;
  std::int64_t lines_ = 0;  ///< lines that the process answered
  bool is_first_ = true;    ///< turn of the conversation
  bool has_broken_ = false;
};

}  // namespace parley::client
