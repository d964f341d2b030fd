#include "actors/driving/workflow_actor.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "actors/base/actor_failure.hpp"
#include "actors/base/commit_outcome.hpp"
#include "actors/result/turn_requests.hpp"
#include "outbound/agents/answer.hpp"
#include "outbound/agents/callback_url.hpp"
#include "outbound/agents/github.hpp"

namespace parley::actors {
namespace {

constexpr std::chrono::seconds look_every{1};
/// Conflicts with the results' own commits, each of which is read again.
constexpr int marks_max = 16;

using Asked = std::variant<outbound::HttpRequest, AgentFailed>;

AgentFailed no_dispatch(const CallFault& fault) {
  return {fault.code, fault.detail, "infrastructure"};
}

Expected<Asked> request_of(const Services& world, const Id& agent_id,
                           const outbound::GithubDispatch& dispatch) {
  TRY(agent, world.store.snapshot().find<Agent>(agent_id));
  if (!agent) return unknown_record("agent", to_text(agent_id));
  if (agent->type != "GITHUB") {  // its client has given it another one since
    return Asked{no_dispatch(
        {"invalid_config", "the agent has the type '" + agent->type + "' now, which has no workflow"})};
  }
  TRY(secrets, opened_secrets(world, *agent));
  const auto config = outbound::github_config(agent->config);
  if (const auto* fault = std::get_if<CallFault>(&config)) return Asked{no_dispatch(*fault)};
  auto request = outbound::github_request(std::get<outbound::GithubConfig>(config), secrets, dispatch);
  if (const auto* fault = std::get_if<CallFault>(&request)) return Asked{no_dispatch(*fault)};
  return Asked{std::get<outbound::HttpRequest>(std::move(request))};
}

/// Why GitHub did not start the workflow, without the agent's secrets; nothing where it did.
Expected<std::optional<CallFault>> refusal_of(const Services& world, const Id& agent_id,
                                              const outbound::HttpAnswer& answer) {
  TRY(agent, world.store.snapshot().find<Agent>(agent_id));
  if (!agent) return unknown_record("agent", to_text(agent_id));
  TRY(secrets, opened_secrets(world, *agent));
  return outbound::read_github(answer, secrets);
}

/// The head of a result that still waits for its workflow. One that cannot be read is logged and left to the next start.
std::optional<ResultHead> waiting_head(const Services& world, const Id& id) {
  auto head = guarded<std::optional<ResultHead>>([&] { return world.store.snapshot().find<ResultHead>(id); });
  if (!head) {
    spdlog::error("result unreadable result={} detail=\"{}\"", to_text(id), head.problem().detail);
    return std::nullopt;
  }
  const bool waits = *head && (*head)->status == ResultStatus::pending;
  return waits ? std::move(head).value() : std::nullopt;
}

/// Why a result was not started in time, including any cause that stops every workflow of its agent.
std::string words_of_delay(const Services& world, const ResultHead& head) {
  std::string words = "No workflow started this result within --github-timeout.";
  const auto fault = guarded<std::optional<std::string>>([&]() -> Expected<std::optional<std::string>> {
    TRY(agent, world.store.snapshot().find<Agent>(head.agent.id));
    if (!agent || agent->type != "GITHUB") return std::optional<std::string>{};
    const auto config = outbound::github_config(agent->config);
    const auto* good = std::get_if<outbound::GithubConfig>(&config);
    if (good == nullptr) return std::optional<std::string>{};
    return outbound::fault_of_callback(world.settings.public_url, *good);
  });
  if (fault && *fault) words += " " + **fault;
  return words;
}

}  // namespace

WorkflowActor::WorkflowActor(caf::actor_config& config, Services& world, Writer writer)
    : Workflow::base(config), world_(world), writer_(std::move(writer)) {}

WorkflowActor::behavior_type WorkflowActor::make_behavior() {
  set_exception_handler(ends_process("workflow actor", world_));
  set_exit_handler([this](const caf::exit_msg&) {
    is_leaving_ = true;
    quit_if_done();
  });
  delayed_send(this, look_every, Tick{});
  return {
      [this](const StartWorkflow& work) { start(work, marks_max); },
      [this](const WorkflowReturned& message) { returned(message); },
      [this](Tick) { tick(); },
      [this](const Introduce& introduce) { directory_ = caf::actor_cast<Directory>(introduce.directory); },
  };
}

void WorkflowActor::on_exit() {
  directory_ = nullptr;
  writer_ = nullptr;
}

void WorkflowActor::start(const StartWorkflow& work, int tries_left) {
  if (is_stopping()) return;  // nothing is marked, and the next start asks
  for (std::size_t from = 0; from < work.results.size(); from += outbound::github_ids_max) {
    const std::size_t to = std::min(work.results.size(), from + outbound::github_ids_max);
    Batch batch{work.run, {}, {}, world_.outside.epoch()};
    store::ChangeSet changes;
    for (std::size_t i = from; i < to; ++i) {
      const auto head = waiting_head(world_, work.results[i]);
      if (!head) continue;
      if (head->workflow_asked_at) {
        watch(*head->workflow_asked_at, {work.results[i]});
        continue;
      }
      ResultHead next = *head;
      next.workflow_asked_at = world_.clock.now();
      next.stamp.updated_at = std::max(world_.clock.now(), Time{next.stamp.updated_at.ms + 1});
      changes.replace(*head, next);
      batch.agent = next.agent.id;
      batch.results.push_back(work.results[i]);
    }
    if (!batch.results.empty()) mark(std::move(batch), std::move(changes), tries_left);
  }
}

void WorkflowActor::mark(Batch batch, store::ChangeSet changes, int tries_left) {
  commit(std::move(changes), [this, batch, tries_left](const store::Outcome& outcome) {
    if (outcome.kind == store::Outcome::Kind::committed) {
      if (is_stopping()) return take_back(batch.results, marks_max);
      send(directory_, ReloadResults{batch.results});
      return ask(batch);
    }
    const bool again = outcome.kind == store::Outcome::Kind::conflict && tries_left > 0;
    if (again) return start(StartWorkflow{batch.run, batch.results}, tries_left - 1);
    if (is_stopping()) return;  // nothing is marked
    fail(batch.results, {"store_refuses", outcome.problem.detail, "infrastructure"},
         EndReason::infrastructure_error);
  });
}

void WorkflowActor::commit(store::ChangeSet changes, std::function<void(store::Outcome&)> then) {
  ++commits_;
  request(writer_, caf::infinite, Commit{std::move(changes)})
      .then(
          [this, then = std::move(then)](store::Outcome& outcome) {
            --commits_;
            then(outcome);
            quit_if_done();
          },
          [this](const caf::error&) {
            --commits_;
            quit_if_done();
          });
}

void WorkflowActor::quit_if_done() {
  if (is_leaving_ && commits_ == 0) quit(caf::exit_reason::user_shutdown);
}

void WorkflowActor::take_back(const std::vector<Id>& results, int tries_left) {
  store::ChangeSet changes;
  for (const Id& id : results) {
    const auto head = waiting_head(world_, id);
    if (!head || !head->workflow_asked_at) continue;
    ResultHead next = *head;
    next.workflow_asked_at.reset();
    next.stamp.updated_at = std::max(world_.clock.now(), Time{next.stamp.updated_at.ms + 1});
    changes.replace(*head, next);
  }
  if (is_empty(changes)) return;
  commit(std::move(changes), [this, results, tries_left](const store::Outcome& outcome) {
    if (outcome.kind == store::Outcome::Kind::committed) return;
    if (outcome.kind == store::Outcome::Kind::conflict && tries_left > 0)
      return take_back(results, tries_left - 1);
    spdlog::warn("dispatch that was not sent stays marked results={} detail=\"{}\"", results.size(),
                 outcome.problem.detail);
  });
}

void WorkflowActor::ask(Batch batch) {
  auto asked = guarded<Asked>([&] {
    return request_of(world_, batch.agent, {batch.run, batch.results, world_.settings.public_url});
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
  world_.outside.start(std::move(call), {},
                       [me = Workflow{this}, number](outbound::HttpOutcome outcome, int) {
                         caf::anon_send(me, WorkflowReturned{number, std::move(outcome)});
                       });
}

// Its run was canceled according to the results, or the call was canceled in favour of another one.
void WorkflowActor::ask_again(Batch batch) {
  batch.epoch = world_.outside.epoch();
  std::erase_if(batch.results, [&](const Id& id) { return !waiting_head(world_, id); });
  if (!batch.results.empty()) ask(std::move(batch));
}

void WorkflowActor::returned(const WorkflowReturned& message) {
  const auto found = asked_.find(message.number);
  if (found == asked_.end()) return;
  const Batch batch = std::move(found->second);
  asked_.erase(found);
  if (const auto* failure = std::get_if<outbound::Failure>(&message.outcome)) {
    // The workflow may have been started though the answer was lost, so its results are waited for.
    if (failure->was_sent) return watch(world_.clock.now(), batch.results);
    if (is_stopping()) return take_back(batch.results, marks_max);
    if (failure->kind == outbound::FailureKind::canceled) return ask_again(batch);
    return fail(batch.results, no_dispatch(outbound::fault_of(*failure)), EndReason::infrastructure_error);
  }
  const auto refused = guarded<std::optional<CallFault>>(
      [&] { return refusal_of(world_, batch.agent, std::get<outbound::HttpAnswer>(message.outcome)); });
  if (!refused || *refused) {
    const CallFault why = refused ? **refused : CallFault{"internal", refused.problem().detail};
    return fail(batch.results, no_dispatch(why), EndReason::infrastructure_error);
  }
  watch(world_.clock.now(), batch.results);
}

void WorkflowActor::watch(Time asked_at, const std::vector<Id>& results) {
  for (const Id& id : results) deadlines_.emplace(Time{asked_at.ms + world_.settings.github_timeout_ms}, id);
}

void WorkflowActor::fail(const std::vector<Id>& results, const AgentFailed& why, EndReason reason) {
  spdlog::warn("dispatch failed results={} code={} detail=\"{}\"", results.size(), why.code, why.detail);
  for (const Id& id : results) send(directory_, FailStart{id, StartTimedOut{why, reason}});
}

void WorkflowActor::tick() {
  const auto due = deadlines_.upper_bound(world_.clock.now());
  std::vector<Id> late;
  for (auto each = deadlines_.begin(); each != due; ++each) late.push_back(each->second);
  deadlines_.erase(deadlines_.begin(), due);
  for (const Id& id : late) {
    const auto head = waiting_head(world_, id);
    if (!head) continue;
    const AgentFailed why{"timeout", words_of_delay(world_, *head), "infrastructure"};
    send(directory_, FailStart{id, StartTimedOut{why, EndReason::timeout}});
  }
  delayed_send(this, look_every, Tick{});
}

}  // namespace parley::actors
