// Transfer: the reason for a missing answer, as a text for users. It never includes libcurl's message, which
// may quote the URL.

#include <cerrno>
#include <system_error>

#include "model/text/header_field_text.hpp"
#include "outbound/agents/request.hpp"
#include "outbound/client/transfer.hpp"

namespace parley::outbound {
namespace {

constexpr std::size_t sent_fields_bytes_max = 32 * 1024;  // all fields together
constexpr std::size_t sent_fields_max = 100;

std::optional<std::string> fault_of(const std::string& name, const std::string& value) {
  if (!is_token(name)) return "a header's name is empty or has a character that no header name may have";
  if (is_framing_field(name)) return "the header " + name + " is set by the server itself";
  if (!is_field_text(value))
    return "the value of the header " + name + " has a line break or another control character";
  if (name.size() + value.size() > sent_field_bytes_max)
    return "the header " + name + " is longer than 8 KiB";
  return std::nullopt;
}

}  // namespace

std::optional<Failure> check_message(const HttpRequest& request) {
  const auto bad = [](std::string detail) { return Failure{FailureKind::bad_url, std::move(detail), false}; };
  if (!is_token(request.method) || request.method == "HEAD" || request.method == "CONNECT")
    return bad("the request's method cannot be sent");
  if (request.fields.size() > sent_fields_max) return bad("there are more than 100 headers to send");
  std::size_t bytes = 0;
  for (const auto& [name, value] : request.fields) {
    if (auto fault = fault_of(name, value)) return bad(*std::move(fault));
    bytes += name.size() + value.size();
  }
  if (bytes > sent_fields_bytes_max) return bad("the headers to send are longer than 32 KiB");
  return std::nullopt;
}

Failure Transfer::fail(FailureKind kind, std::string detail) const {
  return {kind, std::move(detail), was_sent()};
}

Failure Transfer::failure(CURLcode code) const {
  const auto name = name_of(plan_.url);
  // libcurl's codes for a header line beyond its limit; since 8.6 the second one (CURLE_TOO_LARGE).
  constexpr auto grew_too_large = static_cast<CURLcode>(100);
  if (was_sent() && (code == CURLE_OUT_OF_MEMORY || code == grew_too_large))
    return fail(FailureKind::too_large, "a header of the answer of " + name + " is too long");
  switch (code) {
    case CURLE_COULDNT_CONNECT:
    case CURLE_COULDNT_RESOLVE_HOST: return connect_failure();
    case CURLE_OPERATION_TIMEDOUT:
      return fail(FailureKind::connect, "no connection to " + name + " within the time given");
    case CURLE_PEER_FAILED_VERIFICATION:
      return fail(FailureKind::tls,
                  "the certificate of " + name + " is not trusted, or was issued for another host name");
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ENGINE_INITFAILED:
      return fail(FailureKind::tls, "no encrypted connection to " + name + ": the TLS handshake failed");
    case CURLE_FILESIZE_EXCEEDED: return too_large();
    case CURLE_GOT_NOTHING:
    case CURLE_ABORTED_BY_CALLBACK:
      return fail(FailureKind::broken, name + " closed the connection without an answer");
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR: return fail(FailureKind::broken, "the connection to " + name + " broke");
    case CURLE_PARTIAL_FILE: return fail(FailureKind::broken, "the answer of " + name + " ended early");
    case CURLE_OUT_OF_MEMORY:
      return fail(FailureKind::overloaded, "this server has no memory left for the call");
    default: break;
  }
  // libcurl's constant texts contain no data of this call.
  return fail(FailureKind::broken,
              "the answer of " + name + " is not valid HTTP (" + curl_easy_strerror(code) + ")");
}

Failure Transfer::too_large() const {
  return fail(FailureKind::too_large, "the answer of " + name_of(plan_.url) + " has more than " +
                                          std::to_string(plan_.request.body_bytes_max) + " bytes");
}

Failure Transfer::connect_failure() const {
  long code = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_OS_ERRNO, &code);
  const auto reason =
      code == 0 ? std::string() : ": " + std::generic_category().message(static_cast<int>(code));
  return fail(FailureKind::connect, "could not connect to " + name_of(plan_.url) + reason);
}

}  // namespace parley::outbound
