#include "http/exchange/query.hpp"

#include <algorithm>
#include <charconv>

#include "http/protocol/field_grammar.hpp"
#include "http/protocol/percent.hpp"
#include "model/limits.hpp"

namespace parley::http {
namespace {

/// Calls `each` for the parts of the raw query that are separated by `&`.
template <class F>
void split_parameters(std::string_view raw, F&& each) {
  while (!raw.empty()) {
    const auto end = std::min(raw.find('&'), raw.size());
    if (end != 0) each(raw.substr(0, end));
    raw.remove_prefix(std::min(end + 1, raw.size()));
  }
}

}  // namespace

std::string one_of(const std::vector<std::string_view>& words) {
  std::string text = "must be one of ";
  for (std::size_t i = 0; i < words.size(); ++i) text.append(i == 0 ? "" : ", ").append(words[i]);
  return text;
}

Query parse_query(std::string_view raw) {
  Query query;
  split_parameters(raw, [&](std::string_view piece) {
    const auto equals = piece.find('=');
    auto name = percent_decoded(piece.substr(0, equals), Plus::space);
    if (!name) return;
    const auto value = equals == std::string_view::npos ? std::string_view{} : piece.substr(equals + 1);
    auto decoded = percent_decoded(value, Plus::space);
    const bool is_well_formed = decoded.has_value();
    query.push_back({std::move(*name), std::move(decoded).value_or(""), is_well_formed});
  });
  return query;
}

void QueryReader::fault(std::string_view name, std::string detail) {
  faults_.push_back({{}, std::string(name), std::move(detail)});
}

const std::string* QueryReader::find(std::string_view name) {
  const QueryParameter* found = nullptr;
  for (const QueryParameter& each : query_) {
    if (each.name != name) continue;
    if (found != nullptr) {
      fault(name, "must be given once");
      return nullptr;
    }
    found = &each;
  }
  if (found == nullptr) return nullptr;
  if (!found->is_well_formed) {
    fault(name, "must be percent-encoded UTF-8");
    return nullptr;
  }
  return &found->value;
}

std::int64_t QueryReader::integer(std::string_view name, std::int64_t least, std::int64_t most,
                                  std::int64_t absent) {
  const std::string* value = find(name);
  if (value == nullptr) return absent;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), number);
  if (!is_digits(*value) || error != std::errc{} || number < least || number > most) {
    fault(name, "must be an integer from " + std::to_string(least) + " to " + std::to_string(most));
    return absent;
  }
  return number;
}

std::optional<bool> QueryReader::flag(std::string_view name) {
  const std::string* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (*value == "true") return true;
  if (*value == "false") return false;
  fault(name, "must be true or false");
  return std::nullopt;
}

std::optional<std::string> QueryReader::text(std::string_view name) {
  const std::string* value = find(name);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<Time> QueryReader::time(std::string_view name) {
  const std::string* value = find(name);
  if (value == nullptr) return std::nullopt;
  const auto time = time_from_text(*value);
  if (!time) fault(name, "must be an RFC 3339 date-time such as 2026-01-31T12:00:00.000Z");
  return time;
}

std::optional<Id> QueryReader::id(std::string_view name, RecordKind kind) {
  const std::string* value = find(name);
  if (value == nullptr) return std::nullopt;
  const auto id = id_from_text(*value);
  if (!id) fault(name, "must be the id of " + noun_with_article(kind));
  return id;
}

std::string_view QueryReader::word(std::string_view name, const std::vector<std::string_view>& words) {
  const std::string* value = find(name);
  if (value == nullptr) return words.front();
  const auto found = std::find(words.begin(), words.end(), *value);
  if (found != words.end()) return *found;
  fault(name, one_of(words));
  return words.front();
}

Expected<Done> QueryReader::result() const {
  if (faults_.empty()) return Done{};
  Problem made{ProblemKind::invalid_parameter, faults_.front().parameter + " " + faults_.front().detail,
               faults_, 0};
  if (faults_.size() > 1) made.detail = std::to_string(faults_.size()) + " faults, listed under errors";
  return made;
}

PageQuery read_page(QueryReader& reader) {
  PageQuery query;
  query.page = reader.integer("page", 1, INT64_MAX, 1);
  query.limit = reader.integer("limit", 1, limits::page_limit_max, limits::page_limit_default);
  query.sort_by = reader.text("sortBy").value_or("createdAt");
  query.is_ascending = reader.word("sortOrder", {"desc", "asc"}) == "asc";
  query.is_archived = reader.flag("archived").value_or(false);
  query.is_minimal = reader.word("output", {"full", "minimal"}) == "minimal";
  return query;
}

void check_sort(QueryReader& reader, const PageQuery& page, const std::vector<std::string_view>& fields) {
  if (std::find(fields.begin(), fields.end(), page.sort_by) == fields.end())
    reader.fault("sortBy", one_of(fields));
}

std::string page_links(std::string_view path, std::string_view raw_query, const PageQuery& query,
                       std::int64_t total) {
  std::string kept;
  split_parameters(raw_query, [&](std::string_view piece) {
    const auto name = percent_decoded(piece.substr(0, piece.find('=')), Plus::space);
    if (name != "page" && name != "limit") kept.append("&").append(piece);
  });
  std::string links;
  const auto add = [&](std::int64_t page, std::string_view relation) {
    if (!links.empty()) links += ", ";
    const std::string target =
        std::string(path) + "?page=" + std::to_string(page) + "&limit=" + std::to_string(query.limit) + kept;
    links.append("<").append(safe_in_link(target)).append(">; rel=\"").append(relation).append("\"");
  };
  const std::int64_t last = std::max<std::int64_t>(1, (total + query.limit - 1) / query.limit);
  add(1, "first");
  if (query.page > 1) add(std::min(query.page - 1, last), "prev");
  if (query.page < last) add(query.page + 1, "next");
  add(last, "last");
  return links;
}

}  // namespace parley::http
