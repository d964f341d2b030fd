#pragma once
/// The secrets of an agent in a body (D23): checks them, seals them, and keeps those that the body does not change.
/// Pure except for sealing; any thread.

#include <map>

#include "model/description/record_parse.hpp"
#include "model/records/agent.hpp"
#include "store/secrets/secrets.hpp"

namespace parley::http {

/// The text that answers show in place of a secret.
inline constexpr std::string_view secret_mask = "***";

/// Adds the faults in the body's `secrets`; `prefix` is the pointer of the body.
void check_secrets(const json::Value& body, std::string_view type, const std::string& prefix,
                   Findings& findings);

/// The secrets to store. "***" keeps a value or its absence, null removes it, any other text is sealed. The mask
/// itself is never stored: a client that sends back what it read changes nothing. `before` is null for a new agent.
[[nodiscard]] json::Text sealed_secrets(const Agent& agent, const Agent* before, const json::Value& body,
                                        const store::Secrets& secrets);

/// The same for a body that lists all secrets: unlisted secrets are removed, and an unchanged secret keeps its sealed
/// form.
[[nodiscard]] json::Text applied_secrets(const Agent& agent, const Agent* before, const json::Value& body,
                                         const store::Secrets& secrets);

/// The string members of an object.
[[nodiscard]] std::map<std::string, std::string> texts_in(const json::Text& object);
[[nodiscard]] json::Text object_of(const std::map<std::string, std::string>& texts);

}  // namespace parley::http
