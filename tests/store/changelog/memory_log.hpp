#pragma once
/// A log in memory that several objects share, with the faults of a real one, and stores that follow it. One thread.

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "store/changelog/change_log.hpp"
#include "store/engine/migrations.hpp"
#include "store/engine/raw_snapshot.hpp"
#include "tests/store/world.hpp"

namespace parley::store {

inline const Id log_id{{9, 9}};

/// The content of the database.
struct MemoryLogRows {
  std::vector<LogRow> rows;
  LogPosition head;
  std::uint64_t term = 0;
  Id leader;
  bool lease_is_valid = false;
  std::uint32_t rules = current_schema();  ///< the schema of the newest leader
  enum class Fault : std::uint8_t {
    none,
    lost_before,  ///< the next append is lost in transit
    lost_after,   ///< the next append is written, but its answer is lost
    refused,
  };
  Fault fault = Fault::none;
  std::size_t unsent = 0;  ///< how many appends cannot reach the log
};

class MemoryLog final : public ChangeLog {
 public:
  MemoryLog(MemoryLogRows& shared, const Id& node) : shared_(shared), node_(node) {}

  Appended append(std::string_view body, Time now, const LogPosition& after) override {
    if (shared_.unsent > 0) {
      --shared_.unsent;
      return {Appended::Kind::unsent, {}, problem(ProblemKind::busy, "PostgreSQL is away.")};
    }
    const auto fault = std::exchange(shared_.fault, MemoryLogRows::Fault::none);
    if (fault == MemoryLogRows::Fault::lost_before) return {};
    if (fault == MemoryLogRows::Fault::refused)
      return {Appended::Kind::refused, {}, problem(ProblemKind::store_refuses, "no space")};
    if (shared_.term != term_ || shared_.head != after) return {Appended::Kind::fenced, {}, {}};
    shared_.head = next_position(shared_.head, body);
    shared_.rows.push_back({shared_.head, term_, node_, now, shared_.rules, std::string(body)});
    if (fault == MemoryLogRows::Fault::lost_after) return {};
    return {Appended::Kind::durable, shared_.head, {}};
  }
  void use_term(std::uint64_t term) override { term_ = term; }
  Expected<LogTail> read(const LogPosition& after, const Digest256&, std::size_t) override {
    LogTail tail;
    for (const LogRow& row : shared_.rows)
      if (row.at.seq > after.seq) tail.rows.push_back(row);
    return tail;
  }
  Expected<std::optional<Leadership>> lead(std::optional<std::uint64_t> own_term) override {
    const bool is_own = own_term && shared_.term == *own_term && shared_.leader == node_;
    if (shared_.lease_is_valid && !is_own) return std::optional<Leadership>{};
    shared_.leader = node_;
    shared_.lease_is_valid = true;
    shared_.rules = current_schema();
    term_ = ++shared_.term;
    return std::optional(Leadership{term_, shared_.head, current_schema(), boottime_ms()});
  }
  Expected<bool> renew() override { return shared_.term == term_; }
  Expected<Done> step_down() override {
    if (shared_.term == term_) shared_.lease_is_valid = false;
    return Done{};
  }
  Expected<LogView> announce(const NodeRow&) override {
    const std::int64_t left_ms = shared_.lease_is_valid ? 3'000 : -3'000;
    return LogView{shared_.head, shared_.term, shared_.leader, left_ms, 0, shared_.rules, {}};
  }
  Expected<Done> put_base(const std::filesystem::path&, const LogPosition&) override { return Done{}; }
  Expected<std::optional<LogPosition>> fetch_base(const std::filesystem::path&) override {
    return std::optional<LogPosition>{};
  }
  Expected<Done> trim(std::uint64_t) override { return Done{}; }

 private:
  MemoryLogRows& shared_;
  Id node_;
  std::uint64_t term_ = 0;
};

/// Makes the store of a world a node of the log.
inline void follow(World& world, MemoryLogRows& rows, std::uint8_t node, const Clock& clock,
                   bool audits = true, std::int64_t held_for_ms = 5'000) {
  const LogPlace start{log_id, {}, {}};
  ASSERT_TRUE(world.store->remember({{std::string(log_place_key), encode_place(start)}}).ok());
  world.store->committer().follow_log({std::make_unique<MemoryLog>(rows, Id{{node}}),
                                       start,
                                       Id{{node}},
                                       &clock,
                                       audit_keys(Secrets(Key256{7})),
                                       AuditRules{audits, 0},
                                       {},
                                       held_for_ms});
}

/// Lets the node lead. Precondition: no valid lease.
inline void lead(World& world, MemoryLogRows& rows, std::uint8_t node) {
  auto leadership = MemoryLog(rows, Id{{node}}).lead(std::nullopt);
  ASSERT_TRUE(leadership.ok() && *leadership);
  world.store->committer().start_leading(**leadership);
}

/// Every row of every table.
inline std::map<std::pair<TableId, std::string>, std::string> all_rows(const World& world) {
  std::map<std::pair<TableId, std::string>, std::string> rows;
  const Snapshot snapshot = world.store->snapshot();
  for (const TableRow& table : all_tables) {
    Cursor cursor(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[table.id]);
    for (bool there = cursor.first(); there; there = cursor.next())
      rows.emplace(std::pair(table.id, std::string(cursor.key())), std::string(cursor.value()));
  }
  return rows;
}

}  // namespace parley::store
