#pragma once
/// Router: which row of the table a path and a method mean (D1, D4, F33). Built once, then read by all
/// workers.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/exchange/route.hpp"

namespace parley::http {

/// What a target stands for. Without a route: 404 when `methods` is empty, else 405, or 204 for OPTIONS.
struct Match {
  const Route* route = nullptr;
  std::vector<std::string> values;  ///< of the template's parameters, decoded
  std::string methods;              ///< for Allow: what the path takes, HEAD and OPTIONS among them
  bool can_be_archived = false;     ///< the path is of a record, `/COLLECTION/{id}`, that PATCH changes
};

class Router {
 public:
  /// `base_path`: prefix of every path, such as `/parley`; empty for none. A slash at its end does not
  /// matter.
  explicit Router(std::span<const Route> routes, std::string_view base_path = {});

  /// HEAD is matched as GET. Of two templates the one with the literal segment wins. `*` stands for the server and takes what
  /// any path takes (RFC 9110 section 9.3.7).
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
