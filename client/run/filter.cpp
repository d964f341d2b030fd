#include "client/run/filter.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace parley::client {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Takes a word or a quoted text from the front.
Expected<std::string> take_value(std::string_view& rest) {
  if (rest.empty() || rest.front() != '"') {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    std::string word(rest.substr(0, end));
    rest.remove_prefix(end);
    return word;
  }
  std::string text;
  for (std::size_t at = 1; at < rest.size(); ++at) {
    if (rest[at] == '"') {
      rest.remove_prefix(at + 1);
      return text;
    }
    if (rest[at] == '\\' && at + 1 < rest.size()) ++at;
    text += rest[at];
  }
  return problem(ProblemKind::invalid_parameter, "unterminated quotation mark");
}

bool contains(std::string_view value, std::string_view wanted) {
  if (wanted.find('*') != std::string_view::npos) return matches_glob("*" + std::string(wanted) + "*", value);
  return lowered(value).find(lowered(wanted)) != std::string::npos;
}

bool is_met(const FilterTerm& term, std::string_view value) {
  if (term.relation == ':') return contains(value, term.value);
  if (term.relation == '=') return lowered(value) == lowered(term.value);
  const auto have = number_of(value);
  const auto bound = number_of(term.value);
  if (!have || !bound) return false;
  return term.relation == '>' ? *have > *bound : *have < *bound;
}

bool is_known(const std::string& key, const std::vector<std::string>& keys) {
  return key.starts_with("field.") || std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// Lists the keys without duplicates, because list-specific and common keys overlap.
std::string listed(const std::vector<std::string>& keys) {
  std::string all;
  for (auto each = keys.begin(); each != keys.end(); ++each)
    if (std::find(keys.begin(), each, *each) == each) all += (all.empty() ? "" : ", ") + *each;
  return all;
}

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || lower(pattern[p]) == lower(text[t]))) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

Expected<Filter> Filter::parse(std::string_view text, const std::vector<std::string>& keys) {
  Filter filter;
  std::string_view rest = text;
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (rest.empty()) return filter;
    FilterTerm term;
    if (rest.front() == '-' && rest.size() > 1) {
      term.is_negated = true;
      rest.remove_prefix(1);
    }
    const std::size_t at = rest.front() == '"' ? std::string_view::npos : rest.find_first_of(":=>< \"");
    if (at != std::string_view::npos && at > 0 &&
        std::string_view(":=><").find(rest[at]) != std::string_view::npos) {
      term.key = rest.substr(0, at);
      term.relation = rest[at];
      if (!is_known(term.key, keys))
        return problem(
            ProblemKind::invalid_parameter,
            "filter: unknown key \"" + term.key + "\"; there are " + listed(keys) + " and field.NAME");
      rest.remove_prefix(at + 1);
    }
    TRY(value, take_value(rest));
    term.value = std::move(value);
    const bool compares = term.relation == '>' || term.relation == '<';
    if (compares && !number_of(term.value))
      return problem(ProblemKind::invalid_parameter,
                     "filter: \"" + term.value + "\" must be a number to compare " + term.key + " with");
    filter.terms_.push_back(std::move(term));
  }
}

bool Filter::holds(const FilterValues& values) const {
  return std::all_of(terms_.begin(), terms_.end(), [&](const FilterTerm& term) {
    bool is_found = false;
    for (const auto& [key, value] : values)
      is_found = is_found || ((term.key.empty() || term.key == key) && is_met(term, value));
    return is_found != term.is_negated;
  });
}

}  // namespace parley::client
