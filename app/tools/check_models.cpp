// Asks each model a real question before a server depends on it: for a tester's turn, and for a criterion (D61,
// D105).

#include <chrono>
#include <cstdio>
#include <functional>
#include <future>

#include "actors/models/model_call.hpp"
#include "app/options/exit_codes.hpp"
#include "app/options/outbound_options.hpp"
#include "app/tools/tools.hpp"
#include "client/report/safe_text.hpp"
#include "outbound/redaction/redaction.hpp"
#include "scoring/prompts/criteria_question.hpp"
#include "tester/model_prompt.hpp"

namespace parley::app {
namespace {

/// Why the answer to a question cannot be used; nullopt if it can be used.
using Reading = std::function<std::optional<CallFault>(const ChatAnswer&)>;

struct Question {
  ChatRequest request;
  Reading read;
};

Entry said(IdSource& ids, Role role, std::string text) {
  Entry entry;
  entry.id = ids.next({});
  entry.role = role;
  entry.content = std::move(text);
  return entry;
}

/// Asks for a turn of a tester who has a question (D105).
Question tester_question() {
  static constexpr std::string_view instruction =
      "Ask the shop what a latte costs, and end when you know it.";
  static const VisibleEntries nothing_yet;
  const tester::Scene scene{.instruction = instruction, .conversation = nothing_yet};
  return {tester::tester_request(scene), [scene](const ChatAnswer& answer) -> std::optional<CallFault> {
            const auto turn = tester::read_tester(answer, scene);
            const auto* fault = std::get_if<CallFault>(&turn);
            return fault == nullptr ? std::nullopt : std::optional(*fault);
          }};
}

/// Asks about a criterion that clearly holds (D105).
Question judge_question() {
  RandomIds ids;
  const std::vector<Entry> entries{said(ids, Role::tester, "Hello, what does a latte cost?"),
                                   said(ids, Role::chatbot, "Hello! A latte costs 4.50 euros.")};
  Assertion assertion;
  assertion.type = "criteria";
  assertion.criteria = "The chatbot states the price of a latte.";
  auto asked = scoring::criteria_question({entries, std::nullopt}, assertion, actors::new_fence());
  return {std::get<scoring::CriteriaQuestion>(std::move(asked)).request,
          [entries](const ChatAnswer& answer) -> std::optional<CallFault> {
            auto judged = scoring::read_judgement({entries, std::nullopt}, answer);
            if (auto* fault = std::get_if<CallFault>(&judged)) {
              fault->detail += " The answer was: " + scoring::beginning_of(answer);
              return *fault;
            }
            if (std::get<scoring::Judgement>(judged).passed) return std::nullopt;
            return CallFault{"wrong_verdict", "The judge failed a criterion that clearly holds."};
          }};
}

struct ModelRole {
  const char* name;
  const std::optional<outbound::ChatEndpoint>& endpoint;
  Question question;
};

/// Why the model cannot be used; nullopt if it gave a valid answer.
std::optional<CallFault> fault_of_model(outbound::HttpClient& client, const outbound::ChatEndpoint& endpoint,
                                        const Question& question) {
  auto request = outbound::chat_request(endpoint, question.request);
  if (auto* fault = std::get_if<CallFault>(&request)) return std::move(*fault);
  std::promise<outbound::HttpOutcome> outcome;
  client.start(std::get<outbound::HttpRequest>(std::move(request)), {},
               [&](outbound::HttpOutcome answer, int) { outcome.set_value(std::move(answer)); });
  auto said = actors::chat_of(outcome.get_future().get(), endpoint);
  if (auto* none = std::get_if<actors::VoidAnswer>(&said)) return std::move(none->fault);
  auto fault = question.read(std::get<ChatAnswer>(said));
  if (fault) fault->detail = outbound::without_secrets(fault->detail, outbound::secrets_of(endpoint));
  return fault;
}

bool check(outbound::HttpClient& client, const ModelRole& role) {
  const auto began = std::chrono::steady_clock::now();
  const auto fault = fault_of_model(client, *role.endpoint, role.question);
  const auto ms =
      std::chrono::ceil<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began).count();
  const std::string where =
      std::string(role.name) + ": " + role.endpoint->model + " at " + role.endpoint->url;
  if (fault) {
    const std::string why = client::one_line(fault->detail);  // text from a model is escaped
    std::printf("%s FAILED (%s): %s\n", where.c_str(), fault->code.c_str(), why.c_str());
  } else {
    std::printf("%s answered in %lld ms\n", where.c_str(), static_cast<long long>(ms));
  }
  std::fflush(stdout);
  return !fault;
}

}  // namespace

int check_models(const Config& config) {
  const actors::Settings settings = settings_of(config);
  outbound::HttpClient client(call_limits_of(config), guard_of(config));
  bool is_good = settings.tester_model || settings.judge_model;
  for (const ModelRole& role : {ModelRole{"tester", settings.tester_model, tester_question()},
                                ModelRole{"judge", settings.judge_model, judge_question()}}) {
    if (role.endpoint) {
      is_good = check(client, role) && is_good;
    } else {
      std::printf("%s: no model is configured (--%s-url, --%s-model)\n", role.name, role.name, role.name);
    }
  }
  client.stop();
  return is_good ? 0 : exit_failed;
}

}  // namespace parley::app
