#pragma once
/// Removes secrets from foreign answers before they are stored or shown (D23, I67), because an endpoint may
/// repeat what it was sent. This file handles texts; reply_redaction.hpp handles what is recorded of an answer,
/// including JSON. Pure; any thread.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::outbound {

/// The decrypted secrets of an agent by name. Never logged, never in a fault's detail (D23).
using Secrets = std::map<std::string, std::string>;

/// The parts of secrets, each of six bytes or more: as sent, without the word before it ("Bearer ..."), and
/// without quotes around it. Unordered; duplicates are possible.
using Parts = std::vector<std::string>;
[[nodiscard]] Parts parts_as_sent(const Secrets& secrets);

/// The forms that must not be repeated: each part, and each part without backslashes, as a JSON reader would see it.
using HiddenForms = std::vector<std::string>;
[[nodiscard]] HiddenForms hidden_forms(const Parts& as_sent);

/// Replaces each occurrence with "***"; nullopt if the text contains no secret. Also finds an occurrence that
/// is escaped as in JSON, and one in JSON inside a string of other JSON, because a second reader must not find
/// it either. Also removes the backslashes before an occurrence, so that no half of an escape is left. Takes
/// time proportional to the text and to each secret, whatever repetitions they contain.
[[nodiscard]] std::optional<std::string> redacted(std::string_view text, const HiddenForms& parts);

/// The text without any of the secrets, for fault texts, which are not scored. Not for JSON that must be parsed
/// again, because a quote or a digit may be part of a secret.
[[nodiscard]] std::string without_secrets(std::string_view text, const Secrets& secrets);

}  // namespace parley::outbound
