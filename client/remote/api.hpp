#pragma once
/// Calls of the server's interface with JSON in and out. A problem of the server becomes a Problem with its sentence;
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

/// How a call is made.
struct CallOptions {
  std::string body = {};
  std::string prefer = {};           ///< the value of Prefer
  std::string content_type = {};     ///< of the body; empty: JSON
  std::string idempotency_key = {};  ///< of a POST that may be repeated
  std::int64_t timeout_ms = 60'000;
};

class Api {
 public:
  explicit Api(ServerAddress server, const std::atomic<bool>* stop = nullptr)
      : http_(std::move(server), stop) {}

  [[nodiscard]] HttpClient& http() { return http_; }
  [[nodiscard]] const ServerAddress& server() const { return http_.server(); }

  /// The JSON of a 2xx answer; null for one without a body. Retries, for at most `patience_ms`, if the server is
  /// busy (429, 503) or unreachable. Problem: the server's; `unauthorized` and `busy` have exit codes of their own.
  [[nodiscard]] Expected<json::Document> call(const std::string& method, const std::string& path,
                                              const CallOptions& options = {});
  [[nodiscard]] Expected<json::Document> get(const std::string& path) { return call("GET", path); }
  [[nodiscard]] Expected<json::Document> post(const std::string& path, std::string body) {
    return call("POST", path, {.body = std::move(body)});
  }
  /// Every row of a list, page by page. `path` has no page and limit. `take` returns false to stop.
  [[nodiscard]] Expected<Done> each_row(const std::string& path, std::size_t rows_of_page,
                                        const std::function<bool(const json::Value& row)>& take);

  /// How long call() retries.
  std::int64_t patience_ms = 10'000;

 private:
  [[nodiscard]] Expected<json::Document> once(const std::string& method, const std::string& path,
                                              const CallOptions& options);

  HttpClient http_;
};

/// The member as text; empty if it is absent, null or not a string.
[[nodiscard]] std::string text_at(const json::Value& object, std::string_view key);
/// The member as a number; nullopt if it is absent or not a number.
[[nodiscard]] std::optional<double> number_at(const json::Value& object, std::string_view key);
[[nodiscard]] std::int64_t integer_at(const json::Value& object, std::string_view key);
[[nodiscard]] bool flag_at(const json::Value& object, std::string_view key);
/// The member of a link, `{id, name}`; empty without a link.
[[nodiscard]] std::string link_id(const json::Value& object, std::string_view key);
[[nodiscard]] std::string link_name(const json::Value& object, std::string_view key);

}  // namespace parley::client
