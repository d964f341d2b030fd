#pragma once
/// The URL of a log's database, as libpq reads it. No text that these functions return contains a part of the
/// URL, because it may hold a password. Pure; any thread.

#include <string>
#include <string_view>
#include <vector>

#include "model/expected.hpp"

namespace parley::store {

/// What is wrong with the URL, as the end of a sentence that begins with the option's name; empty if nothing is wrong.
[[nodiscard]] std::string fault_of_log_url(const std::string& url);
/// Also finds a password in a parameter. Needs: fault_of_log_url found nothing.
[[nodiscard]] bool has_password(const std::string& url);

/// A libpq keyword and its value.
struct LogParameter {
  std::string keyword;
  std::string value;
};
/// The parameters of the URL. Adds `password` if the URL has none, and time-outs that detect a dead server
/// unless the URL sets its own. Needs: fault_of_log_url found nothing.
[[nodiscard]] std::vector<LogParameter> log_parameters(const std::string& url, const std::string& password);

}  // namespace parley::store
