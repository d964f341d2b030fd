#pragma once
/// Opens the page of a run in a browser. Main thread.

#include <string>

#include "client/verbs/sessions.hpp"

namespace parley::client {

/// Returns the address of a path on the page, with a code that signs in once.
[[nodiscard]] Expected<std::string> sign_in_address(Api& api, const std::string& path);

/// Opens the page of the run, or prints its address if there is no browser. If the server has no page, writes an
/// HTML file instead. If the server runs in this process, serves the page until Ctrl-C. Returns the exit code.
[[nodiscard]] int view_run(const Invocation& call, OpenSession& open, const std::string& run);

}  // namespace parley::client
