#include "client/commands/families.hpp"
#include "client/gate/exit_code.hpp"
#include "client/playing/adopting.hpp"
#include "client/playing/plan_text.hpp"
#include "client/run/suite_records.hpp"
#include "client/verbs/sessions.hpp"
#include "client/verbs/suite_loading.hpp"

namespace parley::client {
namespace {

/// The answers of the server for --json: one object, or an array if there are several suites.
struct Answers {
  std::vector<std::string> documents;
  bool is_array = false;

  [[nodiscard]] std::string text() const {
    std::string joined;
    for (const std::string& each : documents) joined += (joined.empty() ? "" : ",") + each;
    return is_array ? "[" + joined + "]\n" : joined + "\n";
  }
};

/// Applies the suite, or shows what would change. Returns the exit code.
int apply_one(const Invocation& call, Api& api, const CompiledSuite& suite, const Terminal& terminal,
              bool is_dry, Answers& answers) {
  const ApplyOptions options{is_dry, call.has("force"), call.has("keep")};
  const auto answer = apply_with(api, suite, options);
  if (!answer) return show_refusal(call, suite, answer.problem(), " Nothing was applied.");
  const std::string words = changes_in(answer->root());
  if (call.has("json")) {
    answers.documents.push_back(answer->root().compact().text);
  } else if (call.count("quiet") == 0) {
    write_text(1, (is_dry ? plan_text(suite, answer->root(), terminal) : "") + suite.project + ": " +
                      (words.empty() ? "nothing to change" : words) + "\n");
  }
  return is_dry && call.has("exit-code") && !words.empty() ? exit_red : exit_done;
}

/// Writes edits made on the server into the files. Returns exit_red if something must be edited by hand.
int adopt_all(const Invocation& call, Api& api, const LoadedSuites& loaded) {
  int code = exit_done;
  for (const CompiledSuite& suite : loaded.suites) {
    const auto planned = apply_with(api, suite, {.is_dry = true, .overrides = false, .keeps_others = true});
    if (!planned) return failed(call, planned.problem());
    const auto adopted = adopt(suite, loaded.files, planned->root());
    if (!adopted) return failed(call, adopted.problem());
    write_text(adopted->is_complete ? 1 : 2, adopted->text);
    if (!adopted->is_complete) code = exit_red;
  }
  return code;
}

int apply_suites(const Invocation& call, bool is_dry) {
  const auto wish = color_of(call);
  if (!wish) return wrong_use(call, wish.problem().detail);
  if (call.has("force") && call.has("adopt"))
    return wrong_use(
        call, "--force keeps the values of the files, and --adopt those of the server: give one of them");
  LoadedSuites loaded = loaded_suites(call, call.arguments());
  if (show_faults(call, loaded, " Nothing was applied.")) return exit_wrong_use;
  if (loaded.suites.empty()) return wrong_use(call, "there is no suite: run `parley init`, or name a file");
  auto open = open_session(call, ServerPreference::last_login, {});
  if (!open) return failed(call, open.problem());
  if (call.has("adopt")) {
    if (const int code = adopt_all(call, *open->api, loaded); code != exit_done) return code;
    loaded = loaded_suites(call, call.arguments());
    if (show_faults(call, loaded, " Nothing was applied.")) return exit_wrong_use;
  }
  const Terminal terminal = terminal_of(1, call.around().environment, *wish);
  int code = exit_done;
  Answers answers{{}, loaded.suites.size() > 1};
  for (const CompiledSuite& suite : loaded.suites) {
    const int each = apply_one(call, *open->api, suite, terminal, is_dry, answers);
    const bool is_refused = each != exit_done && each != exit_red;
    code = is_refused ? each : std::max(code, each);
    if (is_refused) break;
  }
  // After a refusal, the array has the answers for the suites before it.
  if (!answers.documents.empty()) write_text(1, answers.text());
  return code;
}

}  // namespace

int apply_verb(const Invocation& call) {
  return apply_suites(call, call.has("dry-run"));
}

int diff_verb(const Invocation& call) {
  return apply_suites(call, true);
}

}  // namespace parley::client
