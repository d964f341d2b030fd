#include "client/remote/http_client.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <chrono>
#include <mutex>

namespace parley::client {
namespace {

/// The server never sends a larger answer.
constexpr std::size_t answer_bytes_max = 256u << 20;
constexpr long connect_timeout_ms = 10'000;

void start_library() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

struct Reception {
  HttpAnswer answer;
  const std::function<bool(std::string_view)>* listener = nullptr;
  bool has_stopped = false;  ///< the listener ended the call
};

std::size_t take_body(char* data, std::size_t size, std::size_t count, void* to) {
  Reception& reception = *static_cast<Reception*>(to);
  const std::string_view piece(data, size * count);
  if (reception.listener != nullptr) {
    if ((*reception.listener)(piece)) return piece.size();
    reception.has_stopped = true;
    return 0;
  }
  if (reception.answer.body.size() + piece.size() > answer_bytes_max) return 0;
  reception.answer.body.append(piece);
  return piece.size();
}

int is_to_end(void* stop, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  const auto* flag = static_cast<const std::atomic<bool>*>(stop);
  return flag != nullptr && flag->load() ? 1 : 0;
}

class HeaderList {
 public:
  HeaderList() = default;
  HeaderList(const HeaderList&) = delete;
  HeaderList& operator=(const HeaderList&) = delete;
  ~HeaderList() { curl_slist_free_all(list_); }
  void add(const std::string& line) { list_ = curl_slist_append(list_, line.c_str()); }
  [[nodiscard]] curl_slist* list() const { return list_; }

 private:
  curl_slist* list_ = nullptr;
};

void fill(HeaderList& lines, const HttpRequest& request, const std::string& key) {
  lines.add("Expect:");
  if (!key.empty()) lines.add("Authorization: Bearer " + key);
  const bool names_type = std::any_of(request.headers.begin(), request.headers.end(),
                                      [](const auto& header) { return header.first == "Content-Type"; });
  // Without this header, libcurl would declare the empty body of a POST as a form.
  if (request.method != "GET" && !names_type) lines.add("Content-Type: application/json");
  for (const auto& [name, value] : request.headers) lines.add(name + ": " + value);
}

std::string header_of(CURL* curl, const char* name) {
  curl_header* found = nullptr;
  return curl_easy_header(curl, name, 0, CURLH_HEADER, -1, &found) == CURLHE_OK ? found->value : "";
}

}  // namespace

struct HttpClient::Handle {
  Handle() {
    start_library();
    curl = curl_easy_init();
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { curl_easy_cleanup(curl); }
  CURL* curl = nullptr;
};

HttpClient::HttpClient(ServerAddress server, const std::atomic<bool>* stop)
    : server_(std::move(server)), stop_(stop), handle_(std::make_unique<Handle>()) {
  while (server_.url.ends_with('/')) server_.url.pop_back();
}

HttpClient::~HttpClient() = default;

Expected<HttpAnswer> HttpClient::call(const HttpRequest& request) {
  return stream(request, {});
}

Expected<HttpAnswer> HttpClient::stream(const HttpRequest& request,
                                        const std::function<bool(std::string_view)>& listener) {
  CURL* curl = handle_->curl;
  curl_easy_reset(curl);  // open connections are kept
  Reception reception;
  if (listener) reception.listener = &listener;
  HeaderList lines;
  fill(lines, request, server_.key);
  const std::string url = server_.url + request.path;
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout_ms));
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, connect_timeout_ms);
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, lines.list());
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &take_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &reception);
  curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, listener ? nullptr : "gzip");
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &is_to_end);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, stop_);
  if (server_.url.starts_with("http://127.")) curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
  if (!request.body.empty() || request.method == "POST") {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.data());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  }
  const auto started = std::chrono::steady_clock::now();
  const CURLcode code = curl_easy_perform(curl);
  const auto took =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - started);
  long status = 0;
  if (code == CURLE_OK || reception.has_stopped) curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  if (trace_) trace_(request.method, request.path, static_cast<int>(status), took.count());
  if (code == CURLE_ABORTED_BY_CALLBACK) return problem(ProblemKind::busy, std::string(call_interrupted));
  if (code != CURLE_OK && !reception.has_stopped) {
    return problem(ProblemKind::busy,
                   "the server " + server_.url + " cannot be reached: " + curl_easy_strerror(code));
  }
  reception.answer.status = static_cast<int>(status);
  reception.answer.etag = header_of(curl, "ETag");
  reception.answer.content_type = header_of(curl, "Content-Type");
  return std::move(reception.answer);
}

}  // namespace parley::client
