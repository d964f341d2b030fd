#pragma once
/// Transfer: one attempt of one call on one of libcurl's easy handles: its settings, counters and limits while it runs,
/// and its outcome.
///
///   connecting ──► waiting ──► receiving          the request leaves with the step to waiting
///
/// An interim answer (1xx) is not a step: the answer is still awaited, and its speed is not measured yet.
///
/// It sends the request once. libcurl would repeat it if a kept connection turned out to be dead; here that is refused, and
/// the owner of the transfer decides (ADR 12).
///
/// Thread: the loop's only. Invariant: the request outlives the transfer, and so do guard and limits.

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

/// The fault of the method or the fields of a request (F34); nullopt if it can be sent.
[[nodiscard]] std::optional<Failure> check_message(const HttpRequest& request);

class Transfer {
 public:
  /// The parts that all attempts share.
  struct Plan {
    const HttpRequest& request;
    const Url& url;
    const Guard& guard;
    const CallLimits& limits;
    Sockets& sockets;                              ///< outlives the connections, too
    std::atomic<std::size_t>& large_bodies_bytes;  ///< memory that large answers of all transfers use
    bool may_send_twice = false;
    bool is_fresh = false;        ///< must not use a kept connection
    std::int64_t attempt_ms = 0;  ///< when the attempt began: a second sending has the rest of its time
    void* owner = nullptr;        ///< the value of CURLINFO_PRIVATE
  };

  /// `began_ms`: when the attempt began, with resolving. `addresses`: of the host, permitted by the guard; empty if the
  /// host is an address. Throws std::bad_alloc.
  Transfer(const Plan& plan, Easy easy, const std::vector<Address>& addresses, std::int64_t began_ms);
  ~Transfer() {
    if (large_bytes_ > 0) plan_.large_bodies_bytes -= large_bytes_;
  }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  [[nodiscard]] CURL* easy() const { return easy_.get(); }
  /// The failure of a transfer that has exceeded its time; otherwise nullopt, and wake_at_ms() says when to
  /// check again.
  [[nodiscard]] std::optional<Failure> overdue(std::int64_t now_ms);
  [[nodiscard]] std::int64_t wake_at_ms(std::int64_t now_ms) const;
  /// The outcome, when libcurl reports the transfer as done. Moves the body out.
  [[nodiscard]] HttpOutcome outcome(CURLcode code);
  /// The connection was kept from an earlier call, and that call or the connection is at fault (ADR 12):
  /// there was something to read on it before the request was sent (was_sent() is false then); it ended before a
  /// line of an answer was received; the answer is not HTTP; or it is the 408 with which a peer ends an idle
  /// connection.
  [[nodiscard]] bool was_lost_on_kept(CURLcode code) const;
  [[nodiscard]] bool was_sent() const { return phase_ != Phase::connecting; }
  [[nodiscard]] std::uint64_t connections() const { return opened_.size(); }
  /// Of the body, the part that was sent.
  [[nodiscard]] std::uint64_t bytes_sent() const;
  [[nodiscard]] std::int64_t bytes_received() const;
  /// The handle is as good as new. A reset keeps the last errno, by which libcurl distinguishes
  /// failures, and other state that a failure may have left.
  [[nodiscard]] bool is_reusable() const;
  /// Returns the handle for another transfer. Needs: it is no longer in a multi handle.
  [[nodiscard]] Easy release();

 private:
  enum class Phase { connecting, waiting, receiving };

  /// The next bytes of the body, as received; false once the transfer must end.
  [[nodiscard]] bool take_body(std::string_view bytes);
  [[nodiscard]] bool unpack(std::string_view bytes);
  /// Decoded bytes of the body; false if they are too many.
  [[nodiscard]] bool keep(std::string_view bytes);
  /// All bytes that the head declares, and that libcurl does not count, were received: this answer is complete.
  [[nodiscard]] bool ends_by_length() const;
  /// The head was received and declares a body beyond its bound: there is no need to read it.
  [[nodiscard]] bool declares_too_much() const;
  /// The connection ended before the body did.
  [[nodiscard]] bool is_cut_short() const;
  /// Takes bytes from the shared budget; false if too little is left.
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

  /// Nothing was received on the kept connection between these ends since its last answer.
  [[nodiscard]] bool is_silent(const Ends& ends) const;
  /// Since the last check only chunk extensions (RFC 9112 7.1.1) and no body were received, for too long.
  [[nodiscard]] bool sends_only_extensions(curl_off_t received);
  /// The agent may stream without a limit of its own, within the time of the call.
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
  bool is_done_well_ = false;     ///< as libcurl reported
  bool is_ended_ = false;         ///< by its length, which libcurl does not know
  std::int64_t sent_ms_ = 0;
  std::chrono::steady_clock::time_point sent_at_{};
  std::int64_t window_ms_ = 0;     ///< start of the window in which the speed is measured
  std::int64_t window_bytes_ = 0;  ///< bytes received by then
  AnswerHead head_;
  std::size_t header_bytes_ = 0;
  std::size_t headers_ = 0;
  Fields kept_fields_;                 ///< if they are wanted
  std::vector<int> opened_;            ///< sockets
  std::uint64_t body_wire_bytes_ = 0;  ///< of the body, still compressed
  curl_off_t seen_bytes_ = 0;          ///< of the body, at the last check
  int empty_reads_ = 0;                ///< checks without progress
  std::optional<Gunzip> unpacker_;     ///< once bytes of a compressed body were received
  std::string body_;
  std::size_t large_bytes_ = 0;  ///< of it in the shared budget
  std::optional<Failure> cut_;   ///< why a callback ended it
};

}  // namespace parley::outbound
