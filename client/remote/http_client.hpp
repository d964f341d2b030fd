#pragma once
/// One blocking HTTP client over libcurl, for commands. Redirects are not followed, so that a key is sent only where
/// the user meant it. Thread: one at a time; each thread has a client of its own.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/expected.hpp"

namespace parley::client {

/// A server and the key for it.
struct ServerAddress {
  std::string url;  ///< without a slash at its end
  std::string key;  ///< empty: requests carry none
};

struct HttpRequest {
  std::string method = "GET";
  std::string path;  ///< begins with a slash
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  std::int64_t timeout_ms = 60'000;
};

struct HttpAnswer {
  int status = 0;
  std::string body;
  std::string etag;
  std::string content_type;
};

/// Why a call has no answer.
inline constexpr std::string_view call_interrupted = "interrupted";

class HttpClient {
 public:
  /// `stop`: a call ends early, as interrupted, once it is true; null: never.
  explicit HttpClient(ServerAddress server, const std::atomic<bool>* stop = nullptr);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  [[nodiscard]] const ServerAddress& server() const { return server_; }
  /// Called once for each call with method, path, status (0: no answer) and milliseconds; for `-vv`.
  void trace(std::function<void(std::string_view method, std::string_view path, int status, std::int64_t ms)>
                 trace) {
    trace_ = std::move(trace);
  }
  /// Problem `busy`: the server cannot be reached, or the call was interrupted. Answers of every status are values.
  [[nodiscard]] Expected<HttpAnswer> call(const HttpRequest& request);
  /// The same with a listener for the body as it arrives; it returns false to end the call, which is then no error.
  [[nodiscard]] Expected<HttpAnswer> stream(const HttpRequest& request,
                                            const std::function<bool(std::string_view)>& listener);

 private:
  struct Handle;

  ServerAddress server_;
  const std::atomic<bool>* stop_;
  std::unique_ptr<Handle> handle_;
  std::function<void(std::string_view, std::string_view, int, std::int64_t)> trace_;
};

}  // namespace parley::client
