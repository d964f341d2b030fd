#include "outbound/client/transfer.hpp"

#include <fmt/format.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <ctime>
#include <new>

#include "model/check.hpp"
#include "model/text/ascii.hpp"
#include "outbound/clock.hpp"
#include "outbound/formats/event_stream.hpp"

namespace parley::outbound {
namespace {

// Small, because each of thousands of transfers has one; a body of 1 MiB takes 256 reads.
constexpr long receive_buffer_bytes = 4 * 1024;
constexpr long upload_buffer_bytes = 16 * 1024;  // libcurl's minimum
/// Consecutive reads of a chunked body without body bytes; a TLS record in small segments takes a few.
constexpr int empty_reads_max = 1'000;
constexpr int gave_up_status = 408;  // from a peer that waited for a request

/// The limit for a body on the wire: incompressible data grows a little, and gzip has a header and a trailer.
constexpr std::size_t wire_bytes_max(std::size_t body_bytes_max) {
  return body_bytes_max + body_bytes_max / 1'024 + 1'024;
}

std::string bytes_text(std::size_t bytes) {
  return std::to_string(bytes) + " bytes";
}
std::string wait_text(std::int64_t ms) {
  return std::to_string(ms) + " ms";
}

void append(List& list, const std::string& text) {
  curl_slist* longer = curl_slist_append(list.get(), text.c_str());
  if (longer == nullptr) throw std::bad_alloc();
  // The head of the list stays the same, except after the first entry.
  (void)list.release();
  list.reset(longer);
}

std::string pinned_text(const Url& url, const std::vector<Address>& addresses) {
  // "+": libcurl expires the entry, so that its cache does not grow with every host that was ever called.
  std::string text = "+" + url.host + ":" + std::to_string(url.port) + ":";
  for (const auto& address : addresses) {
    if (text.back() != ':') text += ',';
    const auto written = to_text(address);
    text += written.find(':') == std::string::npos ? written : "[" + written + "]";
  }
  return text;
}

/// The seconds of a Retry-After, which is a number or a date (RFC 9110 10.2.3), at most a day: no caller would
/// wait longer. 0 if it is neither, or in the past. libcurl's releases differ in the maximum that they report.
std::int64_t retry_after_s(const std::string& value) {
  constexpr std::uint64_t day_s = 24 * 60 * 60;
  if (value.empty()) return 0;
  std::uint64_t seconds = 0;
  const auto read = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (read.ec == std::errc::result_out_of_range) seconds = day_s;
  if (read.ec == std::errc::invalid_argument) {
    const std::time_t now = std::time(nullptr);
    seconds = static_cast<std::uint64_t>(std::max(curl_getdate(value.c_str(), nullptr), now) - now);
  }
  return static_cast<std::int64_t>(std::min(seconds, day_s));
}

}  // namespace

Transfer::Transfer(const Plan& plan, Easy easy, const std::vector<Address>& addresses, std::int64_t began_ms)
    : plan_(plan), easy_(std::move(easy)), began_ms_(began_ms) {
  CHECK(easy_ != nullptr);
  set_message();
  set_rules();
  set_callbacks();
  if (!addresses.empty()) pin(addresses);
}

template <class Value>
void Transfer::set(CURLoption option, Value value) {
  const auto code = curl_easy_setopt(easy_.get(), option, value);
  if (code == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
  // Debian's libcurl supports every option.
  CHECK(code == CURLE_OK);
}

void Transfer::set_message() {
  const auto& request = plan_.request;
  set(CURLOPT_URL, to_text(plan_.url).c_str());
  if (request.method == "GET" && request.body.empty()) {
    set(CURLOPT_HTTPGET, 1L);
  } else {
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    set(CURLOPT_POSTFIELDS, request.body.c_str());
    set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }
  // Removes headers that libcurl would add: a wait for 100-continue, a form's content type.
  append(fields_, "Expect:");
  append(fields_, "Content-Type:");
  for (const auto& [name, value] : request.fields)
    append(fields_, value.empty() ? name + ";" : fmt::format("{}: {}", name, value));
  set(CURLOPT_HTTPHEADER, fields_.get());
  set(CURLOPT_USERAGENT, "parley");
  set(CURLOPT_ACCEPT_ENCODING, "gzip");
  set(CURLOPT_HTTP_CONTENT_DECODING, 0L);  // Gunzip decompresses instead
}

void Transfer::set_rules() {
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_PROXY, "");
  set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(CURLOPT_SSL_VERIFYPEER, 1L);
  set(CURLOPT_SSL_VERIFYHOST, 2L);
  set(CURLOPT_BUFFERSIZE, receive_buffer_bytes);
  set(CURLOPT_UPLOAD_BUFFERSIZE, upload_buffer_bytes);
  set(CURLOPT_TCP_NODELAY, 1L);
  // libcurl divides this among the addresses of a host; our own time-out in overdue() is decisive.
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(std::max<std::int64_t>(plan_.request.connect_ms, 1)));
  // A name that is no longer pinned must not make the loop wait for a lookup.
  set(CURLOPT_QUICK_EXIT, 1L);
  const auto age_ms =
      plan_.may_send_twice ? plan_.limits.idle_connection_ms : plan_.limits.fresh_connection_ms;
  if (plan_.is_fresh || age_ms < 1'000) {
    set(CURLOPT_FRESH_CONNECT, 1L);
  } else {
    set(CURLOPT_MAXAGE_CONN, static_cast<long>(age_ms / 1'000));
  }
  // For a body that may be compressed; declares_too_much() checks the others.
  set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(wire_bytes_max(plan_.request.body_bytes_max)));
}

void Transfer::set_callbacks() {
  set(CURLOPT_PRIVATE, plan_.owner);
  set(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
  set(CURLOPT_WRITEDATA, this);
  set(CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  set(CURLOPT_HEADERDATA, this);
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFOFUNCTION, &Transfer::on_progress);
  set(CURLOPT_XFERINFODATA, this);
  set(CURLOPT_PREREQFUNCTION, &Transfer::on_connected);
  set(CURLOPT_PREREQDATA, this);
  set(CURLOPT_OPENSOCKETFUNCTION, &Transfer::on_open);
  set(CURLOPT_OPENSOCKETDATA, this);
  set(CURLOPT_CLOSESOCKETFUNCTION, &Sockets::on_close);
  set(CURLOPT_CLOSESOCKETDATA, &plan_.sockets);
}

void Transfer::pin(const std::vector<Address>& addresses) {
  append(pinned_, pinned_text(plan_.url, addresses));
  set(CURLOPT_RESOLVE, pinned_.get());
}

Easy Transfer::release() {
  curl_easy_reset(easy_.get());
  return std::move(easy_);
}

std::size_t Transfer::on_header(char* bytes, std::size_t size, std::size_t count, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  const std::string_view line(bytes, size * count);
  const auto fault = transfer.head_.take(line);
  if (!transfer.head_.is_interim()) transfer.begin_receiving();
  if (transfer.plan_.request.keeps_fields) transfer.keep_field(line);
  transfer.header_bytes_ += line.size();
  const auto& limits = transfer.plan_.limits;
  if (++transfer.headers_ > limits.headers_max || transfer.header_bytes_ > limits.header_bytes_max) {
    transfer.cut_ =
        transfer.fail(FailureKind::too_large, "the headers of the answer of " + name_of(transfer.plan_.url) +
                                                  " are more than " + std::to_string(limits.headers_max) +
                                                  " or " + bytes_text(limits.header_bytes_max));
    return 0;
  }
  if (!fault && transfer.declares_too_much()) {
    transfer.cut_ = transfer.too_large();
    return 0;
  }
  transfer.is_ended_ = !fault && transfer.ends_by_length();  // true for an empty body
  if (transfer.is_ended_) return 0;
  if (!fault) return line.size();
  transfer.cut_ =
      transfer.fail(FailureKind::broken, "the answer of " + name_of(transfer.plan_.url) + " " + *fault);
  return 0;
}

void Transfer::keep_field(std::string_view line) {
  if (line.starts_with("HTTP/")) kept_fields_.clear();
  const auto colon = line.find(':');
  if (!head_.is_whole() && colon < line.size())
    kept_fields_.emplace_back(line.substr(0, colon), ascii::trimmed(line.substr(colon + 1), " \t\r\n"));
}

// Limits a compressed body on the wire too: one that decompresses to nothing never reaches on_body.
int Transfer::on_progress(void* self, curl_off_t, curl_off_t received, curl_off_t, curl_off_t) {
  auto& transfer = *static_cast<Transfer*>(self);
  if (transfer.sends_only_extensions(received)) {
    transfer.cut_ = transfer.fail(FailureKind::broken, "the answer of " + name_of(transfer.plan_.url) +
                                                           " has a chunk with endless extensions");
    return 1;
  }
  if (received <= static_cast<curl_off_t>(wire_bytes_max(transfer.plan_.request.body_bytes_max))) return 0;
  if (!transfer.cut_) transfer.cut_ = transfer.too_large();
  return 1;
}

// libcurl skips chunk extensions silently. Between two checks it reads the buffer up to a hundred times.
bool Transfer::sends_only_extensions(curl_off_t received) {
  if (received != seen_bytes_ || !head_.is_whole() || !head_.is_chunked()) {
    seen_bytes_ = received;
    empty_reads_ = 0;
    return false;
  }
  return ++empty_reads_ > empty_reads_max;
}

bool Transfer::is_stream() const {
  const char* content_type = nullptr;
  curl_easy_getinfo(easy_.get(), CURLINFO_CONTENT_TYPE, &content_type);
  return content_type != nullptr && is_event_stream(content_type);
}

// Connected and about to send. A second call means that the kept connection was dead and libcurl picked another.
int Transfer::on_connected(void* self, char* peer, char* local, int peer_port, int local_port) {
  auto& transfer = *static_cast<Transfer*>(self);
  if (transfer.was_sent()) return CURL_PREREQFUNC_ABORT;
  const Ends ends{local, peer, local_port, peer_port};
  transfer.is_kept_ = transfer.opened_.empty();
  if (!transfer.is_kept_) transfer.plan_.sockets.name(transfer.opened_, ends);
  transfer.met_stray_bytes_ = transfer.is_kept_ && !transfer.is_silent(ends);
  if (transfer.met_stray_bytes_) return CURL_PREREQFUNC_ABORT;
  transfer.phase_ = Phase::waiting;
  transfer.sent_ms_ = now_ms();
  transfer.sent_at_ = std::chrono::steady_clock::now();
  return CURL_PREREQFUNC_OK;
}

// Checks bytes in the socket, and unread bytes that were decrypted together with the end of the last answer.
bool Transfer::is_silent(const Ends& ends) const {
  if (!plan_.sockets.is_silent(ends)) return false;
  curl_tlssessioninfo* tls = nullptr;
  curl_easy_getinfo(easy_.get(), CURLINFO_TLS_SSL_PTR, &tls);
  if (tls == nullptr || tls->backend != CURLSSLBACKEND_OPENSSL || tls->internals == nullptr) return true;
  return SSL_pending(static_cast<const SSL*>(tls->internals)) == 0;
}

curl_socket_t Transfer::on_open(void* self, curlsocktype, curl_sockaddr* address) {
  auto& transfer = *static_cast<Transfer*>(self);
  if (transfer.was_sent()) return CURL_SOCKET_BAD;  // libcurl wants to send again
  const auto target = address_from(address->addr);
  if (!target || !permits(transfer.plan_.guard, *target,
                          {transfer.plan_.url.scheme, transfer.plan_.request.is_trusted})) {
    transfer.cut_ = refused(transfer.plan_.url);
    return CURL_SOCKET_BAD;
  }
  const int fd = transfer.plan_.sockets.open(*address);
  if (fd >= 0) {
    transfer.opened_.push_back(fd);
    return fd;
  }
  // Other errors concern the address, and the next address may work, for example on a machine without IPv6.
  if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
    transfer.cut_ =
        transfer.fail(FailureKind::overloaded, "this server has no descriptor left for another connection");
  return CURL_SOCKET_BAD;
}

void Transfer::begin_receiving() {
  if (phase_ == Phase::receiving) return;
  phase_ = Phase::receiving;
  window_ms_ = now_ms();
  window_bytes_ = bytes_received();
}

// As received, not as decompressed; libcurl counts only the body.
std::int64_t Transfer::bytes_received() const {
  curl_off_t body = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_SIZE_DOWNLOAD_T, &body);
  return static_cast<std::int64_t>(body) + static_cast<std::int64_t>(header_bytes_);
}

std::uint64_t Transfer::bytes_sent() const {
  curl_off_t body = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_SIZE_UPLOAD_T, &body);
  return static_cast<std::uint64_t>(std::max<curl_off_t>(body, 0));
}

std::optional<Failure> Transfer::overdue(std::int64_t now_ms) {
  const auto& request = plan_.request;
  const auto name = name_of(plan_.url);
  if (phase_ == Phase::connecting && now_ms >= began_ms_ + request.connect_ms)
    return fail(FailureKind::connect,
                "no connection to " + name + " within " + wait_text(request.connect_ms));
  if (phase_ == Phase::waiting && now_ms >= sent_ms_ + request.first_byte_ms)
    return fail(FailureKind::timeout, name + " sent no answer within " + wait_text(request.first_byte_ms));
  if (now_ms >= plan_.attempt_ms + request.total_ms)
    return fail(FailureKind::timeout,
                "the answer of " + name + " was not whole within " + wait_text(request.total_ms));
  if (phase_ != Phase::receiving || now_ms < window_ms_ + plan_.limits.slow_window_ms) return std::nullopt;
  if (is_stream()) {
    window_ms_ = now_ms;
    return std::nullopt;
  }
  const auto bytes = bytes_received();
  if (bytes - window_bytes_ < static_cast<std::int64_t>(plan_.limits.slow_bytes_min))
    return fail(FailureKind::slow, "the answer of " + name + " delivered less than " +
                                       bytes_text(plan_.limits.slow_bytes_min) + " in " +
                                       wait_text(plan_.limits.slow_window_ms));
  window_ms_ = now_ms;
  window_bytes_ = bytes;
  return std::nullopt;
}

// libcurl changes phases without notice, so the loop wakes no later than the next phase would require if it began now.
std::int64_t Transfer::wake_at_ms(std::int64_t now_ms) const {
  const auto& request = plan_.request;
  auto at = plan_.attempt_ms + request.total_ms;
  switch (phase_) {
    case Phase::connecting:
      at = std::min({at, began_ms_ + request.connect_ms, now_ms + request.first_byte_ms});
      [[fallthrough]];
    case Phase::waiting:
      if (phase_ == Phase::waiting) at = std::min(at, sent_ms_ + request.first_byte_ms);
      return std::min(at, now_ms + plan_.limits.slow_window_ms);
    case Phase::receiving: return std::min(at, window_ms_ + plan_.limits.slow_window_ms);
  }
  return at;
}

bool Transfer::was_lost_on_kept(CURLcode code) const {
  if (!is_kept_) return false;
  if (met_stray_bytes_) return true;
  if (code == CURLE_OK) return status() == gave_up_status && head_.closes();
  if (phase_ != Phase::waiting || headers_ > 0) return false;  // an interim answer: the request was read
  switch (code) {
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_UNSUPPORTED_PROTOCOL:  // the answer does not begin like HTTP
    case CURLE_WEIRD_SERVER_REPLY:  // the same: libcurl 8.14 reports it for an empty line on a kept connection
    case CURLE_ABORTED_BY_CALLBACK:  // by on_connected
    case CURLE_COULDNT_CONNECT:      // by on_open
    // Also by on_open, if the handle's last errno was ETIMEDOUT. Our own time-outs do not come from libcurl, and
    // libcurl's own connect time-out happens before the request is sent.
    case CURLE_OPERATION_TIMEDOUT: return true;
    default: return false;
  }
}

bool Transfer::is_reusable() const {
  long last_errno = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_OS_ERRNO, &last_errno);
  return is_done_well_ && last_errno == 0;
}

HttpOutcome Transfer::outcome(CURLcode code) {
  is_done_well_ = code == CURLE_OK;
  const auto broken = [this](std::string_view how) {
    return fail(FailureKind::broken, "the answer of " + name_of(plan_.url) + " ended " + std::string(how));
  };
  // One address may have been cut off before the next one answered.
  if (code != CURLE_OK && !is_ended_) return cut_ ? *std::move(cut_) : failure(code);
  if (!head_.is_whole()) return broken("within its headers");
  if (is_cut_short()) return broken("early");
  return answer();
}

int Transfer::status() const {
  long status = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
  return static_cast<int>(status);
}

HttpAnswer Transfer::answer() {
  HttpAnswer answer;
  answer.status = status();
  const char* content_type = nullptr;
  curl_easy_getinfo(easy_.get(), CURLINFO_CONTENT_TYPE, &content_type);
  if (content_type != nullptr) answer.content_type = content_type;
  constexpr int first_redirect = 300, last_redirect = 399;
  if (answer.status >= first_redirect && answer.status <= last_redirect) answer.location = head_.location();
  if (const auto wait_s = retry_after_s(head_.retry_after()); wait_s > 0)
    answer.retry_after_ms = wait_s * 1'000;
  answer.body = std::move(body_);
  answer.fields = std::move(kept_fields_);
  // Rounded up, so that an answer never takes 0 ms, which means "not measured".
  const auto took = std::chrono::steady_clock::now() - sent_at_;
  answer.duration_ms = std::max<std::int64_t>(std::chrono::ceil<std::chrono::milliseconds>(took).count(), 1);
  return answer;
}

}  // namespace parley::outbound
