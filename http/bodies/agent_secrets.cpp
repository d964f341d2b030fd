#include "http/bodies/agent_secrets.hpp"

#include "model/json/json_writer.hpp"
#include "model/text/header_field_text.hpp"

namespace parley::http {
namespace {

/// The members of `secrets` in the body; empty if it has none.
std::vector<json::Value> given_secrets(const json::Value& body) {
  const auto secrets = body.find("secrets");
  return secrets && secrets->is(json::Kind::object) ? secrets->children() : std::vector<json::Value>{};
}

/// Whether agents of this type send their secrets in header fields (D70-D72).
bool sends_secrets(std::string_view type) {
  return type == "HTTP" || type == "OPENAI" || type == "GITHUB";
}

}  // namespace

void check_secrets(const json::Value& body, std::string_view type, const std::string& prefix,
                   Findings& findings) {
  const auto members = given_secrets(body);
  if (members.size() > limits::secrets_max) findings.add(prefix + "/secrets", "must have at most 64 keys");
  for (const json::Value& member : members) {
    const std::string pointer = prefix + "/secrets/" + json::pointer_token(member.key());
    if (!member.is(json::Kind::string) && !member.is(json::Kind::null))
      findings.add(pointer, "must be a string");
    if (member.is(json::Kind::string) && sends_secrets(type) && !is_field_text(member.string()))
      findings.add(pointer, "must be text without control characters, including line breaks");
    if (member.key().size() > limits::secret_name_bytes_max)
      findings.add(pointer, "must have a name of at most 256 bytes");
  }
}

std::map<std::string, std::string> texts_in(const json::Text& object) {
  std::map<std::string, std::string> texts;
  const auto document = json::parse(object.text);
  if (!document.ok()) return texts;
  for (const json::Value& member : document->root().children()) {
    if (member.is(json::Kind::string)) texts.emplace(member.key(), member.string());
  }
  return texts;
}

json::Text object_of(const std::map<std::string, std::string>& texts) {
  json::Writer out;
  out.begin_object();
  for (const auto& [name, text] : texts) out.member(name, text);
  out.end_object();
  return {std::move(out).text()};
}

json::Text sealed_secrets(const Agent& agent, const Agent* before, const json::Value& body,
                          const store::Secrets& secrets) {
  auto sealed = before == nullptr ? std::map<std::string, std::string>{} : texts_in(before->secrets);
  for (const json::Value& member : given_secrets(body)) {
    const std::string name(member.key());
    if (member.is(json::Kind::null)) {
      sealed.erase(name);
    } else if (member.string() != secret_mask) {
      sealed[name] = secrets.seal(agent.stamp.id, name, member.string());
    }
  }
  return object_of(sealed);
}

json::Text applied_secrets(const Agent& agent, const Agent* before, const json::Value& body,
                           const store::Secrets& secrets) {
  const auto stored = before == nullptr ? std::map<std::string, std::string>{} : texts_in(before->secrets);
  std::map<std::string, std::string> sealed;
  for (const json::Value& member : given_secrets(body)) {
    if (!member.is(json::Kind::string)) continue;
    const std::string name(member.key());
    const auto known = stored.find(name);
    if (known != stored.end()) {
      const auto plain = secrets.unseal(agent.stamp.id, name, known->second);
      if (member.string() == secret_mask || (plain.ok() && *plain == member.string())) {
        sealed[name] = known->second;
        continue;
      }
    }
    if (member.string() != secret_mask) sealed[name] = secrets.seal(agent.stamp.id, name, member.string());
  }
  return object_of(sealed);
}

}  // namespace parley::http
