#include "outbound/agents/github.hpp"

#include "model/check.hpp"
#include "model/json/json_writer.hpp"
#include "model/text/uri_escaped.hpp"
#include "outbound/agents/answer.hpp"
#include "outbound/agents/request.hpp"

namespace parley::outbound {
namespace {

constexpr std::int64_t github_timeout_ms = 30'000;

std::string ids_json(std::span<const Id> ids) {
  json::Writer out;
  out.begin_array();
  for (const Id& id : ids) out.string(to_text(id));
  out.end_array();
  return std::move(out).text();
}

std::string body_of(const GithubConfig& config, const GithubDispatch& dispatch) {
  json::Writer out;
  out.begin_object();
  out.member("ref", config.ref);
  out.key("inputs").begin_object();
  out.member("run_id", dispatch.run ? to_text(*dispatch.run) : "");
  out.member("test_result_ids", ids_json(dispatch.results));
  out.member("base_url", dispatch.base_url);
  out.end_object();
  out.end_object();
  return std::move(out).text();
}

/// The URL of the workflow.
std::string url_of(const GithubConfig& config) {
  std::string url = config.api_url;
  while (url.ends_with('/')) url.pop_back();
  return url + "/repos/" + uri_escaped(config.owner) + "/" + uri_escaped(config.repo) +
         "/actions/workflows/" + uri_escaped(config.workflow);
}

std::variant<HttpRequest, AgentFault> signed_request(const GithubConfig& config, const Secrets& secrets) {
  const auto token = secrets.find("token");
  if (token == secrets.end()) {
    return AgentFault{"invalid_secret", "A GITHUB agent needs the secret 'token'."};
  }
  HttpRequest request;
  request.url = url_of(config);
  if (auto fault = add_bearer(request.fields, token->first, token->second)) return *fault;
  request.fields.emplace_back("Accept", "application/vnd.github+json");
  request.fields.emplace_back("X-GitHub-Api-Version", "2022-11-28");
  request.fields.emplace_back("User-Agent", "parley");  // GitHub refuses calls without it
  set_timeout(request, github_timeout_ms);
  return request;
}

}  // namespace

std::variant<HttpRequest, AgentFault> github_request(const GithubConfig& config, const Secrets& secrets,
                                                     const GithubDispatch& dispatch) {
  CHECK(dispatch.results.size() <= github_ids_max);
  auto request = signed_request(config, secrets);
  if (auto* dispatched = std::get_if<HttpRequest>(&request)) {
    dispatched->url += "/dispatches";
    dispatched->fields.emplace_back("Content-Type", "application/json");
    dispatched->body = body_of(config, dispatch);
    dispatched->needs_fresh_connection = true;  // GitHub would start a workflow for each request (D72)
  }
  return request;
}

std::variant<HttpRequest, AgentFault> github_check_request(const GithubConfig& config,
                                                           const Secrets& secrets) {
  auto request = signed_request(config, secrets);
  if (auto* looked_up = std::get_if<HttpRequest>(&request)) looked_up->method = "GET";
  return request;
}

std::optional<AgentFault> read_github(const HttpAnswer& answer, const Secrets& secrets) {
  if (is_success(answer)) return std::nullopt;
  return bad_status(answer, {"GitHub", secrets});
}

}  // namespace parley::outbound
