#pragma once
/// Sessions of the page (ADR 40): a sign-in by key or code gives two halves, a cookie that scripts cannot read
/// and a page half that other origins cannot send. A request needs both; one half alone is ignored (I69).
/// Thread: any; immutable except for the limiter.
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

/// The text of a new session's halves, which are shown once.
struct SessionHalves {
  std::string cookie;
  std::string page;
};

class Sessions {
 public:
  /// `public_url`: where browsers reach the server (--public-url); empty: from the Host field of a request.
  Sessions(const Keys& keys, std::string_view public_url);

  /// The credentials that the request may carry, cookie and page half in one text each; empty without both. A
  /// page of another port can add cookies of the same name, so there may be several.
  [[nodiscard]] std::vector<SessionHalves> offered(const Request& request) const;
  /// The session of the halves. Problem: unauthorized.
  [[nodiscard]] Expected<store::Session> find(const SessionHalves& halves, const store::Snapshot& snapshot,
                                              Time now) const;

  /// Makes the halves of `session`, which has its id, and sets their digests.
  [[nodiscard]] SessionHalves make_halves(store::Session& session) const;
  /// Values of Set-Cookie.
  [[nodiscard]] std::string set_cookie(std::string_view value) const;
  [[nodiscard]] std::string clear_cookie() const;

  /// Whether the request's Origin is this server's. A request without one is not.
  [[nodiscard]] bool is_own_origin(const Request& request) const;
  /// Problem: forbidden for a write by session that a page of another origin may have caused.
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
