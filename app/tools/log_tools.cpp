#include <cstdio>

#include "app/options/log_start.hpp"
#include "app/tools/tools.hpp"

namespace parley::app {
namespace {

store::PgLogOptions log_of(const ToolCall& call) {
  Config config;
  config.log_url = call.log_url;
  return log_options_of(config, {});
}

}  // namespace

int migrate(const ToolCall& call) {
  const auto bytes = store::migrate_to_log(call.data, log_of(call), given_keys());
  if (!bytes) return failed(bytes.problem());
  std::printf("migrated %s: %llu bytes; start it with --log and --address\n", call.data.c_str(),
              static_cast<unsigned long long>(*bytes));
  return 0;
}

int rebase(const ToolCall& call) {
  const auto row = store::rebase(call.data, log_of(call), given_keys());
  if (!row) return failed(row.problem());
  std::printf("replaced the copy in %s: it is at row %llu of the log\n", call.data.c_str(),
              static_cast<unsigned long long>(*row));
  return 0;
}

}  // namespace parley::app
