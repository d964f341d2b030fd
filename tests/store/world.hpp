#pragma once
/// Shared by the tests of the store: a store in a temporary directory, and small records. One thread.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "store/side/work_marks.hpp"
#include "store/store.hpp"
#include "store/views/recount.hpp"

namespace parley::store {

/// A temporary directory; the destructor removes it with its content.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "parley-store-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Leaves the state of a process that ended while it worked on this result (work_marks.hpp has the file format).
inline void leave_mark(const std::filesystem::path& directory, const Id& result) {
  std::fstream file(directory / "working", std::ios::in | std::ios::out | std::ios::binary);
  ASSERT_TRUE(file.is_open());
  const std::uint32_t marked = 2;
  file.seekp(64);
  file.write(reinterpret_cast<const char*>(&marked), sizeof(marked));
  file.write(result.key().data(), static_cast<std::streamsize>(result.key().size()));
}

inline constexpr Time noon{1'700'000'000'000};

/// An open store with ascending ids. It does not sync, unless a test turns that on (the crash tests do).
class World {
 public:
  explicit World(std::uint64_t map_bytes = std::uint64_t{1} << 30) {
    options.directory = home.path() / "data";
    options.fsync = false;
    options.map_bytes = map_bytes;
    options.free_bytes_min = 0;
    reopen();
  }

  void reopen() {
    store.reset();
    auto opened = Store::open(options);
    if (!opened) ADD_FAILURE() << opened.problem().detail;
    store = std::move(opened).value();
  }

  [[nodiscard]] Id id() { return ids.next(Time{noon.ms + ++clock_ms}); }
  [[nodiscard]] Outcome commit(const ChangeSet& set) { return store->committer().commit({&set, 1}).front(); }
  void must_commit(const ChangeSet& set) {
    const Outcome outcome = commit(set);
    ASSERT_EQ(outcome.kind, Outcome::Kind::committed) << outcome.problem.detail;
  }

  template <class T>
  void create(const T& record) {
    ChangeSet set;
    set.create(record);
    if constexpr (std::same_as<T, ResultHead>) set.put_part(record.stamp.id, TestCase{});
    must_commit(set);
  }
  /// The stored record. Precondition: it exists.
  template <class T>
  [[nodiscard]] T get(const Id& wanted) const {
    auto found = store->snapshot().find<T>(wanted);
    if (!found || !*found) {
      ADD_FAILURE() << "no such record";
      return {};
    }
    return std::move(**found);
  }

  [[nodiscard]] Scenario scenario(std::string name = "s") {
    Scenario made;
    made.stamp.id = id();
    made.stamp.updated_at = made.stamp.created_at();
    made.name = std::move(name);
    return made;
  }
  [[nodiscard]] Run run() {
    Run made;
    made.stamp.id = id();
    made.stamp.updated_at = made.stamp.created_at();
    made.scenario.id = id();
    made.agent.id = id();
    return made;
  }
  [[nodiscard]] ResultHead result(const Run& run, std::optional<Id> test = std::nullopt) {
    ResultHead made;
    made.stamp.id = id();
    made.stamp.updated_at = made.stamp.created_at();
    made.run = Ref<RecordKind::run>{run.stamp.id};
    made.agent = run.agent;
    if (test) made.test = Ref<RecordKind::test>{*test};
    return made;
  }

  /// Rows in which the views differ from the records.
  [[nodiscard]] std::vector<std::string> differences() const {
    const Snapshot snapshot = store->snapshot();
    const auto found = recount(snapshot);
    if (!found) return {found.problem().detail};
    std::vector<std::string> rows;
    for (const Difference& one : *found) rows.push_back(std::string(name_of(one.table)) + ": " + one.what);
    return rows;
  }

  TemporaryDirectory home;
  Options options;
  CountingIds ids;
  std::int64_t clock_ms = 0;
  std::unique_ptr<Store> store;
};

/// `record` with the revision that it has after its creation.
template <class T>
[[nodiscard]] T created(T record) {
  record.stamp.revision = 1;
  return record;
}

[[nodiscard]] inline StoredEntry message(const Id& id, std::string_view json) {
  StoredEntry entry;
  entry.id = id;
  entry.touched_at = noon;
  entry.json = json;
  return entry;
}

/// The outcome of each change set of a batch.
inline std::vector<Outcome::Kind> commit_all(World& world, const std::vector<ChangeSet>& batch) {
  std::vector<Outcome::Kind> kinds;
  for (const Outcome& outcome : world.store->committer().commit(batch)) kinds.push_back(outcome.kind);
  return kinds;
}

/// A set that creates one record.
template <class T>
ChangeSet creation(const T& record) {
  ChangeSet set;
  set.create(record);
  return set;
}

}  // namespace parley::store
