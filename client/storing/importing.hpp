#pragma once
/// Stores the output of `convert`: suites by POST /apply, logs in batches. Main thread.

#include <string>
#include <string_view>

#include "client/remote/api.hpp"
#include "convert/records/report.hpp"

namespace parley::client {

/// Stores the suite and adds its scenarios and tests to the counts. Problem: the suite has faults, or the server
/// refuses it.
[[nodiscard]] Expected<Done> store_suite(Api& api, const std::string& yaml, convert::Stored& stored);

/// Stores each line, which is a body of POST /external-conversation-logs/. A log that is already stored counts as
/// unchanged. Problem `conflict`: a log with the same externalId is stored with different content. `file`
/// names the file in problems.
[[nodiscard]] Expected<Done> store_logs(Api& api, const std::string& file, std::string_view lines,
                                        convert::Stored& stored);

}  // namespace parley::client
