#pragma once
/// Route: one row of the table of operations, and the two shapes of a handler. Constants; any thread.

#include <functional>
#include <string_view>
#include <variant>
#include <vector>

#include "http/exchange/reply.hpp"
#include "http/exchange/request_context.hpp"
#include "http/exchange/schema_id.hpp"

namespace parley::store {
class Snapshot;
}

namespace parley::http {

struct Context;
class ReplyTo;

/// Answers immediately from the request's snapshot.
using AnswerNow = Expected<Reply> (*)(const Context&, const store::Snapshot&, const RequestContext&);
/// Checks the request, passes a command on, and answers once through ReplyTo, from any thread.
using AnswerLater = void (*)(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo);

/// The ids that are stored under an Idempotency-Key; the first one is the id of the created record.
using AffectedIds = std::vector<Id>;
/// Answers a repeated request with the current record (D9).
using AnswerAgain = Expected<Reply> (*)(const Context&, const store::Snapshot&, const RequestContext&,
                                        const AffectedIds&);

/// A POST that is carried out once for each Idempotency-Key.
struct AnswerOnce {
  AnswerLater first;
  AnswerAgain again;
};

/// The form of a successful answer.
enum class Gives : std::uint8_t { one, page, text, html, events, nothing };

/// The words of a text that are separated by single spaces.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);

/// Built by route_builder.hpp from the operation's types.
struct Route {
  std::string_view method{};
  std::string_view path{};       ///< template: `/runs/{id}/test-results`
  std::string_view operation{};  ///< operation id
  std::string_view summary{};
  int success = 200;
  Right right = Right::read;
  std::variant<AnswerNow, AnswerLater, AnswerOnce> handle{};
  SchemaId takes{};  ///< schema of the body; null id: no body
  SchemaId gives{};  ///< schema of the answer, or of the rows of a page
  Gives form = Gives::one;
  std::string_view filters{};  ///< for a page: names of the query parameters, separated by spaces
  std::string_view
      sorts{};  ///< for a page of computed rows: the fields to sort by; empty: the fields of the record
  std::string_view preferences{};  ///< the preferences that the operation honors besides `handling`
  bool is_tagged = false;          ///< the answer has an ETag, as for GET
  bool may_conflict = false;       ///< for a GET that may answer 409
  /// For a GET of one document that may have to be rendered on a background thread.
  bool may_be_long = false;
  /// The body may contain assertions, a script or a rule, whose regular expressions are checked.
  bool accepts_patterns = false;

 private:
  template <class Value>
  [[nodiscard]] constexpr Route with(Value Route::*member, Value value) const {
    Route changed = *this;
    changed.*member = value;
    return changed;
  }

 public:
  [[nodiscard]] constexpr Route needs(Right needed) const { return with(&Route::right, needed); }
  [[nodiscard]] constexpr Route answer(int status) const { return with(&Route::success, status); }
  [[nodiscard]] constexpr Route as(Gives given) const { return with(&Route::form, given); }
  [[nodiscard]] constexpr Route filter_by(std::string_view names) const {
    return with(&Route::filters, names);
  }
  [[nodiscard]] constexpr Route sort_by(std::string_view names) const { return with(&Route::sorts, names); }
  [[nodiscard]] constexpr Route prefer(std::string_view name) const {
    return with(&Route::preferences, name);
  }
  [[nodiscard]] constexpr Route tagged() const { return with(&Route::is_tagged, true); }
  [[nodiscard]] constexpr Route conflicting() const { return with(&Route::may_conflict, true); }
  [[nodiscard]] constexpr Route in_background() const { return with(&Route::may_be_long, true); }
  [[nodiscard]] constexpr Route with_patterns() const { return with(&Route::accepts_patterns, true); }
};

}  // namespace parley::http
