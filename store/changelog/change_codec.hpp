#pragma once
/// The encoding of a batch of change sets in the log: tables, keys, framed values, guards, and view changes as
/// lists of numbers. Replay moves these bytes and never parses a record, so that a newer parley can replay what
/// an older one wrote.
/// Pure; any thread. Numbers are LEB128 (`n`), signed ones zigzag (`z`); `bytes` = n, then n bytes.
///
///   body    = %x01 sum zstd(batch)                      ; sum: XXH3-64 of what follows, u64 big-endian
///   batch   = flags n(retain ms) n(count) *set          ; flags: bit 0: the changes are written to the audit log
///   set     = n *write n *revision-guard n *run-guard views n *author
///   write   = table bytes(key) n(expected) bytes(value)         ; n(expected): 0: any revision, else expected + 1
///   revision-guard = table bytes(key) n(revision)
///   run-guard      = id %x00/%x01                       ; 1: the run must be idle
///   views   = n *(bytes(key) z) n *(bytes(key) z) n *(id numbers) n *(id id numbers)     ; index, counts, runs, cases
///   numbers = n *(n(place) z)                           ; only those that are not 0
///   author  = id address bytes(operation)

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/expected.hpp"
#include "store/change.hpp"

namespace parley::store {

/// How to keep the audit log for a row. The leader decides, so that all nodes write the same records.
struct AuditRules {
  bool is_on = false;
  std::int64_t retain_ms = 0;
  bool operator==(const AuditRules&) const = default;
};

/// A decoded body. The operations of its authors point into `text`.
struct Batch {
  AuditRules audit;
  std::vector<ChangeSet> sets;
  std::shared_ptr<const std::string> text;
};

/// Needs: the sets contain no cancels, because another version would resolve them differently.
[[nodiscard]] std::string encode_changes(std::span<const ChangeSet* const> sets, const AuditRules& audit);
/// Problem: `internal` if encode_changes did not write the bytes, or a newer parley wrote them.
[[nodiscard]] Expected<Batch> decode_changes(std::string_view body);

}  // namespace parley::store
