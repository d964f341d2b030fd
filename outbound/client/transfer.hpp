#pragma once
/// Transfer: one attempt of one call on one of libcurl's easy handles: its settings, its counters and limits
/// while it runs, and its outcome.
///
///   connecting ──► waiting ──► receiving          the request leaves with the step to waiting
///
/// An interim answer (1xx) is not a step: the final answer is still awaited, and its speed is not yet measured.
///
/// The transfer sends the request once. libcurl would send it again if a kept connection turned out to be dead;
/// the transfer prevents that, and its owner decides (ADR 12).
///
/// Thread: the loop's only. Invariant: the request, guard and limits outlive the transfer.

#include <curl/curl.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "outbound/call_limits.hpp"
#include "outbound/client/answer_head.hpp"
#include "outbound/client/gunzip.hpp"
#include "outbound/client/sockets.hpp"
#include "outbound/guard/address.hpp"
#include "outbound/guard/address_guard.hpp"
#include "outbound/guard/url.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

struct EasyDeleter {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
using Easy = std::unique_ptr<CURL, EasyDeleter>;

struct ListDeleter {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using List = std::unique_ptr<curl_slist, ListDeleter>;

/// The fault of the method or the fields of a request (F34); nullopt if the request can be sent.
[[nodiscard]] std::optional<Failure> check_message(const HttpRequest& request);

class Transfer {
 public:
  /// The parts that all attempts share.
  struct Plan {
    const HttpRequest& request;
    const Url& url;
    const Guard& guard;
    const CallLimits& limits;
    Sockets& sockets;                              ///< must also outlive the connections
    std::atomic<std::size_t>& large_bodies_bytes;  ///< memory of the large answers of all transfers
    bool may_send_twice = false;
    bool is_fresh = false;        ///< must not use a kept connection
    std::int64_t attempt_ms = 0;  ///< start of the attempt; a second sending has the rest of its time
    void* owner = nullptr;        ///< value of CURLINFO_PRIVATE
  };

  /// `began_ms`: when the attempt began, including resolving. `addresses`: those of the host, permitted by the
  /// guard; empty if the host is an address. Throws std::bad_alloc.
  Transfer(const Plan& plan, Easy easy, const std::vector<Address>& addresses, std::int64_t began_ms);
  ~Transfer() {
    if (large_bytes_ > 0) plan_.large_bodies_bytes -= large_bytes_;
  }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  [[nodiscard]] CURL* easy() const { return easy_.get(); }
  /// The failure of a transfer that has exceeded its time; otherwise nullopt, and wake_at_ms() returns when to
  /// check again.
  [[nodiscard]] std::optional<Failure> overdue(std::int64_t now_ms);
  [[nodiscard]] std::int64_t wake_at_ms(std::int64_t now_ms) const;
  /// The outcome, once libcurl reports the transfer as done. Moves the body out.
  [[nodiscard]] HttpOutcome outcome(CURLcode code);
  /// Whether the connection was kept from an earlier call, and that call or the connection is at fault (ADR
  /// 12): there was something to read on the connection before the request was sent (was_sent() is false then);
  /// it ended before a line of an answer was received; the answer is not HTTP; or the answer is the 408 with
  /// which a peer ends an idle connection.
  [[nodiscard]] bool was_lost_on_kept(CURLcode code) const;
  [[nodiscard]] bool was_sent() const { return phase_ != Phase::connecting; }
  [[nodiscard]] std::uint64_t connections() const { return opened_.size(); }
  /// The number of body bytes that were sent.
  [[nodiscard]] std::uint64_t bytes_sent() const;
  [[nodiscard]] std::int64_t bytes_received() const;
  /// Whether the handle can be used like a new one. A reset keeps the last errno, by which libcurl
  /// distinguishes failures, and other state that a failure may have left.
  [[nodiscard]] bool is_reusable() const;
  /// Returns the handle for another transfer. Needs: it is no longer in a multi handle.
  [[nodiscard]] Easy release();

 private:
  enum class Phase { connecting, waiting, receiving };

  /// Takes the next bytes of the body, as received. False: the transfer must end.
  [[nodiscard]] bool take_body(std::string_view bytes);
  [[nodiscard]] bool unpack(std::string_view bytes);
  /// Appends decoded bytes to the body. False: the body is too large.
  [[nodiscard]] bool keep(std::string_view bytes);
  /// Whether all bytes that the head declares and libcurl does not count were received, so that the answer is complete.
  [[nodiscard]] bool ends_by_length() const;
  /// Whether the head declares a body beyond its limit, so that the body need not be read.
  [[nodiscard]] bool declares_too_much() const;
  /// Whether the connection ended before the body.
  [[nodiscard]] bool is_cut_short() const;
  /// Takes bytes from the shared budget. False: too few are left.
  [[nodiscard]] bool pay_for(std::size_t bytes);
  void keep_field(std::string_view line);
  static std::size_t on_body(char* bytes, std::size_t size, std::size_t count, void* self);
  static std::size_t on_header(char* bytes, std::size_t size, std::size_t count, void* self);
  static int on_progress(void* self, curl_off_t expected, curl_off_t received, curl_off_t to_send,
                         curl_off_t sent);
  static int on_connected(void* self, char* address, char* local, int port, int local_port);
  static curl_socket_t on_open(void* self, curlsocktype purpose, curl_sockaddr* address);

  void set_message();
  void set_rules();
  void set_callbacks();
  void pin(const std::vector<Address>& addresses);
  template <class Value>
  void set(CURLoption option, Value value);

  /// Whether nothing was received on the kept connection between these ends since its last answer.
  [[nodiscard]] bool is_silent(const Ends& ends) const;
  /// Whether only chunk extensions (RFC 9112 7.1.1) and no body bytes were received for too long.
  [[nodiscard]] bool sends_only_extensions(curl_off_t received);
  /// Whether the agent may stream without a limit of its own, within the time of the call.
  [[nodiscard]] bool is_stream() const;
  void begin_receiving();
  [[nodiscard]] int status() const;
  [[nodiscard]] HttpAnswer answer();
  [[nodiscard]] Failure failure(CURLcode code) const;
  [[nodiscard]] Failure too_large() const;
  [[nodiscard]] Failure connect_failure() const;
  [[nodiscard]] Failure fail(FailureKind kind, std::string detail) const;

  Plan plan_;
  List fields_;
  List pinned_;
  Easy easy_;  // destroyed before the lists that it reads
  Phase phase_ = Phase::connecting;
  std::int64_t began_ms_;
  bool is_kept_ = false;          ///< the connection existed before
  bool met_stray_bytes_ = false;  ///< the connection had bytes to read before the request was sent
  bool is_done_well_ = false;     ///< libcurl reported success
  bool is_ended_ = false;         ///< ended by its length, which libcurl does not know
  std::int64_t sent_ms_ = 0;
  std::chrono::steady_clock::time_point sent_at_{};
  std::int64_t window_ms_ = 0;     ///< start of the window in which the speed is measured
  std::int64_t window_bytes_ = 0;  ///< number of bytes received before the window
  AnswerHead head_;
  std::size_t header_bytes_ = 0;
  std::size_t headers_ = 0;
  Fields kept_fields_;                 ///< filled if the caller wants them
  std::vector<int> opened_;            ///< sockets that were opened
  std::uint64_t body_wire_bytes_ = 0;  ///< size of the body, still compressed
  curl_off_t seen_bytes_ = 0;          ///< size of the body at the last check
  int empty_reads_ = 0;                ///< number of checks without progress
  std::optional<Gunzip> unpacker_;     ///< set once bytes of a compressed body were received
  std::string body_;
  std::size_t large_bytes_ = 0;  ///< size of the body in the shared budget
  std::optional<Failure> cut_;   ///< why a callback ended the transfer
};

}  // namespace parley::outbound
