#pragma once
/// Stores the output of `convert`: suites by POST /apply, logs in batches. Main thread.

#include <string>
#include <string_view>

#include "client/remote/api.hpp"
#include "convert/records/report.hpp"

namespace parley::client {

/// Stores the suite and adds to the counts: scenarios and tests. Problem: the server's, or faults of the suite.
[[nodiscard]] Expected<Done> store_suite(Api& api, const std::string& yaml, convert::Stored& stored);

/// Stores each line, a body of POST /external-conversation-logs/. A log that is stored already is unchanged. Problem
/// `conflict`: a known externalId has other content.
[[nodiscard]] Expected<Done> store_logs(Api& api, std::string_view lines, convert::Stored& stored);

}  // namespace parley::client
