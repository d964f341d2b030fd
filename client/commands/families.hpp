#pragma once
/// The functions of the verbs, for the verb table. Main thread.

#include "client/verbs/verb.hpp"

namespace parley::client {

[[nodiscard]] int help_verb(const Invocation& call);
[[nodiscard]] int version_verb(const Invocation& call);
[[nodiscard]] int login_verb(const Invocation& call);
[[nodiscard]] int logout_verb(const Invocation& call);
[[nodiscard]] int whoami_verb(const Invocation& call);
[[nodiscard]] int switchover_verb(const Invocation& call);
[[nodiscard]] int ls_verb(const Invocation& call);
[[nodiscard]] int results_verb(const Invocation& call);
[[nodiscard]] int show_verb(const Invocation& call);
[[nodiscard]] int export_verb(const Invocation& call);
[[nodiscard]] int report_verb(const Invocation& call);
[[nodiscard]] int gate_verb(const Invocation& call);
[[nodiscard]] int retry_verb(const Invocation& call);
[[nodiscard]] int cancel_verb(const Invocation& call);
[[nodiscard]] int rescore_verb(const Invocation& call);
[[nodiscard]] int review_verb(const Invocation& call);

[[nodiscard]] int run_verb(const Invocation& call);
[[nodiscard]] int watch_verb(const Invocation& call);
[[nodiscard]] int clean_verb(const Invocation& call);
[[nodiscard]] int init_verb(const Invocation& call);
[[nodiscard]] int schema_verb(const Invocation& call);
[[nodiscard]] int validate_verb(const Invocation& call);
[[nodiscard]] int apply_verb(const Invocation& call);
[[nodiscard]] int diff_verb(const Invocation& call);
[[nodiscard]] int demo_verb(const Invocation& call);
[[nodiscard]] int view_verb(const Invocation& call);
[[nodiscard]] int compare_verb(const Invocation& call);
[[nodiscard]] int completion_verb(const Invocation& call);
[[nodiscard]] int complete_verb(const Invocation& call);
[[nodiscard]] int convert_verb(const Invocation& call);
[[nodiscard]] int import_verb(const Invocation& call);
[[nodiscard]] int tail_verb(const Invocation& call);
[[nodiscard]] int chat_verb(const Invocation& call);
[[nodiscard]] int agent_verb(const Invocation& call);
[[nodiscard]] int mcp_verb(const Invocation& call);

/// Returns the man page of a verb. An empty name selects the page of the program, and `parley.yaml` the page of suite
/// files. Empty for an unknown name.
[[nodiscard]] std::string man_page_of(std::string_view name);

}  // namespace parley::client
