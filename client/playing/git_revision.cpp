#include "client/playing/git_revision.hpp"

#include <map>

#include "client/exec/child_process.hpp"
#include "client/remote/temporary_folder.hpp"
#include "client/report/safe_text.hpp"
#include "client/verbs/suite_loading.hpp"

namespace parley::client {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds git_within{60};
constexpr std::size_t answer_bytes_max = 65'536;

// A separate index file keeps the user's index unchanged. checkout-index writes paths relative to the top of the
// repository.
constexpr std::string_view script = R"sh(set -e
cd -- "$1"
git rev-parse --git-dir >/dev/null
git rev-parse --verify --quiet --end-of-options "$2^{tree}" >/dev/null || exit 3
export GIT_INDEX_FILE="$3/index"
git read-tree --end-of-options "$2^{tree}" 2>/dev/null || git read-tree "$2^{tree}"
git ls-files -z -- . | git checkout-index -z --stdin --quiet --prefix="$3/tree/"
printf %s "$3/tree/$(git rev-parse --show-prefix)")sh";

/// Writes the suite's folder as of the revision below `folder`, and returns its path.
Expected<fs::path> folder_at(const Invocation& call, const CompiledSuite& suite, const std::string& revision,
                             const fs::path& folder) {
  ChildOptions options;
  options.command = {"/bin/sh", "-c",           std::string(script), "sh", suite.folder.string(),
                     revision,  folder.string()};
  for (const char* const* each = call.around().environment; each != nullptr && *each != nullptr; ++each)
    options.environment.emplace_back(*each);
  ChildProcess child;
  TRY_DONE(child.start(options));
  child.close_input();
  std::string answer;
  const auto wait =
      child.read_to_end(std::chrono::steady_clock::now() + git_within, answer_bytes_max, answer);
  if (wait == ChildProcess::Wait::ended || wait == ChildProcess::Wait::done) {
    if (!child.has_failed() && !answer.empty()) return fs::path(answer);
    if (child.ending() == "exited 3")
      return problem(ProblemKind::invalid_parameter,
                     "--changed-since: git knows no revision \"" + one_line(revision) + "\"");
  }
  const std::string why = child.errors().substr(0, child.errors().find('\n'));
  return problem(ProblemKind::invalid_parameter,
                 "--changed-since: git cannot read the revision" + (why.empty() ? "" : ": " + one_line(why)));
}

}  // namespace

Expected<std::set<std::string>> changed_tests(const Invocation& call, const CompiledSuite& suite,
                                              const std::string& revision) {
  const TemporaryFolder temporary("parley-revision");
  if (temporary.path().empty()) return problem(ProblemKind::internal, "no temporary folder can be made");
  TRY(folder, folder_at(call, suite, revision, temporary.path()));
  const fs::path root = fs::path(folder) / fs::path(suite.place.file).filename();
  std::map<std::string, std::string> before;
  std::error_code ignored;
  if (fs::exists(root, ignored)) {
    const LoadedSuites loaded = loaded_suites(call, {fs::absolute(root, ignored).string()});
    for (const CompiledSuite& each : loaded.suites)
      for (const CompiledTest& test : each.tests) before[test.record_key] = test.digest;
  }
  std::set<std::string> changed;
  for (const CompiledTest& test : suite.tests) {
    const auto known = before.find(test.record_key);
    if (known == before.end() || known->second != test.digest) changed.insert(test.record_key);
  }
  return changed;
}

}  // namespace parley::client
