#include "client/commands/families.hpp"
#include "client/gate/exit_code.hpp"
#include "client/remote/api.hpp"
#include "client/screen/terminal.hpp"
#include "client/verbs/sessions.hpp"

namespace parley::client {
namespace {

constexpr std::string_view bash_script = R"sh(# bash completion for parley: source <(parley completion bash)
_parley() {
  local words
  words=$(parley __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}")
  [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _parley parley
)sh";

// clang-format reads the parameter flags of zsh as C++.
// clang-format off
constexpr std::string_view zsh_script = R"zsh(#compdef parley
# zsh completion for parley: parley completion zsh > "${fpath[1]}/_parley"
_parley() {
  local -a candidates
  candidates=(${(f)"$(parley __complete "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#candidates )); then
    compadd -a candidates
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_parley" ]; then
  _parley "$@"
else
  compdef _parley parley
fi
)zsh";
// clang-format on

constexpr std::string_view fish_script = R"sh(# fish completion for parley: parley completion fish | source
function __parley_complete
  set -l words (commandline -opc) (commandline -ct)
  parley __complete $words[2..-1] 2>/dev/null
end
complete -c parley -a '(__parley_complete)'
)sh";

/// A list of the server, and the member of its rows that holds the name.
struct NamedList {
  std::string path;
  std::string_view field;
};

/// Adds names from a list of the server. Waits at most 800 ms, and adds nothing if the call fails.
void add_names_of(Api& api, const NamedList& named, std::vector<std::string>& names) {
  const auto list = api.call("GET", named.path, {.timeout_ms = 800});
  if (!list) return;
  const auto rows = json::given(list->root(), "data");
  if (!rows) return;
  for (const json::Value& row : rows->children())
    if (std::string name = text_at(row, named.field);
        !name.empty() && name.find_first_of(" \n\t") == std::string::npos)
      names.push_back(std::move(name));
}

/// Adds names from several lists of the server or of the local data.
void add_names(const Invocation& call, const std::vector<NamedList>& lists, std::vector<std::string>& names) {
  const auto open = open_session(call);
  if (!open) return;
  open->api->patience_ms = 0;
  for (const NamedList& each : lists) add_names_of(*open->api, each, names);
}

void add_options(std::vector<std::string>& names, const VerbSpec& verb) {
  for (const OptionSpec& each : own_options_of(verb)) names.push_back("--" + std::string(each.name));
  for (const OptionSpec& each : global_options()) names.push_back("--" + std::string(each.name));
}

bool accepts_run(std::string_view verb) {
  for (const std::string_view each :
       {"show", "results", "gate", "retry", "cancel", "rescore", "compare", "view", "export", "tail"})
    if (each == verb) return true;
  return false;
}

}  // namespace

int completion_verb(const Invocation& call) {
  const std::string shell = call.arguments().empty() ? "" : call.arguments().front();
  if (shell == "bash") {
    write_text(1, bash_script);
  } else if (shell == "zsh") {
    write_text(1, zsh_script);
  } else if (shell == "fish") {
    write_text(1, fish_script);
  } else {
    return wrong_use(call, "the shell must be bash, zsh or fish");
  }
  return exit_done;
}

int complete_verb(const Invocation& call) {
  // The words typed so far. The last one is unfinished.
  const std::vector<std::string>& words = call.arguments();
  std::vector<std::string> names;
  if (words.size() <= 1) {
    for (const VerbSpec& each : verbs())
      if (!each.name.starts_with("__")) names.emplace_back(each.name);
    names.insert(names.end(), server_commands.begin(), server_commands.end());
  } else if (const VerbSpec* verb = find_verb(words.front()); verb != nullptr) {
    const std::string& last = words.back();
    const std::string& before = words[words.size() - 2];
    if (last.starts_with("-")) {
      add_options(names, *verb);
    } else if (before == "--agent") {
      add_names(call, {{"/agents/?limit=100&output=minimal", "name"}}, names);
    } else if (before == "--reporter") {
      for (const char* each :
           {"pretty", "line", "brief", "json:", "jsonl:", "junit:", "md:", "github", "csv:", "html:"})
        names.emplace_back(each);
    } else if (verb->name == "ls") {
      for (const char* each :
           {"runs", "tests", "agents", "scenarios", "personas", "logs", "schedules", "groups"})
        names.emplace_back(each);
    } else if (verb->name == "help") {
      for (const VerbSpec& each : verbs()) names.emplace_back(each.name);
    } else if (verb->name == "completion") {
      for (const char* each : {"bash", "zsh", "fish"}) names.emplace_back(each);
    } else if (accepts_run(verb->name)) {
      names.emplace_back("last");
      std::vector<NamedList> lists{{"/runs/?limit=20&output=minimal", "id"}};
      if (verb->name == "show") lists.push_back({"/tests/?limit=100&output=minimal", "key"});
      add_names(call, lists, names);
    }
  }
  std::string text;
  for (const std::string& each : names)
    if (words.empty() || each.starts_with(words.back())) text += each + "\n";
  write_text(1, text);
  return exit_done;
}

}  // namespace parley::client
