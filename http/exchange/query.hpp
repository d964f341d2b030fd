#pragma once
/// The query of a request: decoded parameters, and a reader that collects all their faults (D6, F32). Parameters that
/// the operation does not read are ignored, even if they are malformed; unless handling=lenient, http/api.cpp has
/// already rejected them. Plain values.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/description/record.hpp"
#include "model/expected.hpp"

namespace parley::http {

inline constexpr std::size_t query_parameters_max = 32;

struct QueryParameter {
  std::string name;
  std::string value;
  bool is_well_formed = true;  ///< false if its percent-encoding is invalid
};
using Query = std::vector<QueryParameter>;

/// Splits at `&` and at the first `=`, then decodes once. A parameter whose name cannot be decoded is dropped.
[[nodiscard]] Query parse_query(std::string_view raw);

/// "must be one of a, b": the fault of a parameter with any other value.
[[nodiscard]] std::string one_of(const std::vector<std::string_view>& words);

/// Reads parameters and collects their faults.
class QueryReader {
 public:
  explicit QueryReader(const Query& query) : query_(query) {}

  /// Digits only: no sign, space, decimal point or exponent. Returns `absent` if the parameter was not sent.
  [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t least, std::int64_t most,
                                     std::int64_t absent);
  [[nodiscard]] std::optional<bool> flag(std::string_view name);
  [[nodiscard]] std::optional<std::string> text(std::string_view name);
  /// An RFC 3339 date-time.
  [[nodiscard]] std::optional<Time> time(std::string_view name);
  [[nodiscard]] std::optional<Id> id(std::string_view name, RecordKind kind);
  /// One of `words`; the first one if the parameter was not sent.
  [[nodiscard]] std::string_view word(std::string_view name, const std::vector<std::string_view>& words);
  void fault(std::string_view name, std::string detail);

  /// Problem: invalid_parameter with every fault found so far.
  [[nodiscard]] Expected<Done> result() const;

 private:
  [[nodiscard]] const std::string* find(std::string_view name);

  const Query& query_;
  std::vector<Fault> faults_;
};

/// The parameters of every list, in addition to its filters.
struct PageQuery {
  std::int64_t page = 1;
  std::int64_t limit = 0;
  std::string sort_by;
  bool is_ascending = false;
  bool is_archived = false;
  bool is_minimal = false;
};
[[nodiscard]] PageQuery read_page(QueryReader& reader);
/// Adds a fault if `sortBy` is not one of `fields`.
void check_sort(QueryReader& reader, const PageQuery& page, const std::vector<std::string_view>& fields);

/// RFC 8288 links to the first, previous, next and last page; links to missing pages are left out. The other
/// parameters of `raw_query` are kept.
[[nodiscard]] std::string page_links(std::string_view path, std::string_view raw_query,
                                     const PageQuery& query, std::int64_t total);

}  // namespace parley::http
