#include "actors/result/turn_requests.hpp"

#include <cmath>
#include <memory>
#include <utility>

#include "actors/base/case_fields.hpp"
#include "actors/models/model_call.hpp"
#include "actors/result/result_loading.hpp"
#include "actors/result/result_moves.hpp"
#include "model/json/json_writer.hpp"
#include "model/values/metadata.hpp"
#include "outbound/agents/answer.hpp"
#include "outbound/agents/template_values.hpp"
#include "outbound/redaction/redaction.hpp"
#include "tester/actions.hpp"
#include "tester/model_prompt.hpp"

namespace parley::actors {
namespace {

Expected<Agent> load_agent(const store::Snapshot& snapshot, const ResultState& state) {
  TRY(agent, snapshot.find<Agent>(state.head.agent.id));
  if (!agent) return unknown_record("agent", to_text(state.head.agent.id));
  return std::move(*agent);
}

AgentFailed failed(const CallFault& fault) {
  return {fault.code, fault.detail, "agent"};
}

/// Parley's own limits are not the agent's fault: an outage never counts as a wrong answer (D47a).
AgentFailed failed(const outbound::Failure& failure) {
  AgentFailed why = failed(outbound::fault_of(failure));
  if (failure.kind == outbound::FailureKind::overloaded) why.source = "infrastructure";
  return why;
}

PostEntry named_entry(EntryType type, const std::string& name, const json::Text& metadata) {
  PostEntry entry;
  entry.type = type;
  entry.name = name;
  entry.metadata = metadata;
  return entry;
}

/// The answer as entries, in the order of events: tools, events, the message.
std::variant<AgentSaid, AgentFailed> recorded(const outbound::AgentReply& reply) {
  std::vector<json::Text> metadata;
  for (const outbound::AgentEvent& event : reply.events) metadata.push_back(event.metadata);
  auto actions = tester::actions_of_events(metadata);
  if (const auto* fault = std::get_if<std::string>(&actions))
    return AgentFailed{"wrong_shape", *fault, "agent"};
  AgentSaid said;
  for (const outbound::AgentTool& tool : reply.tools) {
    said.entries.push_back(named_entry(EntryType::tool, tool.name, tool.metadata));
  }
  for (std::size_t i = 0; i < reply.events.size(); ++i) {
    const outbound::AgentEvent& event = reply.events[i];
    const EntryType type = event.is_public ? EntryType::public_event : EntryType::internal_event;
    said.entries.push_back(named_entry(type, event.name, event.metadata));
    said.entries.back().actions = std::get<std::vector<tester::EventActions>>(actions)[i];
  }
  PostEntry message;
  message.content = reply.message.value_or("");
  message.metadata = reply.metadata;
  said.entries.push_back(std::move(message));
  said.ends = reply.ends;
  return said;
}

AgentAnswered event_of(std::uint32_t turn, const outbound::AgentAnswer& answer) {
  if (const auto* fault = std::get_if<outbound::AgentFault>(&answer)) return {turn, failed(*fault)};
  AgentAnswered event{turn, AgentSaid{}};
  std::visit([&](auto&& what) { event.said = std::forward<decltype(what)>(what); },
             recorded(std::get<outbound::AgentReply>(answer)));
  return event;
}

/// Adds the cost of a message's tokens, if the agent names its model but no cost (D103).
void add_cost(json::Text& metadata, const PriceTable* prices) {
  if (prices == nullptr) return;
  const auto read = json::parse(metadata.text);
  if (!read.ok()) return;
  const json::Value root = read->root();
  const auto model = root.find("model");
  const Measures measures = measures_of(root);
  if (!model || !model->is(json::Kind::string) || measures.cost) return;
  const auto tokens = [](const std::optional<double>& count) -> std::optional<std::int64_t> {
    if (!count || *count < 0 || *count > 1e15) return std::nullopt;
    return std::llround(*count);
  };
  const auto cost =
      prices->cost_of(model->string(), {tokens(measures.input_tokens), tokens(measures.output_tokens), {}});
  if (!cost) return;
  json::Writer out;
  out.begin_object().key("cost").number(*cost);
  out.end_object();
  metadata = merged(metadata, json::Text{std::move(out).text()});
}

/// Everything that the tester's prompt shows; scene() points into the other members.
struct LoadedScene {
  std::string_view instruction;
  std::vector<tester::ActionDefinition> actions;
  VisibleEntries conversation;
  std::optional<tester::Persona> persona;

  [[nodiscard]] tester::Scene scene() const { return {instruction, persona, actions, conversation}; }
};

Expected<LoadedScene> load_scene(const store::Snapshot& snapshot, const ResultState& state,
                                 std::string_view instruction) {
  LoadedScene loaded;
  loaded.instruction = instruction;
  loaded.actions = state.registry;
  TRY(entries, load_entries(snapshot, state.head));
  loaded.conversation = VisibleEntries(std::move(entries));
  if (state.head.personality) {
    TRY(personality, snapshot.find_listed<Personality>(state.head.personality->id));
    if (personality) {
      loaded.persona = tester::Persona{personality->name, personality->description, personality->instruction};
    }
  }
  return loaded;
}

TesterSpoke spoke_of(std::uint32_t turn, tester::Turn said) {
  return {turn, std::move(said), std::string(played_by_model)};
}

}  // namespace

std::optional<CallFault> fault_of(const outbound::AgentReply& reply) {
  const auto whole = recorded(reply);
  const auto* fault = std::get_if<AgentFailed>(&whole);
  return fault == nullptr ? std::nullopt : std::optional(CallFault{fault->code, fault->detail});
}

Expected<outbound::Secrets> opened_secrets(const Services& services, const Agent& agent) {
  outbound::Secrets opened;
  const auto sealed = json::parse(agent.secrets.text);
  if (!sealed || services.secrets == nullptr) return opened;
  for (const json::Value& secret : sealed->root().children()) {
    TRY(plain, services.secrets->unseal(agent.stamp.id, secret.key(), secret.string()));
    opened.emplace(secret.key(), std::move(plain));
  }
  return opened;
}

Expected<AgentQuestion> ask_agent(const Services& services, const store::Snapshot& snapshot,
                                  const ResultState& state) {
  const std::uint32_t turn = state.slots[*state.unanswered].turn;
  TRY(agent, load_agent(snapshot, state));
  TRY(secrets, opened_secrets(services, agent));
  TRY(entries, load_texts(snapshot, state.head));
  TRY(extras, load_extras(snapshot, state.head));
  auto task =
      outbound::agent_task(state.head.stamp.id, std::move(entries), extras.metadata, state.head.trace);
  if (!task) return problem(ProblemKind::internal, "no tester turn waits for an answer");
  task->seed = state.head.seed;
  if (state.head.test && outbound::requires_fields(agent.config)) {
    TRY(fields, load_field_values(snapshot, state.head.test->id));
    task->fields = std::move(fields);
  }
  outbound::AgentStep step = outbound::begin_turn(agent, secrets, *task);
  if (auto* call = std::get_if<outbound::AgentCall>(&step)) {
    CalledAgent to{std::move(agent), std::move(secrets), services.settings.prices, call->config};
    return AgentQuestion{AgentRequest{std::move(*call), std::move(to)}};
  }
  if (const auto* fault = std::get_if<outbound::AgentFault>(&step))
    return AgentQuestion{event_of(turn, *fault)};
  return AgentQuestion{event_of(turn, std::get<outbound::AgentReply>(step))};
}

AgentAnswered read_agent_answer(std::uint32_t turn, const CalledAgent& called,
                                const outbound::HttpOutcome& outcome) {
  if (const auto* failure = std::get_if<outbound::Failure>(&outcome)) return {turn, failed(*failure)};
  auto answer = outbound::finish_turn(called.agent, std::get<outbound::HttpAnswer>(outcome), called.secrets,
                                      called.config.get());
  if (auto* reply = std::get_if<outbound::AgentReply>(&answer))
    add_cost(reply->metadata, called.prices.get());
  auto event = event_of(turn, answer);
  event.throttled = std::get<outbound::HttpAnswer>(outcome).throttling.answers;
  // The detail of a fault in the offered actions contains their names.
  if (auto* why = std::get_if<AgentFailed>(&event.said))
    why->detail = outbound::without_secrets(why->detail, called.secrets);
  return event;
}

Expected<Instruction> load_instruction(const Services& services, const store::Snapshot& snapshot,
                                       const ResultHead& head) {
  TRY(test_case, snapshot.part<TestCase>(head));
  std::string text = test_case ? std::move(test_case->instruction) : std::string();
  auto script = tester::Script::parse(text);
  const Settings& settings = services.settings;
  const bool is_for_model =
      settings.tester != TesterMode::script && settings.tester_model && !tester::is_script(text);
  if (!is_for_model) text = {};  // thousands of conversations may be driven concurrently
  return Instruction{std::move(text), std::move(script), is_for_model};
}

Expected<TesterStep> ask_tester(const Services& services, const store::Snapshot& snapshot,
                                const ResultState& state, const Instruction& instruction) {
  if (!instruction.is_for_model) {
    TRY(spoke, script_turn(snapshot, state, instruction.script, services.settings.turns_max));
    return TesterStep{std::move(spoke)};
  }
  if (tester::is_out_of_turns(instruction.script, state.tester_turns, services.settings.turns_max)) {
    return TesterStep{spoke_of(state.tester_turns, tester::End{EndReason::max_turns})};
  }
  // The model's answer could not be recorded, so it is not called (D55).
  if (moves::full(state, 1, moves::entry_bytes(0))) {
    return TesterStep{spoke_of(state.tester_turns, tester::End{EndReason::conversation_full})};
  }
  if (const auto words = state.tester_turns == 0 ? tester::first_words(instruction.text) : std::nullopt)
    return TesterStep{spoke_of(0, tester::Say{*words})};
  TRY(loaded, load_scene(snapshot, state, instruction.text));
  ChatRequest chat = tester::tester_request(loaded.scene());
  chat.seed = state.head.seed;
  auto request = outbound::chat_request(*services.settings.tester_model, chat);
  if (const auto* fault = std::get_if<CallFault>(&request)) {
    return TesterStep{TesterFailed{state.tester_turns, fault->code, fault->detail}};
  }
  return TesterStep{std::get<outbound::HttpRequest>(std::move(request))};
}

Expected<TesterAnswer> read_model_answer(const Services& services, const store::Snapshot& snapshot,
                                         const ResultState& state, const Instruction& instruction,
                                         const outbound::HttpOutcome& outcome, bool is_repeated) {
  const std::uint32_t turn = state.tester_turns;
  const auto chat = chat_of(outcome, *services.settings.tester_model);
  if (const auto* nothing = std::get_if<VoidAnswer>(&chat)) {
    return TesterAnswer{TesterFailed{turn, nothing->fault.code, nothing->fault.detail}, nothing->again};
  }
  ModelUse use;
  const ChatAnswer& answer = std::get<ChatAnswer>(chat);
  use.add(answer, is_repeated);
  LoadedScene loaded{instruction.text, state.registry, {}, {}};
  if (tester::may_end(answer)) {
    TRY(entries, load_entries(snapshot, state.head));
    loaded.conversation = VisibleEntries(std::move(entries));
  }
  tester::ModelTurn said = tester::read_tester(answer, loaded.scene());
  if (const auto* fault = std::get_if<CallFault>(&said)) {
    return TesterAnswer{TesterFailed{turn, fault->code, fault->detail, {}}, true, use};
  }
  return TesterAnswer{spoke_of(turn, std::get<tester::Turn>(std::move(said))), false, use};
}

}  // namespace parley::actors
