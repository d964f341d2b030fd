#pragma once
/// Calls the server's API with JSON in and out. A problem that the server returns becomes a Problem with its text;
/// the exit code follows from its kind (client/gate/exit_code.hpp). Thread: as HttpClient.

#include <functional>
#include <string>
#include <string_view>

#include "client/remote/http_client.hpp"
#include "model/json/json.hpp"

namespace parley::client {

/// Whether a run or a result with this status has ended.
[[nodiscard]] inline bool is_over(std::string_view status) {
  return status == "completed" || status == "failed" || status == "canceled";
}

/// Options of one call.
struct CallOptions {
  std::string body = {};
  std::string prefer = {};           ///< value of the Prefer header
  std::string content_type = {};     ///< Content-Type of the body; empty: JSON
  std::string idempotency_key = {};  ///< for a POST that may be repeated
  std::int64_t timeout_ms = 60'000;
};

class Api {
 public:
  explicit Api(ServerAddress server, const std::atomic<bool>* stop = nullptr)
      : http_(std::move(server), stop) {}

  [[nodiscard]] HttpClient& http() { return http_; }
  [[nodiscard]] const ServerAddress& server() const { return http_.server(); }

  /// Returns the JSON of a 2xx answer; null if it has no body. If the server is busy (429, 503) or unreachable,
  /// retries for at most `patience_ms`. Problem: from the server. `unauthorized` and `busy` have separate exit codes.
  [[nodiscard]] Expected<json::Document> call(const std::string& method, const std::string& path,
                                              const CallOptions& options = {});
  [[nodiscard]] Expected<json::Document> get(const std::string& path) { return call("GET", path); }
  [[nodiscard]] Expected<json::Document> post(const std::string& path, std::string body) {
    return call("POST", path, {.body = std::move(body)});
  }
  /// Visits every row of a list, page by page. `path` must not contain `page` or `limit`. `take` returns false to
  /// stop.
  [[nodiscard]] Expected<Done> each_row(const std::string& path, std::size_t rows_of_page,
                                        const std::function<bool(const json::Value& row)>& take);

  /// How long call() keeps retrying.
  std::int64_t patience_ms = 10'000;
  /// For messages: ` on URL` for a shared server; empty for local data.
  std::string where;

 private:
  [[nodiscard]] Expected<json::Document> once(const std::string& method, const std::string& path,
                                              const CallOptions& options);

  HttpClient http_;
};

/// Returns the member as text; empty if it is absent, null or not a string.
[[nodiscard]] std::string text_at(const json::Value& object, std::string_view key);
/// Returns the member as a number; nullopt if it is absent or not a number.
[[nodiscard]] std::optional<double> number_at(const json::Value& object, std::string_view key);
[[nodiscard]] std::int64_t integer_at(const json::Value& object, std::string_view key);
[[nodiscard]] bool flag_at(const json::Value& object, std::string_view key);
/// Returns the id or the name of a linked record, `{id, name}`; empty if there is no link.
[[nodiscard]] std::string link_id(const json::Value& object, std::string_view key);
[[nodiscard]] std::string link_name(const json::Value& object, std::string_view key);

}  // namespace parley::client
