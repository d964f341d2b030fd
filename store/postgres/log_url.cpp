#include "store/postgres/log_url.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <sstream>
#include <utility>

namespace parley::store {
namespace {

constexpr const char* form =
    "must be a URL of PostgreSQL, such as postgres://parley@db.example.com:5432/parley";

struct FreeOptions {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};
using ParsedOptions = std::unique_ptr<PQconninfoOption, FreeOptions>;

/// Null if libpq cannot parse the URL. libpq's own message may quote the password, so it is dropped.
ParsedOptions parsed(const std::string& url) {
  char* why = nullptr;
  ParsedOptions options(PQconninfoParse(url.c_str(), &why));
  if (why != nullptr) PQfreemem(why);
  return options;
}

std::string value_of(const ParsedOptions& options, std::string_view keyword) {
  for (const PQconninfoOption* each = options.get(); each != nullptr && each->keyword != nullptr; ++each)
    if (each->keyword == keyword && each->val != nullptr) return each->val;
  return {};
}

/// Whether the list contains numbers from 1 to 65535, separated by commas. An empty item is PostgreSQL's default port.
bool are_ports(const std::string& list) {
  std::istringstream in(list);
  for (std::string port; std::getline(in, port, ',');) {
    unsigned number = 1;
    const auto read = std::from_chars(port.data(), port.data() + port.size(), number);
    const bool is_whole = read.ptr == port.data() + port.size() && read.ec != std::errc::result_out_of_range;
    if (!is_whole || number < 1 || number > 65'535) return false;
  }
  return true;
}

/// Time-outs that detect within seconds a server that died silently and a connection that a network dropped.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> patience{
    {{"connect_timeout", "3"},
     {"keepalives_idle", "2"},
     {"keepalives_interval", "1"},
     {"keepalives_count", "3"},
     {"tcp_user_timeout", "5000"},
     {"target_session_attrs", "read-write"},
     {"application_name", "parley"}}};

}  // namespace

std::string fault_of_log_url(const std::string& url) {
  const bool has_scheme = url.starts_with("postgres://") || url.starts_with("postgresql://");
  const ParsedOptions options = has_scheme ? parsed(url) : nullptr;
  if (!options) return form;
  if (value_of(options, "host").find('@') != std::string::npos)
    return "has an @ in its host: write an @ of the user or the password as %40";
  if (!are_ports(value_of(options, "port")))
    return "has a port that is not a number from 1 to 65535: " + std::string(form);
  return {};
}

bool has_password(const std::string& url) {
  const ParsedOptions options = parsed(url);
  return options && !(value_of(options, "password").empty() && value_of(options, "sslpassword").empty());
}

std::vector<LogParameter> log_parameters(const std::string& url, const std::string& password) {
  std::vector<LogParameter> found;
  const ParsedOptions options = parsed(url);
  for (const PQconninfoOption* each = options.get(); each != nullptr && each->keyword != nullptr; ++each)
    if (each->val != nullptr && *each->val != '\0') found.push_back({each->keyword, each->val});
  const auto add = [&](std::string_view keyword, std::string_view value) {
    const bool is_set = std::any_of(found.begin(), found.end(),
                                    [&](const LogParameter& one) { return one.keyword == keyword; });
    if (!is_set && !value.empty()) found.push_back({std::string(keyword), std::string(value)});
  };
  add("password", password);
  for (const auto& [keyword, value] : patience) add(keyword, value);
  return found;
}

}  // namespace parley::store
