#pragma once
/// Request bodies for runs that are not records themselves. Plain values, described like records.

#include <optional>

#include "model/description/record.hpp"
#include "model/limits.hpp"
#include "model/records/run.hpp"

namespace parley::http {

/// PATCH /runs/{id}.
struct RunPatchBody {
  std::optional<Ref<RecordKind::scenario>> scenario;
  std::optional<RunStatus> status;
  std::optional<json::Text> result;
  std::optional<bool> is_archived;
  std::optional<std::string> name;
  std::optional<json::Text> metadata;
  std::optional<std::int64_t> seed;

  using Of = Run;
  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("scenario", self.scenario, Rules{},
            "Another scenario, unless the run is launched, has ended or has results.");
    v.field("status", self.status, Rules{},
            "The next status: pending or running from new, running from pending; completed or failed when no "
            "result is "
            "unfinished; canceled also cancels its results. A run that has ended stays as it is.");
    v.field("result", self.result, Rules{.bytes_max = limits::record_json_bytes_max},
            "The client's part of `result`.");
    v.field("isArchived", self.is_archived, Rules{}, "Archived runs are listed only on request.");
    v.field("name", self.name, Rules{.chars_max = limits::name_chars_max}, "The display name of the run.");
    v.field("metadata", self.metadata, Rules{.bytes_max = limits::run_metadata_bytes_max},
            "Replaces the metadata.");
    v.field("seed", self.seed, Rules{}, "For results that are created from now on.");
  }
};

/// PUT /admin/scoring (D95).
struct ScoringBody {
  bool paused = false;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("paused", self.paused, Rules{.required = true},
            "While paused, results are claimed but not scored. Lasts until the server stops; --scoring sets "
            "it at start.");
  }
};

}  // namespace parley::http
