#pragma once
/// Which suite file owns a record (D110). Set only by POST /apply. Plain values.

#include "model/description/record.hpp"
#include "model/limits.hpp"

namespace parley {

struct Applied {
  std::optional<std::string> project;
  std::optional<std::string> key;  ///< unique among the project's records of the kind
  std::optional<std::string> digest;

  bool operator==(const Applied&) const = default;
};

/// Describes the three fields of a record that suite files can own.
template <class Owner, class V>
void describe_applied(Owner& applied, V& v) {
  v.field("project", applied.project, Rules{.access = Access::service, .shown_if_null = false},
          "The project whose files own the record (POST /apply).");
  v.field("key", applied.key, Rules{.access = Access::service, .shown_if_null = false},
          "The key of the record in the project's files.");
  v.field("appliedDigest", applied.digest,
          Rules{.access = Access::service, .minimal = false, .shown_if_null = false},
          "Digest of the content that was applied last; another content was written elsewhere.");
}

}  // namespace parley
