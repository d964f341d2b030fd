#include "app/options/log_start.hpp"

namespace parley::app {

store::GivenKeys given_keys() {
  return {environment_value("PARLEY_SECRETS_KEY"), environment_value("PARLEY_PEPPER_KEY")};
}

store::PgLogOptions log_options_of(const Config& config, std::function<bool()> is_stopping) {
  store::PgLogOptions options;
  options.url = config.log_url;
  options.password = environment_value("PARLEY_LOG_PASSWORD").value_or("");
  options.lease_ms = config.lease_ms;
  options.keep_bytes = config.log_keep;
  options.is_stopping = std::move(is_stopping);
  return options;
}

Expected<store::Joined> open_logged_store(const Config& config, const Clock& clock,
                                          const std::function<bool()>& is_stopping) {
  store::JoinOptions options;
  options.store = {config.data, config.fsync, config.map_bytes, config.disk_free_min};
  options.log = log_options_of(config, is_stopping);
  options.address = config.address;
  options.keys = given_keys();
  options.audit = {config.audit, config.audit_retention_ms};
  options.clock = &clock;
  return store::join_log(options);
}

}  // namespace parley::app
