#pragma once
/// `config.ignore` of the types that compare texts (D31). Pure functions; any thread.

#include "scoring/config.hpp"
#include "scoring/kind.hpp"
#include "scoring/text.hpp"

namespace parley::scoring {

/// Adds a fault for each unknown word of `ignore`.
void check_ignore(const json::Value& config, const std::string& pointer, Findings& findings);
/// What `ignore` lists, or `otherwise` where it is absent.
[[nodiscard]] Ignored ignored_by(const json::Value& config, const Ignored& otherwise);

}  // namespace parley::scoring
