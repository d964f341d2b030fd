#pragma once
/// Router: finds the row of the route table for a method and a path (D1, D4, F33). Built once, then read by
/// all workers.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/exchange/route.hpp"

namespace parley::http {

/// The result of a look-up. Without a route: 404 if `methods` is empty, else 405, or 204 for OPTIONS.
struct Match {
  const Route* route = nullptr;
  std::vector<std::string> values;  ///< the template's parameters, decoded
  std::string methods;              ///< for Allow: the methods of the path, including HEAD and OPTIONS
  bool can_be_archived = false;     ///< the path names a record, `/COLLECTION/{id}`, that PATCH changes
};

class Router {
 public:
  /// `base_path`: prefix of every path, such as `/parley`; empty for none. A trailing slash is ignored.
  explicit Router(std::span<const Route> routes, std::string_view base_path = {});

  /// HEAD is matched as GET. A template with a literal segment takes precedence over one with a parameter. `*` is the
  /// server itself and allows the methods of all paths (RFC 9110 section 9.3.7).
  [[nodiscard]] Match match(std::string_view method, std::string_view path) const;

 private:
  struct Template {
    const Route* route;
    std::vector<std::string_view> segments;
  };

  [[nodiscard]] std::optional<std::vector<std::string>> segments_of(std::string_view path) const;

  std::string base_path_;
  std::string all_methods_;
  std::vector<std::vector<Template>> by_length_;  ///< literal templates before those with parameters
};

}  // namespace parley::http
