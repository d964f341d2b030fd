#pragma once
/// The page of a run in a browser. Main thread.

#include <string>

#include "client/verbs/sessions.hpp"

namespace parley::client {

/// The address of a path of the page, with a code that signs in once.
[[nodiscard]] Expected<std::string> sign_in_address(Api& api, const std::string& path);

/// Opens the page, or prints its address if there is no browser; as an HTML file if the server has no page. If the server is in
/// this process, it is served until Ctrl-C. The exit code.
[[nodiscard]] int view_run(const Invocation& call, OpenSession& open, const std::string& run);

}  // namespace parley::client
