#pragma once
/// Bodies of the operations on runs that are no record of their own. Plain values, described like records.

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

  using Of = Run;
  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("scenario", self.scenario, Rules{},
            "Another scenario, as long as the run is neither launched nor over and has no results.");
    v.field("status", self.status, Rules{},
            "The next status: from new pending or running, from pending running; completed or failed once no "
            "result is "
            "unfinished; canceled with its results. What has ended stays.");
    v.field("result", self.result, Rules{.bytes_max = limits::record_json_bytes_max},
            "The client's part of `result`.");
    v.field("isArchived", self.is_archived, Rules{}, "Archived runs are listed only on request.");
  }
};

/// PUT /admin/scoring (D95).
struct ScoringBody {
  bool paused = false;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("paused", self.paused, Rules{.required = true},
            "Claims are made, verdicts wait, until the server ends: a start sets it as --scoring says.");
  }
};

}  // namespace parley::http
