#pragma once
/// Finds the secrets that are written in a suite file, so that no source line under a fault shows one. Pure functions; any thread.

#include <vector>

#include "model/source/source_fault.hpp"

namespace parley::client {

/// The literal parts of secret values: of `key` of a model, of each member of `secrets`, of names that look like those, and the
/// user and password of a URL. `${NAME}` in such a value is shown. In order, without overlap. A file that is not YAML is
/// searched line by line, and more of it counts.
[[nodiscard]] std::vector<source::Span> secret_spans(const source::SourceFilePtr& file);

/// Has each fault hide the secrets of its file.
void hide_secrets(std::vector<source::SourceFault>& faults);

/// True for a URL with `user@` or `user:password@` before its host.
[[nodiscard]] bool has_user(std::string_view url);

}  // namespace parley::client
