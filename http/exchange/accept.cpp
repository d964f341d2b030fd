#include "http/exchange/accept.hpp"

#include <string>

#include "http/protocol/field_grammar.hpp"

namespace parley::http {
namespace {

struct MediaType {
  std::string_view type;
  std::string_view subtype;
};

MediaType media_type_of(Gives form) {
  switch (form) {
    case Gives::text: return {"text", "plain"};
    case Gives::html: return {"text", "html"};
    case Gives::events: return {"text", "event-stream"};
    case Gives::one:
    case Gives::page:
    case Gives::nothing: break;
  }
  return {"application", "json"};
}

/// How specifically a range in Accept matches a media type. The most specific range decides (RFC 9110 section
/// 12.5.1).
enum class Closeness { none, any, type, exact };

Closeness closeness_of(std::string_view range, const MediaType& given) {
  const std::string type = std::string(given.type) + "/";
  if (same_ignoring_case(range, type + std::string(given.subtype))) return Closeness::exact;
  if (same_ignoring_case(range, type + "*")) return Closeness::type;
  return range == "*/*" || range == "*" ? Closeness::any : Closeness::none;
}

/// Whether a weight is `q=0`.
bool is_refused(std::string_view weight) {
  return !weight.empty() && weight.find_first_not_of("0.") == std::string_view::npos;
}

bool accepts(std::string_view accept, const MediaType& given) {
  Closeness closest = Closeness::none;
  bool is_accepted = false;
  for (const std::string_view element : list_elements(accept)) {
    const auto [range, weight] = preferred(element);
    const Closeness closeness = closeness_of(range, given);
    if (closeness == Closeness::none || closeness < closest) continue;
    is_accepted = !is_refused(weight) || (closeness == closest && is_accepted);
    closest = closeness;
  }
  return is_accepted;
}

}  // namespace

Expected<Done> check_accept(const Request& request, Gives form) {
  const std::string accept = request.joined("Accept");
  if (trimmed(accept).empty() || form == Gives::nothing) return Done{};
  const MediaType given = media_type_of(form);
  if (accepts(accept, given)) return Done{};
  return problem(ProblemKind::not_acceptable,
                 "accept " + std::string(given.type) + "/" + std::string(given.subtype));
}

}  // namespace parley::http
