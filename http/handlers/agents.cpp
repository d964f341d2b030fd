// Agents: config by type (D70-D72), and write-only secrets (D23).

#include "http/handlers/record_operations.hpp"
#include "model/text/header_field_text.hpp"
#include "outbound/agents/agent_config.hpp"

namespace parley::http {
namespace {

constexpr std::string_view mask = "***";

/// The members of the body's `secrets`; empty without any.
std::vector<json::Value> given_secrets(const json::Value& body) {
  const auto secrets = body.find("secrets");
  return secrets && secrets->is(json::Kind::object) ? secrets->children() : std::vector<json::Value>{};
}

/// Types whose secrets are sent in header fields (D70-D72).
bool sends_secrets(std::string_view type) {
  return type == "HTTP" || type == "OPENAI" || type == "GITHUB";
}

void check_secrets(const json::Value& body, std::string_view type, Findings& findings) {
  const auto members = given_secrets(body);
  if (members.size() > limits::secrets_max) findings.add("/secrets", "must have at most 64 keys");
  for (const json::Value& member : members) {
    const std::string pointer = "/secrets/" + json::pointer_token(member.key());
    if (!member.is(json::Kind::string) && !member.is(json::Kind::null))
      findings.add(pointer, "must be a string");
    if (member.is(json::Kind::string) && sends_secrets(type) && !is_field_text(member.string()))
      findings.add(pointer, "must be text without control characters, including line breaks");
    if (member.key().size() > limits::secret_name_bytes_max)
      findings.add(pointer, "must have a name of at most 256 bytes");
  }
}

std::map<std::string, std::string> texts_of(const json::Text& object) {
  std::map<std::string, std::string> texts;
  const auto document = json::parse(object.text);
  if (!document.ok()) return texts;
  for (const json::Value& member : document->root().children()) {
    if (member.is(json::Kind::string)) texts.emplace(member.key(), member.string());
  }
  return texts;
}

json::Text text_of(const std::map<std::string, std::string>& texts) {
  json::Writer out;
  out.begin_object();
  for (const auto& [name, text] : texts) out.member(name, text);
  out.end_object();
  return {std::move(out).text()};
}

/// The secrets to store after a PATCH: "***" keeps a value or its absence, null removes it, other text is
/// encrypted. The mask itself is never stored: a client that sends back what it read changes nothing.
json::Text sealed_secrets(const Agent& agent, const Agent* before, const Draft& draft) {
  auto sealed = before == nullptr ? std::map<std::string, std::string>{} : texts_of(before->secrets);
  for (const json::Value& member : given_secrets(draft.body)) {
    const std::string name(member.key());
    if (member.is(json::Kind::null)) {
      sealed.erase(name);
    } else if (member.string() != mask) {
      sealed[name] = draft.context.secrets.seal(agent.stamp.id, name, member.string());
    }
  }
  return text_of(sealed);
}

}  // namespace

template <>
struct Specials<Agent> : NoSpecials<Agent> {
  static void complete(Agent& agent, const Draft& draft) {
    agent.owner = Ref<RecordKind::user>{draft.call.principal.user};
  }
  static void check(const Agent& agent, const Agent* before, const Draft& draft, Findings& findings) {
    if (before == nullptr || before->type != agent.type || before->config != agent.config) {
      outbound::check_agent_config(agent, findings);
    }
    check_secrets(draft.body, agent.type, findings);
  }
  static Expected<Done> settle(Agent& agent, const Agent* before, const Draft& draft, Time /*now*/,
                               IdSource& /*ids*/) {
    agent.secrets = sealed_secrets(agent, before, draft);
    return Done{};
  }
  static void filter(QueryReader& reader, const RequestContext& /*call*/, store::ListQuery& query) {
    if (const auto type = reader.text("type"))
      add_filter(query, store::Facet::type, {store::value_of(*type)});
    filter_by_id(reader, query, "owner", RecordKind::user, store::Facet::owner);
  }
  static void show(const Agent& agent, RecordWriter& writer) {
    auto redacted = texts_of(agent.secrets);
    for (auto& [name, text] : redacted) text = mask;
    writer.show_as("secrets", text_of(redacted).text);
  }
};

template struct RecordOperations<Agent>;

}  // namespace parley::http
