#pragma once
/// The body of a request as a JSON object, and the shared answer to the faults found in it (D3, D5).

#include <memory>

#include "http/exchange/request_context.hpp"
#include "model/description/record_parse.hpp"
#include "model/json/json.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// A parsed body. Its values are valid as long as a copy of it exists.
class Body {
 public:
  explicit Body(std::shared_ptr<const json::Document> document) : document_(std::move(document)) {}
  [[nodiscard]] json::Value root() const { return document_->root(); }

 private:
  std::shared_ptr<const json::Document> document_;
};

/// RFC 8259 section 8.1: a byte order mark at the start may be ignored; some Windows programs write one.
[[nodiscard]] std::string_view without_byte_order_mark(std::string_view text);

/// An empty body is read as `{}`. Problem: 415 unless the media type is JSON; 400 if the JSON is malformed or not an
/// object.
[[nodiscard]] Expected<Body> read_body(const RequestContext& call);
/// For an operation without a body: sent fields are ignored, or are faults with handling=strict (D5).
[[nodiscard]] Expected<Done> read_no_body(const RequestContext& call);

/// True for `application/json` and any `+json` type, ignoring parameters.
[[nodiscard]] bool is_json_media_type(std::string_view content_type);

/// Adds a fault for each named record that does not exist. Each id is looked up once.
void check_links(const store::Snapshot& snapshot, Findings& findings);

/// Findings that handle unknown fields as the request prefers.
[[nodiscard]] Findings findings_for(const RequestContext& call);
/// Remembers the ignored fields for the answer.
void note_ignored(const RequestContext& call, Findings& findings);

/// Problem: 400 with all faults.
[[nodiscard]] Expected<Done> faults_of(Findings findings);

/// Fills a described body (one without a stamp) and reports unknown keys (D99). Fields that the record shows but the
/// body cannot set count as known (D5): a body names that record as `Of`, or its fields as `shown_fields`.
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
