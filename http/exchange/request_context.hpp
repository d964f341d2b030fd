#pragma once
/// RequestContext: one request in progress, copied out of the connection's buffer, so that a handler may answer
/// later. Plain values; created on a worker thread, then shared read-only.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/exchange/prefer.hpp"
#include "http/exchange/query.hpp"
#include "model/id.hpp"
#include "model/records/user.hpp"
#include "model/text/trace_parent.hpp"
#include "store/audit/author.hpp"
#include "store/side/idempotency_records.hpp"

namespace parley::http {

struct Request;
struct Route;

/// What a caller may do; each right includes the lower ones (D80).
enum class Right : std::uint8_t { none, read, write, admin };

/// The user of the request's API key or session.
struct Principal {
  Id user;
  Id key;      ///< for a session, the key that signed in
  Id session;  ///< nil if the request carries an API key
  UserRole role = UserRole::viewer;
  Right right = Right::none;  ///< the right that the user's role and the key's scopes both allow
  std::string key_prefix{};   ///< prefix of the key's text, for the log

  [[nodiscard]] bool is_admin() const { return right == Right::admin; }
};

struct RequestContext {
  const Route* route = nullptr;
  std::vector<std::string> path_values;  ///< decoded, in the order of the template
  std::string path;                      ///< the request's normal_path, for Link and Location
  std::string request_id;                ///< D10
  std::string raw_query;
  Query query;
  std::string content_type;
  std::string content_encoding;
  std::string body;
  std::string if_match;
  std::string if_none_match;
  std::string last_event_id;
  bool accepts_chunks = true;  ///< HTTP/1.1
  Prefer prefer;
  /// The client's trace context, for calls made on behalf of this request (D10).
  std::optional<TraceParent> trace;
  /// The trace context as stored with new records; empty if the client sent none.
  [[nodiscard]] std::optional<std::string> trace_text() const {
    return trace ? std::optional<std::string>(trace->text()) : std::nullopt;
  }
  /// Set if the call runs on a connection's thread, on which other clients wait. A large page is then left to a
  /// background thread (Reply::is_unfinished).
  bool is_interactive = false;
  Principal principal;
  /// Pointers to body fields that were ignored, for Parley-Ignored in the answer (D99). Filled while the body is
  /// read, before the call is passed on.
  std::shared_ptr<std::vector<std::string>> ignored = std::make_shared<std::vector<std::string>>();
  store::Address peer{};              ///< the client's address
  bool is_from_other_origin = false;  ///< the request comes from a page of another origin
  /// For a request with an Idempotency-Key: the record that is stored together with the effect (D9).
  std::optional<store::NewIdempotencyRecord> keep;

  /// Set if the call changes something: a condition such as If-Match then applies to the record that the path names.
  bool is_change = false;

  /// The first path value. Needs: the route template has a parameter.
  [[nodiscard]] const std::string& id_text() const { return path_values.front(); }
};
using RequestContextPtr = std::shared_ptr<const RequestContext>;

/// Copies everything that handlers read from `request`; `path_values` are the values of the route's template.
[[nodiscard]] std::shared_ptr<RequestContext> request_context_of(const Request& request, const Route& route,
                                                                 std::vector<std::string> path_values,
                                                                 std::string request_id,
                                                                 const Principal& principal);

/// The client's trace context; nullopt if it is missing, invalid or repeated.
[[nodiscard]] std::optional<TraceParent> trace_of(const Request& request);

}  // namespace parley::http
