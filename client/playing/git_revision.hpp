#pragma once
/// `--changed-since`: the tests of a suite that differ from a revision of git. Runs git in the suite's folder; the working tree and
/// the index are unchanged. Main thread.

#include <set>
#include <string>

#include "client/suite/compiled_suite.hpp"
#include "client/verbs/verb.hpp"

namespace parley::client {

/// Record keys of the tests whose compiled case is new or has changed. A suite that cannot be read at that revision is new as a
/// whole. Problem: the folder is not in a repository, or there is no such revision.
[[nodiscard]] Expected<std::set<std::string>> changed_tests(const Invocation& call,
                                                            const CompiledSuite& suite,
                                                            const std::string& revision);

}  // namespace parley::client
