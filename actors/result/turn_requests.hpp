#pragma once
/// A result actor's questions to agents and models, and the conversion of their answers into events of the
/// result machine. Reads the conversation from a snapshot; outbound/ and tester/ write the question and read
/// the answer. No I/O except the snapshot; called on the actor pool.

#include <span>
#include <variant>

#include "actors/result/result_machine.hpp"
#include "actors/services.hpp"
#include "outbound/agents/agent.hpp"

namespace parley::actors {

/// Why a result could not record this answer, whose events register actions; nullopt if it could.
[[nodiscard]] std::optional<CallFault> fault_of(const outbound::AgentReply& reply);

/// The agent that a turn calls, read and decrypted once for the question and the answer.
struct CalledAgent {
  Agent agent;
  outbound::Secrets secrets;
  std::shared_ptr<const PriceTable> prices = nullptr;
  std::shared_ptr<const outbound::HttpConfig> config = nullptr;  ///< config of an HTTP agent, already parsed
};
struct AgentRequest {
  outbound::AgentCall call;
  CalledAgent to;
};
/// A call to make, or the outcome if no call is needed.
using AgentQuestion = std::variant<AgentRequest, AgentAnswered>;
/// Needs: `state` equals the snapshot and waits for the agent's answer. Problem: a record could not be read.
[[nodiscard]] Expected<AgentQuestion> ask_agent(const Services& services, const store::Snapshot& snapshot,
                                                const ResultState& state);
[[nodiscard]] AgentAnswered read_agent_answer(std::uint32_t turn, const CalledAgent& called,
                                              const outbound::HttpOutcome& outcome);

/// The tester's input, read and parsed once for all turns.
struct Instruction {
  std::string text;  ///< empty unless a model plays the tester
  Expected<tester::Script> script;
  bool is_for_model = false;  ///< a model plays the tester (D61)
};
[[nodiscard]] Expected<Instruction> load_instruction(const Services& services,
                                                     const store::Snapshot& snapshot, const ResultHead& head);

/// The tester's turn if a script plays it or no turns are left, or else the call to the model.
using TesterStep = std::variant<TesterSpoke, TesterFailed, outbound::HttpRequest>;
/// Needs: `state` equals the snapshot and waits for the tester.
[[nodiscard]] Expected<TesterStep> ask_tester(const Services& services, const store::Snapshot& snapshot,
                                              const ResultState& state, const Instruction& instruction);
/// TesterFailed with `is_void` means that the turn must be requested again.
struct TesterAnswer {
  std::variant<TesterSpoke, TesterFailed> said;
  bool is_void = false;
  ModelUse use = {};  ///< model use of this answer
};
/// `is_repeated`: the answer was cached.
[[nodiscard]] Expected<TesterAnswer> read_model_answer(
    const Services& services, const store::Snapshot& snapshot, const ResultState& state,
    const Instruction& instruction, const outbound::HttpOutcome& outcome, bool is_repeated);

/// Models treat a repeated question as the same question, so they are asked up to four times.
inline constexpr outbound::RetryRules tester_retries{
    .attempts = 4, .repeats_after_send = true, .waits_when_throttled = true, .provider = "tester"};
inline constexpr outbound::RetryRules judge_retries{
    .attempts = 4, .repeats_after_send = true, .waits_when_throttled = true, .provider = "judge"};

/// The agent's secrets, decrypted. Problem: internal if one was altered on disk.
[[nodiscard]] Expected<outbound::Secrets> opened_secrets(const Services& services, const Agent& agent);

}  // namespace parley::actors
