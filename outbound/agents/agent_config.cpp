#include "outbound/agents/agent_config.hpp"

#include <algorithm>

#include "model/text/header_field_text.hpp"
#include "outbound/agents/openai.hpp"
#include "outbound/agents/request.hpp"
#include "outbound/formats/reply_form.hpp"
#include "outbound/formats/request_template.hpp"
#include "outbound/guard/url.hpp"

namespace parley::outbound {
namespace {

constexpr std::size_t name_bytes_max = 100;  ///< GitHub's own limit for repositories
constexpr std::size_t path_bytes_max = 255;

/// Fills a config and adds the faults of presence and type. Needs: faults of the JSON itself were already reported.
template <class Config>
Config parsed(const json::Text& text, Findings& findings) {
  Config config;
  const auto document = json::parse(text.text);
  if (!document.ok() || !document->root().is(json::Kind::object)) return config;
  Parser parser(document->root(), ParseMode::create, "/config", findings);
  Config::describe(config, parser);
  parser.finish();
  return config;
}

void check_url(std::string_view url, std::string_view key, Findings& findings) {
  // A missing value, or one of the wrong type or length, was already reported.
  if (url.empty() || url.size() > url_bytes_max) return;
  const auto parsed_url = parse_url(url);
  if (const auto* failure = std::get_if<Failure>(&parsed_url)) {
    findings.add("/config/" + std::string(key), "must be a URL that can be called: " + failure->detail);
  }
}

void check_headers(const json::Text& text, Findings& findings) {
  const auto document = json::parse(text.text);
  if (document->root().size() > headers_max) findings.add("/config/headers", "must have at most 64 headers");
  for (const json::Value& header : document->root().children()) {
    const std::string pointer = "/config/headers/" + json::pointer_token(header.key());
    if (!is_token(header.key())) {
      findings.add(pointer, "must be a valid header name");
    } else if (!header.is(json::Kind::string) || !is_field_text(header.string())) {
      findings.add(pointer, "must be text without control characters");
    } else if (is_own_field(header.key())) {
      findings.add(pointer, "is set by the service");
    } else if (header.key().size() + header.string().size() > sent_field_bytes_max) {
      findings.add(pointer, "must be at most 8 KiB, including its name");
    }
  }
}

void check_oauth(const std::optional<OAuthConfig>& oauth, Findings& findings) {
  if (oauth) check_url(oauth->token_url, "oauth/tokenUrl", findings);
}

void check_rules(const HttpConfig& config, Findings& findings) {
  check_url(config.url, "url", findings);
  check_url_template(config.url, "/config/url", findings);
  check_oauth(config.oauth, findings);
  check_headers(config.headers, findings);
  check_query(json::parse(config.query.text)->root(), "/config/query", findings);
  if (config.request) check_template(json::parse(config.request->text)->root(), "/config/request", findings);
  if (config.reply) check_reply_form(json::parse(config.reply->text)->root(), "/config/reply", findings);
}

void check_rules(const OpenAiConfig& config, Findings& findings) {
  check_url(config.url, "url", findings);
  check_oauth(config.oauth, findings);
  const auto parameters = json::parse(config.parameters.text);
  for (const std::string_view key : reserved_parameters()) {
    if (!parameters->root().find(key)) continue;
    findings.add("/config/parameters/" + std::string(key), "is set by the service");
  }
  const auto tools = json::parse(config.tools.text);
  std::size_t index = 0;
  for (const json::Value& tool : tools->root().children()) {
    if (!tool.is(json::Kind::object)) {
      findings.add("/config/tools/" + std::to_string(index), "must be a tool definition");
    }
    ++index;
  }
}

bool is_dots(std::string_view text) {
  return text == "." || text == "..";
}

/// A name that a path can contain without escapes.
bool is_github_name(std::string_view name) {
  const auto is_allowed = [](char c) {
    return is_token_char(c) && std::string_view("!#$%&'*+^`|~").find(c) == std::string_view::npos;
  };
  return name.size() <= name_bytes_max && !is_dots(name) && std::all_of(name.begin(), name.end(), is_allowed);
}

/// A file name or a branch: text on one line, without characters that a path or a shell interprets.
bool is_line(std::string_view text) {
  return text.size() <= path_bytes_max && is_field_text(text) &&
         text.find_first_of(" \t\\") == std::string_view::npos;
}

void check_rules(const GithubConfig& config, Findings& findings) {
  if (!is_github_name(config.owner)) {
    findings.add("/config/owner", "must be the name of a user or organization");
  }
  if (!is_github_name(config.repo)) findings.add("/config/repo", "must be the name of a repository");
  if (!is_line(config.workflow) || is_dots(config.workflow) ||
      config.workflow.find('/') != std::string::npos) {
    findings.add("/config/workflow", "must be the file name or the number of a workflow");
  }
  if (!is_line(config.ref)) findings.add("/config/ref", "must be a branch or a tag");
  check_url(config.api_url, "apiUrl", findings);
  if (config.api_url.find_first_of("?#") != std::string::npos) {
    findings.add("/config/apiUrl", "must have no query");
  }
}

template <class Config>
void check(const json::Text& text, Findings& findings) {
  check_rules(parsed<Config>(text, findings), findings);
}

std::string known_types() {
  std::string text;
  for (const std::string_view type : agent_types) {
    if (!text.empty()) text += ", ";
    text += type.empty() ? "\"\"" : type;
  }
  return text;
}

template <class Config>
std::variant<Config, AgentFault> checked(const json::Text& text) {
  Findings findings;
  Config config = parsed<Config>(text, findings);
  check_rules(config, findings);
  if (findings.faults.empty()) return config;
  const Fault& fault = findings.faults.front();
  return AgentFault{"invalid_config",
                    "The agent's config is invalid: " + fault.pointer + " " + fault.detail + "."};
}

}  // namespace

void check_agent_config(const Agent& agent, Findings& findings) {
  if (!is_agent_type(agent.type)) {
    return findings.add("/type", "must be one of " + known_types());
  }
  with_config_of(agent.type, [&]<class Config>(const Config&) { check<Config>(agent.config, findings); });
}

std::variant<HttpConfig, AgentFault> http_config(const json::Text& config) {
  return checked<HttpConfig>(config);
}

std::variant<OpenAiConfig, AgentFault> openai_config(const json::Text& config) {
  return checked<OpenAiConfig>(config);
}

std::variant<GithubConfig, AgentFault> github_config(const json::Text& config) {
  return checked<GithubConfig>(config);
}

}  // namespace parley::outbound
