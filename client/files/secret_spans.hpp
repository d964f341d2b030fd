#pragma once
/// Finds the secrets in a suite file, so that the source lines under a fault do not show them. Pure functions; any
/// thread.

#include <vector>

#include "model/source/source_fault.hpp"

namespace parley::client {

/// Returns the literal parts of secret values, sorted and without overlap: values of `key` of a model, members of
/// `secrets`, values of similar names, and the user and password of a URL. `${NAME}` in such a value is not hidden. A
/// file that is not valid YAML is searched line by line, where more text counts as secret.
[[nodiscard]] std::vector<source::Span> secret_spans(const source::SourceFilePtr& file);

/// Makes each fault hide the secrets of its file.
void hide_secrets(std::vector<source::SourceFault>& faults);

/// Whether the URL has `user@` or `user:password@` before its host.
[[nodiscard]] bool has_user(std::string_view url);

}  // namespace parley::client
