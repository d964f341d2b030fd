#pragma once
/// The options that `convert` and `import` share, as the importers take them. Pure.

#include "client/verbs/verb.hpp"
#include "convert/records/options.hpp"

namespace parley::client {

[[nodiscard]] convert::Options convert_options(const Invocation& call);
/// The fault of the options; empty: none.
[[nodiscard]] std::string convert_fault(const convert::Options& options);

}  // namespace parley::client
