#pragma once
/// An answer of the product, and its head as bytes. The transport owns the framing.

#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::http {

/// Reports an answer's final status from the transport to the product, exactly once. An answer that was never sent,
/// because its client has left, is reported when it is dropped. Thread: any, one at a time.
class AnswerReport {
 public:
  /// `status`: the status of the answer as it was made; `was_sent`: it was handed to the connection.
  using Report = std::function<void(int status, bool was_sent)>;

  AnswerReport(Report report, int status) : report_(std::move(report)), status_(status) {}
  AnswerReport(const AnswerReport&) = delete;
  AnswerReport& operator=(const AnswerReport&) = delete;
  ~AnswerReport() {
    if (report_) report_(status_, false);
  }
  /// The connection answers with this status, which may belong to a problem that replaced the answer.
  void sent(int status) {
    if (const Report report = std::exchange(report_, nullptr)) report(status, true);
  }
  /// Called if another answer replaces this one.
  void forget() { report_ = nullptr; }

 private:
  Report report_;
  int status_;
};

/// Invariant, checked by response_head: names are tokens, values have no control characters (F34), and no name is
/// Connection, Content-Length, Date or Transfer-Encoding, which the transport adds.
struct Response {
  int status = 200;  ///< 200..599
  std::vector<std::pair<std::string, std::string>> fields;
  std::string body;
  bool close = false;      ///< the connection ends after this answer
  bool is_stream = false;  ///< pieces follow instead of `body`; the connection ends after the last one
  std::shared_ptr<AnswerReport> report = nullptr;
};

/// What the connection adds to a response.
struct ResponseFrame {
  std::string_view date;
  bool close = false;
  bool is_http_1_0 = false;  ///< the client assumes that the connection ends unless the answer says otherwise
};

/// Whether an answer with this status may have a body (RFC 9110 section 6.4.1).
[[nodiscard]] bool may_have_body(int status);

/// Status line and fields, with Date, Content-Length (also for HEAD; not for 204 and 304, RFC 9110 section 8.6) and
/// Connection, but without Server (D13). nullopt if the invariant of Response is violated.
[[nodiscard]] std::optional<std::string> response_head(const Response& response, const ResponseFrame& frame);

/// The value of the Date field (RFC 9110 section 5.6.7), formatted once per second. Thread: one worker.
class DateText {
 public:
  [[nodiscard]] std::string_view at(std::time_t now);

 private:
  std::time_t second_ = -1;
  std::string text_;
};

}  // namespace parley::http
