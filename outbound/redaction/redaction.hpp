#pragma once
/// Removes secrets from foreign answers before they are stored or shown (D23, I67): an endpoint may repeat what it was sent.
/// This file handles texts; reply_mask.hpp handles what is recorded of an answer, JSON included. Pure; any thread.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::outbound {

/// Opened secrets of an agent by their names. Never logged, never in a fault's detail (D23).
using Secrets = std::map<std::string, std::string>;

/// Parts of secrets, each of six bytes or more: as it is sent, without the word before it ("Bearer ..."),
/// without quotes around it. Unordered; duplicates are possible.
using Parts = std::vector<std::string>;
[[nodiscard]] Parts parts_as_sent(const Secrets& secrets);

/// The forms that must not be repeated: each part, and each as a JSON reader would see it, without
/// backslashes.
using HiddenForms = std::vector<std::string>;
[[nodiscard]] HiddenForms hidden_forms(const Parts& as_sent);

/// The text with "***" for each occurrence; nullopt if it contains no secret. An occurrence is also found as JSON
/// writes it, with escapes, and in JSON that is a string of other JSON, because a second reader must not find
/// it. Backslashes before it are removed too, so that no half of an escape is left. Takes time proportional
/// to the text and to each secret, for any repetitions.
[[nodiscard]] std::optional<std::string> redacted(std::string_view text, const HiddenForms& parts);

/// The text without any of the secrets, for texts of faults, which are not scored. Not for JSON that must be
/// read again: a quote or a digit may be part of a secret.
[[nodiscard]] std::string without_secrets(std::string_view text, const Secrets& secrets);

}  // namespace parley::outbound
