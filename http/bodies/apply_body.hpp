#pragma once
/// Body of POST /apply (D110): all records of a project as its files define them. A plain value, described like a
/// record.

#include <string>

#include "model/description/record.hpp"
#include "model/limits.hpp"

namespace parley::http {

/// What to do with records of the project that the body does not name.
enum class Prune : std::uint8_t { archive, keep };

}  // namespace parley::http

template <>
struct parley::Words<parley::http::Prune> {
  static constexpr std::array<std::string_view, 2> all{"archive", "keep"};
};

namespace parley::http {

/// Counts the records of all kinds together, because they form one change set.
inline constexpr std::size_t applied_records_max = 20'000;
/// The form of a project name or key in a suite file.
inline constexpr std::string_view slug_pattern = "^[a-z0-9][a-z0-9._-]*$";
inline constexpr std::size_t slug_chars_max = 220;

struct ApplyBody {
  std::string project;
  Prune prune = Prune::archive;
  bool dry_run = false;
  bool force = false;
  json::Text renamed;
  json::Text agents{"[]"};
  json::Text personalities{"[]"};
  json::Text scenarios{"[]"};

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("project", self.project,
            Rules{.required = true, .chars_max = 100, .never_empty = true, .pattern = slug_pattern},
            "The owner of the records.");
    v.field("prune", self.prune, Rules{},
            "archive: records of the project that the body does not name are archived; keep: they stay.");
    v.field("dryRun", self.dry_run, Rules{}, "Only reports what would change.");
    v.field("force", self.force, Rules{}, "Overwrites records that were changed elsewhere.");
    v.field("renamed", self.renamed, Rules{.body_schema = "RenamedKeys"},
            "Old keys and their new ones; the records keep their ids.");
    v.field("agents", self.agents, Rules{.shape = Shape::array, .body_schema = "AppliedAgents"},
            "The project's agents.");
    v.field("personalities", self.personalities,
            Rules{.shape = Shape::array, .body_schema = "AppliedPersonalities"},
            "The project's personalities.");
    v.field("scenarios", self.scenarios, Rules{.shape = Shape::array, .body_schema = "AppliedScenarios"},
            "The project's scenarios with their tests and variants.");
  }
};

}  // namespace parley::http
