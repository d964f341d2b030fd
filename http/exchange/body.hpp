#pragma once
/// The body of a request as a JSON object, and the one way to turn faults found in it into an answer (D3,
/// D5).

#include <memory>

#include "http/exchange/request_context.hpp"
#include "model/description/record_parse.hpp"
#include "model/json/json.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// A parsed body. Values of it live as long as one of its copies.
class Body {
 public:
  explicit Body(std::shared_ptr<const json::Document> document) : document_(std::move(document)) {}
  [[nodiscard]] json::Value root() const { return document_->root(); }

 private:
  std::shared_ptr<const json::Document> document_;
};

/// An empty body is `{}`. Problem: 415 unless JSON; 400 for malformed JSON and for anything but an object.
[[nodiscard]] Expected<Body> read_body(const RequestContext& call);
/// For an operation that takes no body: what stands in one is ignored, or a fault where the client asked (D5).
[[nodiscard]] Expected<Done> read_no_body(const RequestContext& call);

/// True for `application/json` and any `+json` type, parameters aside.
[[nodiscard]] bool is_json_media_type(std::string_view content_type);

/// Adds a fault for each named record that does not exist. Each id is looked up once.
void check_links(const store::Snapshot& snapshot, Findings& findings);

/// Problem: 400 with all of the faults.
[[nodiscard]] Expected<Done> faults_of(Findings findings);

/// Fills a described body (one without a stamp) and reports keys that it does not know where the client asked
/// for it. Fields that the record shows and this body cannot set are no unknown ones (D5): a body says which record it
/// is laid on as `Of`, or which fields that one shows as `shown_fields`.
template <Described T>
[[nodiscard]] T parse_body(const json::Value& root, Findings& findings) {
  T body{};
  Parser parser(root, ParseMode::create, "", findings);
  if constexpr (requires { typename T::Of; }) parser.template knows_fields_of<typename T::Of>();
  if constexpr (requires { T::shown_fields; }) parser.knows(T::shown_fields);
  T::describe(body, parser);
  parser.finish();
  return body;
}

}  // namespace parley::http
