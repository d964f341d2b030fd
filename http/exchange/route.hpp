#pragma once
/// Route: one row of the table of operations, and the two shapes of a handler. Constants; any thread.

#include <functional>
#include <string_view>
#include <variant>
#include <vector>

#include "http/exchange/reply.hpp"
#include "http/exchange/request_context.hpp"

namespace parley::store {
class Snapshot;
}

namespace parley::http {

struct Context;
class ReplyTo;

/// Answers at once from the snapshot of the request.
using AnswerNow = Expected<Reply> (*)(const Context&, const store::Snapshot&, const RequestContext&);
/// Checks, hands the command on, and answers through ReplyTo, once, from any thread.
using AnswerLater = void (*)(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo);

/// The ids that were kept under an Idempotency-Key; the first one is the record's.
using AffectedIds = std::vector<Id>;
/// Answers a repeat of a request that had its effect: the record as it is now (D9).
using AnswerAgain = Expected<Reply> (*)(const Context&, const store::Snapshot&, const RequestContext&,
                                        const AffectedIds&);

/// A POST: carried out once for each Idempotency-Key.
struct AnswerOnce {
  AnswerLater first;
  AnswerAgain again;
};

/// What stands in the answer, for the OpenAPI document.
enum class Gives : std::uint8_t { one, page, text, html, nothing };

/// The words of a text with single blanks between them.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);

struct Route {
  std::string_view method;
  std::string_view path;       ///< template: `/runs/{id}/test-results`
  std::string_view operation;  ///< operation id
  std::string_view summary;
  int success = 200;
  Right right = Right::read;
  std::variant<AnswerNow, AnswerLater, AnswerOnce> handle;
  std::string_view takes;  ///< name of the body's schema; empty: no body
  std::string_view gives;  ///< name of the schema of the answer or of a page's items
  Gives form = Gives::one;
  std::string_view filters{};  ///< of a page: names of the query parameters, with blanks between
  std::string_view prefers{};  ///< what the operation heeds of Prefer besides `handling`
  bool takes_patterns =
      false;  ///< its body may hold assertions, a script or a rule, whose regular expressions are checked
  /// Of a page whose rows are made on the way: the fields to sort by, with blanks between. Empty: those of the record.
  std::string_view sorts{};
};

}  // namespace parley::http
