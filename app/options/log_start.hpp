#pragma once
/// Starts a node that shares its log (--log): passes its options and the environment to store::join_log. Main thread,
/// or the thread that joins.

#include <functional>

#include "app/options/config.hpp"
#include "store/changelog/log_join.hpp"

namespace parley::app {

[[nodiscard]] store::GivenKeys given_keys();
/// Needs: --log. While `is_stopping` returns true, no call waits for PostgreSQL any longer.
[[nodiscard]] store::PgLogOptions log_options_of(const Config& config, std::function<bool()> is_stopping);
/// Makes one attempt to open the data directory as a node. Problem: `busy` if PostgreSQL cannot be reached now; any
/// other kind ends the process. `clock` must outlive the store.
[[nodiscard]] Expected<store::Joined> open_logged_store(const Config& config, const Clock& clock,
                                                        const std::function<bool()>& is_stopping);

}  // namespace parley::app
