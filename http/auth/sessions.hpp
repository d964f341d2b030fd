#pragma once
/// Sessions of the page (ADR 40). A sign-in by key or code creates two halves: a cookie that scripts cannot read and
/// a page half that other origins cannot send. A request needs both; one half alone is ignored (I69). Thread: any;
/// immutable except for the limiter.
///
///   cookie  = NAME "=" id "." secret       NAME = ["__Host-"] "parley_" 8 HEXDIG, so that servers on one host
///                                          do not share cookies; "__Host-" if --public-url is https
///   X-Parley-Page: secret

#include <string>
#include <string_view>
#include <vector>

#include "http/auth/api_key_text.hpp"
#include "http/auth/rate_limiter.hpp"
#include "http/protocol/request.hpp"
#include "model/expected.hpp"
#include "store/side/sessions.hpp"

namespace parley::http {

/// The texts of the two halves of a new session, which are shown once.
struct SessionHalves {
  std::string cookie;
  std::string page;
};

class Sessions {
 public:
  /// `public_url`: the URL at which browsers reach the server (--public-url). If empty, the Host field of a request
  /// is used.
  Sessions(const Keys& keys, std::string_view public_url);

  /// The pairs of cookie and page half that the request carries; empty unless it has both. A page on another port can
  /// add cookies with the same name, so there may be several pairs.
  [[nodiscard]] std::vector<SessionHalves> offered(const Request& request) const;
  /// The session that the halves belong to. Problem: unauthorized.
  [[nodiscard]] Expected<store::Session> find(const SessionHalves& halves, const store::Snapshot& snapshot,
                                              Time now) const;

  /// Creates the halves for `session`, whose id is set, and stores their digests in it.
  [[nodiscard]] SessionHalves make_halves(store::Session& session) const;
  /// The Set-Cookie values that set and clear the cookie.
  [[nodiscard]] std::string set_cookie(std::string_view value) const;
  [[nodiscard]] std::string clear_cookie() const;

  /// Whether the request's Origin is this server. False for a request without an Origin.
  [[nodiscard]] bool is_own_origin(const Request& request) const;
  /// Problem: forbidden for a write in a session that a page of another origin may have caused.
  [[nodiscard]] Expected<Done> check_write(const Request& request) const;

  [[nodiscard]] SignInLimiter& limiter() { return limiter_; }

 private:
  const Keys& keys_;
  std::string public_origin_;
  bool is_secure_;
  std::string cookie_name_;
  SignInLimiter limiter_;
};

}  // namespace parley::http
