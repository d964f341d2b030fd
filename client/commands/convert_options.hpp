#pragma once
/// The options that `convert` and `import` share, in the form that the importers expect. Pure.

#include "client/verbs/verb.hpp"
#include "convert/records/options.hpp"

namespace parley::client {

[[nodiscard]] convert::Options convert_options(const Invocation& call);
/// Describes what is wrong with the options; empty if they are valid.
[[nodiscard]] std::string convert_fault(const convert::Options& options);

}  // namespace parley::client
