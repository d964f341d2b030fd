#include "actors/runtime/commit_news.hpp"

#include <algorithm>

namespace parley::actors {
namespace {

constexpr std::size_t id_bytes = 16;

/// The run or result that a row belongs to; nil for other records.
Id owner_of(const store::Write& write) {
  using enum store::TableId;
  const bool is_reported = write.table == runs || write.table == result_heads || write.table == entries;
  return is_reported ? store::id_at(write.key) : Id{};
}

/// The kind of the records in a table; nullopt for other tables.
std::optional<RecordKind> kind_of(store::TableId table) {
  for (int kind = 0; kind <= static_cast<int>(RecordKind::webhook); ++kind) {
    if (store::table_of(static_cast<RecordKind>(kind)) == table) return static_cast<RecordKind>(kind);
  }
  return std::nullopt;
}

/// The write's effect on a record; nullopt for other rows.
std::optional<Moved> moved_by(const store::Write& write) {
  if (write.table == store::TableId::entries) {
    return Moved{RecordKind::test_result, store::id_at(write.key), false, write.value.empty(),
                 store::u32_at(std::string_view(write.key).substr(id_bytes))};
  }
  const auto kind = kind_of(write.table);
  if (!kind) return std::nullopt;
  return Moved{*kind, store::id_at(write.key), write.expected == 0, write.value.empty(), std::nullopt};
}

}  // namespace

News news_of(std::span<const store::ChangeSet> batch, std::span<const store::Outcome> outcomes) {
  News news;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (outcomes[i].kind != store::Outcome::Kind::committed) continue;
    for (const store::Write& write : batch[i].writes) news.moved.push_back(owner_of(write));
    news.moved.insert(news.moved.end(), outcomes[i].canceled.begin(), outcomes[i].canceled.end());
  }
  std::sort(news.moved.begin(), news.moved.end());
  news.moved.erase(std::unique(news.moved.begin(), news.moved.end()), news.moved.end());
  return news;
}

Committed committed_of(std::span<const store::ChangeSet> batch, std::span<const store::Outcome> outcomes) {
  Committed committed;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (outcomes[i].kind != store::Outcome::Kind::committed) continue;
    for (const store::Write& write : batch[i].writes) {
      if (auto moved = moved_by(write)) committed.moved.push_back(*moved);
    }
    for (const Id& result : outcomes[i].canceled)
      committed.moved.push_back({RecordKind::test_result, result, false, false, std::nullopt});
  }
  return committed;
}

}  // namespace parley::actors
