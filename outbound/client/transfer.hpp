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

/// What is wrong with the method and the fields of a request (F34); nullopt when it can be sent.
[[nodiscard]] std::optional<Failure> check_message(const HttpRequest& request);

class Transfer {
 public:
  /// What does not change from one attempt to the next.
  struct Plan {
    const HttpRequest& request;
    const Url& url;
    const Guard& guard;
    const CallLimits& limits;
    Sockets& sockets;                              ///< outlives the connections, too
    std::atomic<std::size_t>& large_bodies_bytes;  ///< what all transfers together hold of large answers
    bool may_send_twice = false;
    bool is_fresh = false;        ///< no kept connection will do
    std::int64_t attempt_ms = 0;  ///< when the attempt began: another sending has what is left of its time
    void* owner = nullptr;        ///< what CURLINFO_PRIVATE gives
  };

  /// `began_ms`: when the attempt began, with resolving. `addresses`: of the host, permitted by the guard; empty when the
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
  /// The connection was kept from an earlier call, and the fault is that call's or the connection's (ADR 12):
  /// there was something to read on it before the request left (was_sent() is false then); it ended before a
  /// line of an answer came; the answer is not HTTP; or it is the 408 with which a peer ends an idle
  /// connection.
  [[nodiscard]] bool was_lost_on_kept(CURLcode code) const;
  [[nodiscard]] bool was_sent() const { return phase_ != Phase::connecting; }
  [[nodiscard]] std::uint64_t connections() const { return opened_.size(); }
  /// Of the body, as far as it left.
  [[nodiscard]] std::uint64_t bytes_sent() const;
  [[nodiscard]] std::int64_t bytes_received() const;
  /// The handle is as good as a new one: a reset keeps the last errno, by which libcurl distinguishes
  /// failures, and anything else that a failure may have left.
  [[nodiscard]] bool is_reusable() const;
  /// Gives the handle back for another transfer. Needs: it is in no multi handle any more.
  [[nodiscard]] Easy release();

 private:
  enum class Phase { connecting, waiting, receiving };

  /// The next bytes of the body, as they come over the wire; false once the transfer is to end.
  [[nodiscard]] bool take_body(std::string_view bytes);
  [[nodiscard]] bool unpack(std::string_view bytes);
  /// Bytes of the body as they are meant; false when they are too many.
  [[nodiscard]] bool keep(std::string_view bytes);
  /// All bytes arrived that the head declares and libcurl does not count: no more of this answer will come.
  [[nodiscard]] bool ends_by_length() const;
  /// The head has arrived and declares a body beyond its bound: there is no need to read it.
  [[nodiscard]] bool declares_too_much() const;
  /// The connection ended before the body did.
  [[nodiscard]] bool is_cut_short() const;
  /// Takes bytes from the shared budget; false when it has too little left.
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

  /// Nothing came on the kept connection between these ends since its last answer.
  [[nodiscard]] bool is_silent(const Ends& ends) const;
  /// What came since the last look was no body but the extensions of a chunk (RFC 9112 7.1.1), for too long.
  [[nodiscard]] bool sends_only_extensions(curl_off_t received);
  /// The agent speaks for as long as it likes, within the time of the call.
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
  Easy easy_;  // goes before the lists that it reads
  Phase phase_ = Phase::connecting;
  std::int64_t began_ms_;
  bool is_kept_ = false;          ///< the connection was there before
  bool met_stray_bytes_ = false;  ///< something was to be read there before the request left
  bool is_done_well_ = false;     ///< libcurl said so
  bool is_ended_ = false;         ///< by its length, of which libcurl did not know
  std::int64_t sent_ms_ = 0;
  std::chrono::steady_clock::time_point sent_at_{};
  std::int64_t window_ms_ = 0;     ///< when the window began in which the speed is measured
  std::int64_t window_bytes_ = 0;  ///< what had come by then
  AnswerHead head_;
  std::size_t header_bytes_ = 0;
  std::size_t headers_ = 0;
  Fields kept_fields_;                 ///< if they are wanted
  std::vector<int> opened_;            ///< sockets
  std::uint64_t body_wire_bytes_ = 0;  ///< of the body, still packed
  curl_off_t seen_bytes_ = 0;          ///< of the body, at the last look
  int empty_reads_ = 0;                ///< looks since more of it came
  std::optional<Gunzip> unpacker_;     ///< once bytes of a packed body came
  std::string body_;
  std::size_t large_bytes_ = 0;  ///< of it in the shared budget
  std::optional<Failure> cut_;   ///< why a callback ended it
};

}  // namespace parley::outbound
