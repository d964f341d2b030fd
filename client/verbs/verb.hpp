#pragma once
/// A verb of the command line as data, and one call of it. Plain values; main thread.

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "client/remote/connection.hpp"
#include "client/remote/embedded_server.hpp"
#include "client/suite/agent_check.hpp"

namespace parley::client {

enum class Takes : std::uint8_t { nothing, value, optional_value };

struct OptionSpec {
  std::string_view name;  ///< without the dashes
  char letter = '\0';     ///< the short form; '\0': none
  Takes takes = Takes::nothing;
  std::string_view placeholder;  ///< name of the value in the help
  std::string_view help;
  bool may_repeat = false;
  bool may_be_empty = false;  ///< the value may be the empty text
};

/// The options of a verb: its own list, and lists that it shares with other verbs. The help shows them in this order.
using OptionLists = std::array<std::span<const OptionSpec>, 4>;

class Invocation;

/// The commands of the server. Only the help and the man page mention them.
inline constexpr std::array<std::string_view, 8> server_commands{
    "serve", "check-models", "backup", "restore", "doctor", "migrate", "rebase", "audit"};

struct VerbSpec {
  std::string_view name;
  std::string_view arguments;  ///< such as `[PATH...]`
  std::string_view summary;    ///< one line, without a full stop
  std::string_view details;    ///< paragraphs for the man page; may be empty
  std::size_t arguments_max = 0;
  OptionLists options;
  int (*run)(const Invocation&) = nullptr;
  bool selects_fields = false;  ///< --json=FIELDS is allowed; otherwise only --json
};

/// Services of the program that every verb can use.
struct Surroundings {
  const char* const* environment = nullptr;
  StartServer start_server;
  AgentCheck agent_check;  ///< the server's check of agents' configs
  std::string version;
};

class Invocation {
 public:
  Invocation(const VerbSpec& verb, const Surroundings& around) : verb_(&verb), around_(&around) {}

  [[nodiscard]] const VerbSpec& verb() const { return *verb_; }
  [[nodiscard]] const Surroundings& around() const { return *around_; }
  [[nodiscard]] const std::vector<std::string>& arguments() const { return arguments_; }
  /// The words after the program's name, as given.
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }
  [[nodiscard]] bool has(std::string_view option) const { return options_.contains(std::string(option)); }
  /// Returns how often the option was given.
  [[nodiscard]] std::size_t count(std::string_view option) const {
    return options_.count(std::string(option));
  }
  /// Returns the last value; empty if the option was given without a value.
  [[nodiscard]] std::optional<std::string> find(std::string_view option) const;
  [[nodiscard]] std::string value(std::string_view option, std::string_view otherwise = "") const {
    return find(option).value_or(std::string(otherwise));
  }
  [[nodiscard]] std::vector<std::string> values(std::string_view option) const;
  [[nodiscard]] std::optional<std::string> variable(std::string_view name) const {
    return client::variable(around_->environment, name);
  }
  [[nodiscard]] ConnectionFlags connection_flags() const;

 private:
  friend class WordReader;

  const VerbSpec* verb_;
  const Surroundings* around_;
  std::vector<std::string> arguments_;
  std::vector<std::string> words_;
  std::multimap<std::string, std::string> options_;
};

/// Returns the options of the verb without the global options.
[[nodiscard]] std::vector<OptionSpec> own_options_of(const VerbSpec& verb);
/// Returns the options that every verb accepts.
[[nodiscard]] std::span<const OptionSpec> global_options();
/// Returns the option of the verb, or a global option; null if neither exists.
[[nodiscard]] const OptionSpec* find_option(const VerbSpec& verb, std::string_view name);
[[nodiscard]] const OptionSpec* find_option(const VerbSpec& verb, char letter);

/// Returns all verbs of the client, in the order of the help.
[[nodiscard]] std::span<const VerbSpec> verbs();
[[nodiscard]] const VerbSpec* find_verb(std::string_view name);

/// Runs a verb and returns the exit code. `words` follow the program's name and begin with the verb.
[[nodiscard]] int run_verb(const std::vector<std::string>& words, const Surroundings& around);

/// Return the help of one verb, and the list of all verbs.
[[nodiscard]] std::string help_of(const VerbSpec& verb);
[[nodiscard]] std::string help_of_all();

/// Prints the error to standard error: `parley run: ...`. Returns exit_wrong_use.
[[nodiscard]] int wrong_use(const Invocation& call, std::string_view why);
/// Prints the problem in the same way and returns its exit code.
[[nodiscard]] int failed(const Invocation& call, const Problem& problem);
[[nodiscard]] int done_or_failed(const Invocation& call, const Expected<Done>& done);

}  // namespace parley::client
