#pragma once
/// A blocking HTTP client over libcurl, for commands. It does not follow redirects, so that a key is sent only to the
/// server that the user named. Thread: one at a time; each thread has its own client.

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
  std::string url;  ///< without a trailing slash
  std::string key;  ///< empty: requests carry no key
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

/// The detail of the problem if a call was interrupted.
inline constexpr std::string_view call_interrupted = "interrupted";

class HttpClient {
 public:
  /// A call ends early, as interrupted, once `stop` is true. Null: never.
  explicit HttpClient(ServerAddress server, const std::atomic<bool>* stop = nullptr);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  [[nodiscard]] const ServerAddress& server() const { return server_; }
  /// Sets a callback for `-vv`: method, path, status (0: no answer) and milliseconds of each call.
  void trace(std::function<void(std::string_view method, std::string_view path, int status, std::int64_t ms)>
                 trace) {
    trace_ = std::move(trace);
  }
  /// Returns answers of every status. Problem `busy`: the server cannot be reached, or the call was interrupted.
  [[nodiscard]] Expected<HttpAnswer> call(const HttpRequest& request);
  /// Like call(), but passes the body to a listener as it arrives. The listener returns false to end the call, which
  /// is not an error.
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
