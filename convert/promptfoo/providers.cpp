#include "convert/promptfoo/providers.hpp"

#include <algorithm>
#include <array>

#include "convert/promptfoo/settings.hpp"
#include "convert/records/conversion.hpp"
#include "convert/records/escapes.hpp"
#include "convert/records/suite_text.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

constexpr std::string_view openai_url = "https://api.openai.com/v1";

/// Whether the text is a URL without credentials and without variables.
bool is_url(std::string_view text) {
  return (text.starts_with("http://") || text.starts_with("https://")) &&
         text.find('@') == std::string_view::npos && text.find("{{") == std::string_view::npos;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Converts `json.reply` or `json.choices[0].text` to a JSON pointer; empty for other code.
std::string pointer_of(std::string_view script) {
  if (!script.starts_with("json.") && !script.starts_with("json[")) return {};
  std::string pointer;
  for (const char c : script.substr(4)) {
    const bool is_name = ascii::is_letter(c) || ascii::is_digit(c) || c == '_';
    if (!is_name && c != '.' && c != '[' && c != ']') return {};
    if (c == '.' || c == '[') pointer += '/';
    if (is_name) pointer += c;
  }
  return pointer;
}

/// The request body with the message in place of the prompt; empty if the body needs more than the prompt.
std::string request_of(const Node& body) {
  if (!body.is_map()) return {};
  std::string text = to_json(body);
  replace_all(text, "{{ prompt }}", "{{prompt}}");
  replace_all(text, "{{prompt}}", "{{message}}");
  std::string rest = text;
  replace_all(rest, "{{message}}", "");
  return rest.find("{{") == std::string::npos && rest.find("{%") == std::string::npos ? text : std::string();
}

/// Adds the headers. Headers that may hold a key become secrets, which read a variable.
void add_headers(AgentProposal& agent, const Node& headers) {
  std::string shown;
  std::string secret;
  for (const Node& each : headers.items) {
    const bool is_secret = may_be_secret(each.key);
    const std::string value = is_secret ? "\"${AGENT_KEY}\"" : value_of(as_text(each));
    std::string& list = is_secret ? secret : shown;
    list += (list.empty() ? "" : ", ") + quoted_text(each.key) + ": " + value;
  }
  if (!shown.empty()) agent.lines.push_back("headers: {" + shown + "}");
  if (!secret.empty()) agent.lines.push_back("secrets: {" + secret + "}");
}

AgentProposal http_agent(const std::string& url, const Node& config) {
  AgentProposal agent;
  const std::size_t host = url.find("://") + 3;
  agent.name = url.substr(host, url.find_first_of("/:?", host) - host);
  agent.lines.push_back("http: " + value_of(url));
  if (const std::string method = config.text_of("method"); method == "PUT")
    agent.lines.push_back("method: PUT");
  if (const Node* body = config.find("body")) {
    if (const std::string request = request_of(*body); !request.empty())
      agent.lines.push_back("request: " + flow_of(request));
  }
  const Node* reply = config.first_of({"transformResponse", "responseParser"});
  const std::string pointer = reply == nullptr ? std::string() : pointer_of(as_text(*reply));
  if (!pointer.empty()) agent.lines.push_back("reply: {message: " + quoted_text(pointer) + "}");
  if (const Node* headers = config.find("headers")) add_headers(agent, *headers);
  return agent;
}

/// Settings that become `parameters` of an agent unchanged.
constexpr std::array<std::string_view, 10> parameter_keys{
    "temperature",      "top_p", "max_tokens", "max_completion_tokens", "frequency_penalty",
    "presence_penalty", "stop",  "seed",       "response_format",       "reasoning_effort"};

/// Whether the value contains no file reference and no variable.
bool is_plain(const Node& value) {
  if (value.is_text() &&
      (value.text.find("://") != std::string::npos || value.text.find("{{") != std::string::npos))
    return false;
  return std::all_of(value.items.begin(), value.items.end(), is_plain);
}

void add_parameters(AgentProposal& agent, const Node& config) {
  Node parameters = holder_node(Node::Kind::map, "parameters", config.place);
  for (const std::string_view key : parameter_keys) {
    const Node* value = config.find(key);
    if (value != nullptr && is_plain(*value)) parameters.items.push_back(*value);
  }
  if (!parameters.items.empty()) agent.lines.push_back("parameters: " + flow_of(to_json(parameters)));
  const Node* tools = config.find("tools");
  if (tools != nullptr && tools->is_list() && !tools->items.empty() && is_plain(*tools))
    agent.lines.push_back("tools: " + flow_of(to_json(*tools)));
}

AgentProposal openai_agent(std::string_view id, const Node& config) {
  AgentProposal agent;
  agent.name = id.substr(id.rfind(':') + 1);
  const std::string url = config.text_of("apiBaseUrl");
  agent.lines = {"openai: " + value_of(is_url(url) ? url : std::string(openai_url)),
                 "model: " + value_of(agent.name), "secrets: {apiKey: \"${OPENAI_API_KEY}\"}"};
  add_parameters(agent, config);
  return agent;
}

}  // namespace

std::string provider_id(const Node& provider) {
  if (provider.is_text()) return provider.text;
  const std::string id = provider.text_of("id");
  return id.empty() && provider.items.size() == 1 ? provider.items.front().key : id;
}

void propose_agent(Suite& suite, const Node& provider) {
  const std::string id = provider_id(provider);
  const Node* config = provider.find("config");
  const Node& settings = config == nullptr ? no_node() : *config;
  const std::string url = is_url(id) ? id : settings.text_of("url");
  AgentProposal agent;
  if ((is_url(id) || id == "http" || id == "https") && is_url(url)) {
    agent = http_agent(url, settings);
  } else if (id.starts_with("openai:chat:") ||
             (id.starts_with("openai:") && id.find(':', 7) == std::string::npos)) {
    agent = openai_agent(id, settings);
  } else {
    return;
  }
  if (const std::string label = provider.text_of("label"); !label.empty()) agent.name = label;
  const std::string wanted = slug_of(agent.name, "agent");
  agent.name = wanted;
  const auto is_taken = [&](const AgentProposal& each) { return each.name == agent.name; };
  for (int number = 2; std::any_of(suite.proposals.begin(), suite.proposals.end(), is_taken); ++number)
    agent.name = wanted + "-" + std::to_string(number);
  suite.proposals.push_back(std::move(agent));
}

}  // namespace parley::convert
