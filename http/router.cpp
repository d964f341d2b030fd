#include "http/router.hpp"

#include <algorithm>

#include "http/protocol/percent.hpp"

namespace parley::http {
namespace {

/// No route has a longer path; the bound limits the cost of a hostile target.
constexpr std::size_t segments_max = 16;

bool is_parameter(std::string_view segment) {
  return !segment.empty() && segment.front() == '{';
}

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> segments;
  if (!path.empty() && path.front() == '/') path.remove_prefix(1);
  if (!path.empty() && path.back() == '/') path.remove_suffix(1);
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    segments.push_back(path.substr(0, end));
    if (end == path.size()) break;
    path.remove_prefix(end + 1);
    if (path.empty()) segments.emplace_back();  // "a//" has an empty second segment
  }
  return segments;
}

bool fits(const std::vector<std::string_view>& pattern, const std::vector<std::string>& segments) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (is_parameter(pattern[i]) ? segments[i].empty() : pattern[i] != segments[i]) return false;
  }
  return true;
}

void allow(std::string& allowed, std::string_view method) {
  if (allowed.find(method) != std::string::npos) return;
  if (!allowed.empty()) allowed += ", ";
  allowed += method;
}

std::size_t parameters_in(const std::vector<std::string_view>& segments) {
  return static_cast<std::size_t>(std::count_if(segments.begin(), segments.end(), is_parameter));
}

}  // namespace

Router::Router(std::span<const Route> routes, std::string_view base_path) : base_path_(base_path) {
  while (!base_path_.empty() && base_path_.back() == '/') base_path_.pop_back();
  for (const Route& route : routes) {
    allow(all_methods_, route.method);
    auto segments = split(route.path);
    const std::size_t length = segments.size();
    if (by_length_.size() <= length) by_length_.resize(length + 1);
    by_length_[length].push_back({&route, std::move(segments)});
  }
  allow(all_methods_, "HEAD");
  allow(all_methods_, "OPTIONS");
  for (auto& templates : by_length_) {
    std::stable_sort(templates.begin(), templates.end(), [](const Template& a, const Template& b) {
      return parameters_in(a.segments) < parameters_in(b.segments);
    });
  }
}

std::optional<std::vector<std::string>> Router::segments_of(std::string_view path) const {
  if (path.substr(0, base_path_.size()) != base_path_) return std::nullopt;
  path.remove_prefix(base_path_.size());
  if (!path.empty() && path.front() != '/') return std::nullopt;
  if (static_cast<std::size_t>(std::count(path.begin(), path.end(), '/')) > segments_max) return std::nullopt;
  std::vector<std::string> segments;
  for (const std::string_view raw : split(path)) {
    auto decoded = percent_decoded(raw, Plus::literal);
    if (!decoded) return std::nullopt;
    segments.push_back(std::move(*decoded));
  }
  return segments;
}

Match Router::match(std::string_view method, std::string_view path) const {
  Match match;
  if (path == "*" && method == "OPTIONS") {
    match.methods = all_methods_;
    return match;
  }
  auto segments = segments_of(path);
  if (!segments || segments->size() >= by_length_.size()) return match;
  const std::string_view wanted = method == "HEAD" ? "GET" : method;
  const Template* chosen = nullptr;
  for (const Template& each : by_length_[segments->size()]) {
    if (!fits(each.segments, *segments)) continue;
    allow(match.methods, each.route->method);
    match.can_be_archived |= each.route->method == "PATCH" && each.segments.size() == 2;
    if (each.route->method == "GET") allow(match.methods, "HEAD");
    if (chosen == nullptr && each.route->method == wanted) chosen = &each;
  }
  if (!match.methods.empty()) allow(match.methods, "OPTIONS");
  if (chosen == nullptr) return match;
  match.route = chosen->route;
  for (std::size_t i = 0; i < segments->size(); ++i) {
    if (is_parameter(chosen->segments[i])) match.values.push_back(std::move((*segments)[i]));
  }
  return match;
}

}  // namespace parley::http
