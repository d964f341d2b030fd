#include "http/exchange/body.hpp"

#include <map>
#include <utility>

#include "http/protocol/field_grammar.hpp"

namespace parley::http {

bool is_json_media_type(std::string_view content_type) {
  const std::string_view type = trimmed(content_type.substr(0, content_type.find(';')));
  if (same_ignoring_case(type, "application/json")) return true;
  constexpr std::string_view suffix = "+json";
  return type.size() > suffix.size() &&
         same_ignoring_case(type.substr(type.size() - suffix.size()), suffix) &&
         type.find('/') != std::string_view::npos;
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

Expected<Body> read_body(const RequestContext& call) {
  if (!call.body.empty() && !is_json_media_type(call.content_type)) {
    return problem(ProblemKind::unsupported_media_type, "send the body with Content-Type: application/json");
  }
  const std::string_view coding = trimmed(call.content_encoding);
  if (!call.body.empty() && !coding.empty() && !same_ignoring_case(coding, "identity")) {
    return problem(ProblemKind::unsupported_media_type, "send the body without Content-Encoding");
  }
  const std::string_view text = without_byte_order_mark(call.body);
  TRY(document, json::parse(text.empty() ? std::string_view("{}") : text, json::outside));
  Body body(std::make_shared<const json::Document>(std::move(document)));
  if (!body.root().is(json::Kind::object)) return body_fault("", "must be an object");
  return body;
}

Expected<Done> read_no_body(const RequestContext& call) {
  TRY(body, read_body(call));
  Findings findings = findings_for(call);
  Parser(body.root(), ParseMode::create, "", findings).finish();
  note_ignored(call, findings);
  return faults_of(std::move(findings));
}

void check_links(const store::Snapshot& snapshot, Findings& findings) {
  std::map<std::pair<RecordKind, Id>, bool> known;
  for (const Findings::NamedLink& link : findings.links) {
    const auto [at, is_new] = known.try_emplace({link.kind, link.id}, false);
    if (is_new) at->second = snapshot.has(link.kind, link.id);
    if (!at->second)
      findings.add(link.pointer, "there is no " + std::string(noun_of(link.kind)) + " with this id");
  }
}

Findings findings_for(const RequestContext& call) {
  Findings findings;
  findings.strict = call.prefer.is_strict;
  findings.lenient = call.prefer.is_lenient;
  return findings;
}

void note_ignored(const RequestContext& call, Findings& findings) {
  for (std::string& pointer : findings.ignored) call.ignored->push_back(std::move(pointer));
  findings.ignored.clear();
}

Expected<Done> faults_of(Findings findings) {
  if (findings.faults.empty()) return Done{};
  return body_faults(std::move(findings.faults));
}

}  // namespace parley::http
