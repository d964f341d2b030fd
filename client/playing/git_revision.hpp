#pragma once
/// `--changed-since`: finds the tests of a suite that differ from a git revision. Runs git in the suite's folder and
/// leaves the working tree and the index unchanged. Main thread.

#include <set>
#include <string>

#include "client/suite/compiled_suite.hpp"
#include "client/verbs/verb.hpp"

namespace parley::client {

/// Returns the record keys of the tests whose compiled case is new or has changed. If the suite cannot be read at
/// that revision, all its tests are new. Problem: the folder is not in a repository, or the revision does not exist.
[[nodiscard]] Expected<std::set<std::string>> changed_tests(const Invocation& call,
                                                            const CompiledSuite& suite,
                                                            const std::string& revision);

}  // namespace parley::client
