#include "actors/driving/agent_probe.hpp"

#include <chrono>

#include "actors/base/commit_outcome.hpp"
#include "actors/driving/probe_view.hpp"
#include "outbound/agents/agent.hpp"
#include "outbound/agents/answer.hpp"
#include "outbound/agents/callback_url.hpp"
#include "outbound/agents/github.hpp"
#include "outbound/agents/http_answer.hpp"
#include "outbound/redaction/redaction.hpp"

namespace parley::actors {
namespace {

constexpr std::string_view probe_text = "Hello";

/// The first turn of a conversation that is not recorded.
outbound::AgentTask probe(const Services& services, const std::optional<std::string>& trace) {
  outbound::AgentTask task;
  task.result = services.ids.next(services.clock.now());
  task.message = probe_text;
  task.trace = outbound::trace_of(task.result, task.result, trace);
  task.metadata.text = R"({"probe":true})";
  return task;
}

AgentProbe without_reply(CallFault fault) {
  AgentProbe check;
  check.said = std::move(fault);
  return check;
}

/// The call, or the outcome if no call is needed.
using Step = std::variant<outbound::AgentCall, AgentProbe>;

Expected<Step> begin(const Services& services, const CalledAgent& called,
                     const std::optional<std::string>& trace) {
  const Agent& agent = called.agent;
  const outbound::Secrets& secrets = called.secrets;
  if (agent.type == "GITHUB") {
    auto config = outbound::github_config(agent.config);
    if (const auto* fault = std::get_if<CallFault>(&config)) return Step{without_reply(*fault)};
    auto request = outbound::github_check_request(std::get<outbound::GithubConfig>(config), secrets);
    if (const auto* fault = std::get_if<CallFault>(&request)) return Step{without_reply(*fault)};
    return Step{outbound::AgentCall{std::get<outbound::HttpRequest>(std::move(request)), {}}};
  }
  auto turn = outbound::begin_turn(agent, secrets, probe(services, trace));
  if (auto* call = std::get_if<outbound::AgentCall>(&turn)) {
    call->retries = {};  // one attempt shows what a turn would get
    return Step{std::move(*call)};
  }
  if (auto* fault = std::get_if<outbound::AgentFault>(&turn)) return Step{without_reply(std::move(*fault))};
  AgentProbe check;
  check.said = std::get<outbound::AgentReply>(std::move(turn));
  return Step{std::move(check)};
}

/// Why GitHub refuses the workflow, or else why the workflow could not call back.
std::optional<CallFault> fault_of_workflow(const Services& services, const Agent& agent,
                                           const outbound::HttpAnswer& answer,
                                           const outbound::Secrets& secrets) {
  if (auto fault = outbound::read_github(answer, secrets)) return fault;
  const auto config = outbound::github_config(agent.config);
  if (const auto* fault = std::get_if<CallFault>(&config)) return *fault;
  auto detail =
      outbound::fault_of_callback(services.settings.public_url, std::get<outbound::GithubConfig>(config));
  if (!detail) return std::nullopt;
  return CallFault{"unreachable", std::move(*detail)};
}

void read_reply(AgentProbe& check, const CalledAgent& called, const outbound::HttpAnswer& answer) {
  outbound::AgentAnswer said = outbound::finish_turn(called.agent, answer, called.secrets);
  const auto* reply = std::get_if<outbound::AgentReply>(&said);
  auto fault = reply == nullptr ? std::nullopt : fault_of(*reply);
  if (fault) fault->detail = outbound::without_secrets(fault->detail, called.secrets);
  check.said = fault ? outbound::AgentAnswer(*fault) : std::move(said);
  const auto* wrong = std::get_if<CallFault>(&check.said);
  const bool is_unread = wrong != nullptr && outbound::is_success(answer) && called.agent.type == "HTTP";
  if (is_unread) check.proposal = outbound::proposed_reply(answer);
}

AgentProbe finish(const Services& services, const CalledAgent& called, const outbound::HttpOutcome& outcome) {
  if (const auto* failure = std::get_if<outbound::Failure>(&outcome)) {
    return without_reply(outbound::fault_of(*failure));
  }
  const auto& answer = std::get<outbound::HttpAnswer>(outcome);
  AgentProbe check;
  check.status = answer.status;
  check.duration_ms = answer.duration_ms;
  check.received = shown_answer(answer, called.secrets);
  if (called.agent.type != "GITHUB") {
    read_reply(check, called, answer);
  } else if (auto fault = fault_of_workflow(services, called.agent, answer, called.secrets)) {
    check.said = std::move(*fault);
  }
  return check;
}

}  // namespace

void check_agent(const Services& services, const Agent& agent, const std::optional<std::string>& trace,
                 Completion<AgentProbe> done) {
  auto secrets = guarded<outbound::Secrets>([&] { return opened_secrets(services, agent); });
  if (!secrets)
    return done(without_reply({"internal", secrets.problem().detail}));  // as the results report it
  check_agent(services, CalledAgent{agent, std::move(secrets).value()}, trace, std::move(done));
}

void check_agent(const Services& services, const CalledAgent& agent, const std::optional<std::string>& trace,
                 Completion<AgentProbe> done) {
  if (agent.agent.type != "GITHUB" && !is_server_driven(agent.agent.type)) {
    return done(problem(ProblemKind::invalid_state_for_request,
                        "the service never calls an agent of this type, so there is nothing to check"));
  }
  Expected<Step> step = guarded<Step>([&] { return begin(services, agent, trace); });
  if (!step) return done(std::move(step).problem());
  if (auto* known = std::get_if<AgentProbe>(&*step)) return done(std::move(*known));
  auto& call = std::get<outbound::AgentCall>(*step);
  // A steady clock, so that a jump of the wall clock does not appear as a duration; rounded up, as
  // responseTime is (D71).
  const auto began = std::chrono::steady_clock::now();
  ProbeSent sent = shown_call(call.request, agent.secrets);
  services.outside.start(
      std::move(call.request), call.retries,
      [&services, agent, began, sent, done](const outbound::HttpOutcome& outcome, int) {
        const auto* failure = std::get_if<outbound::Failure>(&outcome);
        if (failure != nullptr && failure->kind == outbound::FailureKind::canceled) return done(stopping());
        auto check =
            guarded<AgentProbe>([&]() -> Expected<AgentProbe> { return finish(services, agent, outcome); });
        if (check) check->sent = sent;
        // For a call without an answer: the time until it ended.
        if (check && failure != nullptr)
          check->duration_ms =
              std::chrono::ceil<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began).count();
        done(std::move(check));
      });
}

}  // namespace parley::actors
