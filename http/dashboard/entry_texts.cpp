#include "http/dashboard/entry_texts.hpp"

#include "model/json/json.hpp"
#include "scoring/support/text.hpp"

namespace parley::http {
namespace {

constexpr scoring::Ignored case_alone{.letter_case = true};

}  // namespace

void for_each_text(std::string_view entry_json, const scoring::TextVisitor& visit) {
  const auto document = json::parse(entry_json);
  if (!document || !document->root().is(json::Kind::object)) return;
  for (const std::string_view place : {"name", "content"}) {
    const auto text = document->root().find(place);
    if (text && text->is(json::Kind::string) && !visit(place, text->string())) return;
  }
  if (const auto metadata = document->root().find("metadata"))
    scoring::for_each_text(*metadata, "/metadata", visit);
}

TextSearch::TextSearch(std::string_view text) : wanted_(scoring::comparable(text, case_alone)) {}

bool TextSearch::is_in(std::string_view entry_json) const {
  bool is_found = false;
  for_each_text(entry_json, [&](std::string_view, std::string_view text) {
    is_found = scoring::holds(scoring::comparable(text, case_alone), wanted_);
    return !is_found;
  });
  return is_found;
}

}  // namespace parley::http
