#pragma once
/// Tokens: the OAuth 2 tokens of calls with a grant (RFC 6749 4.4), and the calls that wait for one. Tokens are
/// kept in memory until shortly before they expire. Calls with the same grant share a token and one request for it.
///
/// The client authenticates with HTTP Basic (2.3.1). If an endpoint refuses that, the request is repeated with
/// the credentials in the body, and that choice is remembered.
///
/// Thread: the loop's only. Pure: the time is a parameter.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

class Tokens {
 public:
  /// The currently valid token; nullopt if there is no such token.
  [[nodiscard]] std::optional<std::string> find(const TokenGrant& grant, std::int64_t now_ms) const;
  /// Adds the call to the waiting ones. True: no request for the token is in flight, so the caller must make request().
  [[nodiscard]] bool wait(const TokenGrant& grant, CallId id);
  void forget(const TokenGrant& grant, CallId id);
  [[nodiscard]] HttpRequest request(const TokenGrant& grant) const;

  enum class Taken : std::uint8_t { token, nothing, again };
  struct Outcome {
    Taken taken = Taken::nothing;
    Failure failure;              ///< failure of the waiting calls, if there is no token
    std::vector<CallId> waiting;  ///< calls that no longer wait; empty if request() must be made again
  };
  [[nodiscard]] Outcome take(const TokenGrant& grant, const HttpOutcome& outcome, std::int64_t now_ms);
  /// The service refused the token.
  void drop(const TokenGrant& grant, const std::string& token);

 private:
  struct Entry {
    std::string token;
    std::int64_t until_ms = 0;
    bool in_body = false;  ///< the credentials are sent in the body
    bool was_refused = false;
    bool is_asked_for = false;
    std::set<CallId> waiting;
  };
  Entry& entry_of(const TokenGrant& grant);

  std::map<std::string, Entry> entries_;
};

}  // namespace parley::outbound
