#include "actors/driving/workflow_actor.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "actors/base/actor_failure.hpp"
#include "actors/base/commit_outcome.hpp"
#include "actors/base/never_lost.hpp"
#include "actors/result/turn_requests.hpp"
#include "outbound/agents/answer.hpp"
#include "outbound/agents/callback_url.hpp"
#include "outbound/agents/github.hpp"

namespace parley::actors {
namespace {

constexpr std::chrono::seconds check_interval{1};

using Asked = std::variant<outbound::HttpRequest, AgentFailed>;

AgentFailed no_dispatch(const CallFault& fault) {
  return {fault.code, fault.detail, "infrastructure"};
}

Expected<Asked> request_of(const Services& services, const Id& agent_id,
                           const outbound::GithubDispatch& dispatch) {
  TRY(agent, services.store.snapshot().find<Agent>(agent_id));
  if (!agent) return unknown_record("agent", to_text(agent_id));
  if (agent->type != "GITHUB") {  // a client has changed its type since
    return Asked{no_dispatch(
        {"invalid_config", "the agent has the type '" + agent->type + "' now, which has no workflow"})};
  }
  TRY(secrets, opened_secrets(services, *agent));
  const auto config = outbound::github_config(agent->config);
  if (const auto* fault = std::get_if<CallFault>(&config)) return Asked{no_dispatch(*fault)};
  auto request = outbound::github_request(std::get<outbound::GithubConfig>(config), secrets, dispatch);
  if (const auto* fault = std::get_if<CallFault>(&request)) return Asked{no_dispatch(*fault)};
  return Asked{std::get<outbound::HttpRequest>(std::move(request))};
}

/// Why GitHub did not start the workflow, without the agent's secrets; nullopt if it did.
Expected<std::optional<CallFault>> refusal_of(const Services& services, const Id& agent_id,
                                              const outbound::HttpAnswer& answer) {
  TRY(agent, services.store.snapshot().find<Agent>(agent_id));
  if (!agent) return unknown_record("agent", to_text(agent_id));
  TRY(secrets, opened_secrets(services, *agent));
  return outbound::read_github(answer, secrets);
}

/// The head of a result that still waits for its workflow. An unreadable head is logged and left to the next
/// start.
std::optional<ResultHead> waiting_head(const Services& services, const Id& id) {
  auto head =
      guarded<std::optional<ResultHead>>([&] { return services.store.snapshot().find<ResultHead>(id); });
  if (!head) {
    spdlog::error("result unreadable result={} detail=\"{}\"", to_text(id), head.problem().detail);
    return std::nullopt;
  }
  const bool waits = *head && (*head)->status == ResultStatus::pending;
  return waits ? std::move(head).value() : std::nullopt;
}

/// Why a result was not started in time, including any cause that stops every workflow of its agent.
std::string words_of_delay(const Services& services, const ResultHead& head) {
  std::string words = "No workflow started this result within --github-timeout.";
  const auto fault = guarded<std::optional<std::string>>([&]() -> Expected<std::optional<std::string>> {
    TRY(agent, services.store.snapshot().find<Agent>(head.agent.id));
    if (!agent || agent->type != "GITHUB") return std::optional<std::string>{};
    const auto config = outbound::github_config(agent->config);
    const auto* good = std::get_if<outbound::GithubConfig>(&config);
    if (good == nullptr) return std::optional<std::string>{};
    return outbound::fault_of_callback(services.settings.public_url, *good);
  });
  if (fault && *fault) words += " " + **fault;
  return words;
}

}  // namespace

WorkflowActor::WorkflowActor(caf::actor_config& config, Services& services)
    : Workflow::base(config), services_(services) {}

WorkflowActor::behavior_type WorkflowActor::make_behavior() {
  set_exception_handler(ends_process("workflow actor", services_));
  set_exit_handler([this](const caf::exit_msg&) {
    is_leaving_ = true;
    quit_if_done();
  });
  delayed_send(this, check_interval, Tick{});
  return {
      [this](const StartWorkflow& work) { start(work); },
      [this](const WorkflowMarked& message) { marked(message); },
      [this](const WorkflowReturned& message) { returned(message); },
      [this](Tick) { tick(); },
      [this](const Introduce& introduce) { directory_ = caf::actor_cast<Directory>(introduce.directory); },
  };
}

void WorkflowActor::on_exit() {
  directory_ = nullptr;
  marking_.clear();
}

void WorkflowActor::start(const StartWorkflow& work) {
  if (is_stopping()) return;  // nothing is marked, and the next start sends the request
  for (std::size_t from = 0; from < work.results.size(); from += outbound::github_ids_max) {
    const std::size_t to = std::min(work.results.size(), from + outbound::github_ids_max);
    Batch batch{work.run, {}, {}, services_.outside.epoch()};
    for (std::size_t i = from; i < to; ++i) {
      const auto head = waiting_head(services_, work.results[i]);
      if (!head) continue;
      if (head->workflow_asked_at) {
        watch(*head->workflow_asked_at, {work.results[i]});
        continue;
      }
      batch.agent = head->agent.id;
      batch.results.push_back(work.results[i]);
    }
    mark(std::move(batch), true, [this](Batch marked) {
      if (is_stopping()) return take_back(std::move(marked));
      if (!marked.results.empty()) ask(std::move(marked));
    });
  }
}

void WorkflowActor::mark(Batch batch, bool is_requested, std::function<void(Batch)> then) {
  const std::vector<Id> results = std::exchange(batch.results, {});
  if (results.empty()) return;
  const std::uint64_t number = ++number_;
  Marking& marking = marking_[number];
  marking.batch = std::move(batch);
  marking.awaited = results.size();
  marking.is_requested = is_requested;
  marking.then = std::move(then);
  for (const Id& id : results) {
    const auto answer = [me = Workflow{this}, number, id](const Expected<ResultReply>& reply) {
      auto problem = reply ? std::nullopt : std::optional<Problem>(reply.problem());
      caf::anon_send(me, WorkflowMarked{number, id, std::move(problem)});
    };
    send(directory_,
         ToResult{id, ResultRequest{MarkWorkflow{is_requested}, never_lost<ResultReply>(answer)}});
  }
}

void WorkflowActor::marked(const WorkflowMarked& message) {
  const auto found = marking_.find(message.batch);
  if (found == marking_.end()) return;
  Marking& marking = found->second;
  if (!message.problem) {
    marking.batch.results.push_back(message.result);
  } else if (message.problem->kind == ProblemKind::busy && marking.is_requested) {
    delayed_send(this, retry_commit_after, StartWorkflow{marking.batch.run, {message.result}});
  } else if (message.problem->kind != ProblemKind::conflict) {  // a conflict means that it no longer waits
    marking.refused.push_back(message.result);
    marking.why = *message.problem;
  }
  if (--marking.awaited > 0) return;
  Marking ended = std::move(marking);
  marking_.erase(found);
  if (!ended.refused.empty()) refused(ended.refused, ended.why, ended.is_requested);
  ended.then(std::move(ended.batch));
  quit_if_done();
}

void WorkflowActor::refused(const std::vector<Id>& results, const Problem& why, bool is_requested) {
  if (!is_requested) {
    spdlog::warn("dispatch that was not sent stays marked results={} detail=\"{}\"", results.size(),
                 why.detail);
  } else if (!is_stopping()) {  // while stopping nothing is marked, and the next start sends the request
    fail(results, {"store_refuses", why.detail, "infrastructure"}, EndReason::infrastructure_error);
  }
}

void WorkflowActor::quit_if_done() {
  if (is_leaving_ && marking_.empty()) quit(caf::exit_reason::user_shutdown);
}

void WorkflowActor::take_back(Batch batch) {
  mark(std::move(batch), false, [](const Batch&) {});
}

void WorkflowActor::ask(Batch batch) {
  auto asked = guarded<Asked>([&] {
    return request_of(services_, batch.agent, {batch.run, batch.results, services_.settings.public_url});
  });
  if (!asked) {
    return fail(batch.results, {"internal", asked.problem().detail, "infrastructure"},
                EndReason::infrastructure_error);
  }
  if (const auto* why = std::get_if<AgentFailed>(&*asked)) {
    return fail(batch.results, *why, EndReason::infrastructure_error);
  }
  const std::uint64_t number = ++number_;
  asked_.emplace(number, std::move(batch));
  auto& call = std::get<outbound::HttpRequest>(*asked);
  call.group = asked_.at(number).run.value_or(Id{});
  call.epoch = asked_.at(number).epoch;
  services_.outside.start(std::move(call), {},
                          [me = Workflow{this}, number](outbound::HttpOutcome outcome, int) {
                            caf::anon_send(me, WorkflowReturned{number, std::move(outcome)});
                          });
}

// Either its run was canceled, which the results show, or the call was canceled in favor of another one.
void WorkflowActor::ask_again(Batch batch) {
  batch.epoch = services_.outside.epoch();
  std::erase_if(batch.results, [&](const Id& id) { return !waiting_head(services_, id); });
  if (!batch.results.empty()) ask(std::move(batch));
}

void WorkflowActor::returned(const WorkflowReturned& message) {
  const auto found = asked_.find(message.number);
  if (found == asked_.end()) return;
  const Batch batch = std::move(found->second);
  asked_.erase(found);
  if (const auto* failure = std::get_if<outbound::Failure>(&message.outcome)) {
    // The workflow may have started although the answer was lost, so the actor waits for its results.
    if (failure->was_sent) return watch(services_.clock.now(), batch.results);
    if (is_stopping()) return take_back(batch);
    if (failure->kind == outbound::FailureKind::canceled) return ask_again(batch);
    return fail(batch.results, no_dispatch(outbound::fault_of(*failure)), EndReason::infrastructure_error);
  }
  const auto refused = guarded<std::optional<CallFault>>(
      [&] { return refusal_of(services_, batch.agent, std::get<outbound::HttpAnswer>(message.outcome)); });
  if (!refused || *refused) {
    const CallFault why = refused ? **refused : CallFault{"internal", refused.problem().detail};
    return fail(batch.results, no_dispatch(why), EndReason::infrastructure_error);
  }
  watch(services_.clock.now(), batch.results);
}

void WorkflowActor::watch(Time asked_at, const std::vector<Id>& results) {
  for (const Id& id : results)
    deadlines_.emplace(Time{asked_at.ms + services_.settings.github_timeout_ms}, id);
}

void WorkflowActor::fail(const std::vector<Id>& results, const AgentFailed& why, EndReason reason) {
  spdlog::warn("dispatch failed results={} code={} detail=\"{}\"", results.size(), why.code, why.detail);
  for (const Id& id : results) send(directory_, FailStart{id, StartTimedOut{why, reason}});
}

void WorkflowActor::tick() {
  const auto due = deadlines_.upper_bound(services_.clock.now());
  std::vector<Id> late;
  for (auto each = deadlines_.begin(); each != due; ++each) late.push_back(each->second);
  deadlines_.erase(deadlines_.begin(), due);
  for (const Id& id : late) {
    const auto head = waiting_head(services_, id);
    if (!head) continue;
    const AgentFailed why{"timeout", words_of_delay(services_, *head), "infrastructure"};
    send(directory_, FailStart{id, StartTimedOut{why, EndReason::timeout}});
  }
  delayed_send(this, check_interval, Tick{});
}

}  // namespace parley::actors
