#include <chrono>
#include <cstdio>
#include <future>

#include "actors/models/model_call.hpp"
#include "app/options/exit_codes.hpp"
#include "app/options/outbound_options.hpp"
#include "app/tools/tools.hpp"

namespace parley::app {
namespace {

/// The shortest possible answer; its content does not matter.
const ChatRequest question{{{ChatRole::user, "Answer with the word: ready"}}};

struct Role {
  const char* name;
  const std::optional<outbound::ChatEndpoint>& endpoint;
};

/// Why the model cannot be used; nullopt if it answered.
std::optional<CallFault> fault_of_model(outbound::HttpClient& client,
                                        const outbound::ChatEndpoint& endpoint) {
  auto request = outbound::chat_request(endpoint, question);
  if (auto* fault = std::get_if<CallFault>(&request)) return std::move(*fault);
  std::promise<outbound::HttpOutcome> outcome;
  client.start(std::get<outbound::HttpRequest>(std::move(request)), {},
               [&](outbound::HttpOutcome came, int) { outcome.set_value(std::move(came)); });
  auto said = actors::chat_of(outcome.get_future().get(), endpoint);
  if (auto* none = std::get_if<actors::VoidAnswer>(&said)) return std::move(none->fault);
  return std::nullopt;
}

bool check(outbound::HttpClient& client, const Role& role) {
  const auto began = std::chrono::steady_clock::now();
  const auto fault = fault_of_model(client, *role.endpoint);
  const auto ms =
      std::chrono::ceil<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began).count();
  const std::string where =
      std::string(role.name) + ": " + role.endpoint->model + " at " + role.endpoint->url;
  if (fault) {
    std::printf("%s FAILED (%s): %s\n", where.c_str(), fault->code.c_str(), fault->detail.c_str());
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
  for (const Role& role : {Role{"tester", settings.tester_model}, Role{"judge", settings.judge_model}}) {
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
