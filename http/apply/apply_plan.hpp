#pragma once
/// Decides what POST /apply changes: compares the project's stored records with those in the body (D110). Pure,
/// except that it reads the snapshot and seals secrets.

#include "http/bodies/apply_body.hpp"
#include "model/records/user.hpp"
#include "store/change.hpp"
#include "store/secrets/secrets.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

enum class ApplyAction : std::uint8_t { created, updated, archived, changed_elsewhere };

/// A field that the body changes: its pointer in the record, and the values in the file and in the store as JSON.
struct FieldChange {
  std::string pointer;
  std::string file;
  std::string now;
};

struct AppliedChange {
  ApplyAction action = ApplyAction::created;
  RecordKind kind = RecordKind::test;
  std::string key;
  Id id;
  std::string pointer;  ///< JSON pointer into the body; empty for an archived record
  std::vector<FieldChange> fields;
};

struct ApplyPlan {
  store::ChangeSet changes;
  std::vector<AppliedChange> list;
  std::size_t unchanged = 0;

  [[nodiscard]] std::size_t count(ApplyAction action) const;
};

/// The input of a plan.
struct ApplyTask {
  const ApplyBody& settings;
  json::Value body;
  Ref<RecordKind::user> user;
  const store::Secrets& secrets;
};

/// Needs: a body without faults (check_apply). Problem: a record cannot be read, or `fromLog` names a log that does
/// not exist.
[[nodiscard]] Expected<ApplyPlan> plan_apply(const ApplyTask& task, const store::Snapshot& snapshot, Time now,
                                             IdSource& ids);

/// The answer of POST /apply.
[[nodiscard]] std::string plan_json(const ApplyPlan& plan);

/// 409 for records that were changed elsewhere, with one fault for each.
[[nodiscard]] Problem changed_elsewhere_problem(const ApplyPlan& plan);

}  // namespace parley::http
