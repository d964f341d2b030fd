#pragma once
/// The runner of a LOCAL agent that is a command; it runs in this process. It asks the server for the tester's turn,
/// passes it to the command and records the answer. A fault of the command ends the result with the agent as the
/// source. Thread: one thread starts and stops it; the workers share an immutable list of results and a counter.

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "client/exec/exec_agent.hpp"
#include "client/remote/api.hpp"

namespace parley::client {

/// Passes the turn {message or action, message_id} of a result to the command and records the answer. A fault of the
/// command ends the result. `result` is the result as the server last returned it, and is replaced. Returns false if
/// the conversation cannot continue.
[[nodiscard]] bool answer_turn(Api& api, json::Document& result, const json::Value& turn, ExecAgent& agent);

class ExecRunner {
 public:
  /// `workers`: concurrent conversations; in mode pool at most the size of the pool.
  ExecRunner(ServerAddress server, ExecOptions options, std::vector<std::string> results,
             std::int64_t workers);
  ExecRunner(const ExecRunner&) = delete;
  ExecRunner& operator=(const ExecRunner&) = delete;
  /// Ends the conversations in progress and kills their processes.
  ~ExecRunner();

  [[nodiscard]] bool has_ended() const { return ended_ == threads_.size(); }
  /// Waits up to a second for the commands of the last conversations, and returns how many conversations left an
  /// answer that no turn had asked for.
  [[nodiscard]] std::int64_t surplus() const;

 private:
  void work();
  void drive(const std::string& result, ExecAgent& agent);

  ServerAddress server_;
  ExecOptions options_;
  const std::vector<std::string> results_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> ended_{0};
  std::atomic<std::int64_t> surplus_{0};
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

}  // namespace parley::client
