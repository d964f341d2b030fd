#include "store/changelog/change_codec.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <optional>

#include "store/changelog/byte_reader.hpp"
#include "store/changelog/compression.hpp"

namespace parley::store {
namespace {

constexpr char format_1 = 1;
constexpr std::size_t head_bytes = 1 + 8;
/// Larger than the largest batch, in which one command cancels a run of 100,000 results.
constexpr std::size_t batch_bytes_max = std::size_t{512} << 20;
constexpr std::size_t key_bytes_max = 511;  ///< LMDB's own limit

// Encoding.

void put_number(std::string& out, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) out.push_back(static_cast<char>(number | 0x80));
  out.push_back(static_cast<char>(number));
}
void put_signed(std::string& out, std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  put_number(out, (bits << 1) ^ (number < 0 ? UINT64_MAX : 0));
}
void put_bytes(std::string& out, std::string_view bytes) {
  put_number(out, bytes.size());
  out += bytes;
}
void put_table(std::string& out, TableId table) {
  out.push_back(static_cast<char>(table));
}
void put_sums(std::string& out, const std::map<std::string, std::int64_t>& sums) {
  put_number(out, sums.size());
  for (const auto& [key, change] : sums) {
    put_bytes(out, key);
    put_signed(out, change);
  }
}

template <class Counters>
void put_counters(std::string& out, const Counters& counters) {
  std::uint64_t set = 0;
  Counters::each(counters, [&](std::int64_t number) { set += number != 0 ? 1 : 0; });
  put_number(out, set);
  std::uint64_t place = 0;
  Counters::each(counters, [&](std::int64_t number) {
    if (number != 0) {
      put_number(out, place);
      put_signed(out, number);
    }
    ++place;
  });
}

void put_views(std::string& out, const ViewChanges& views) {
  put_sums(out, views.index);
  put_sums(out, views.counts);
  put_number(out, views.runs.size());
  for (const auto& [run, share] : views.runs) {
    out += run.key();
    put_counters(out, share);
  }
  put_number(out, views.cases.size());
  for (const auto& [place, share] : views.cases) {
    out += place.first.key();
    out += place.second.key();
    put_counters(out, share);
  }
}

void put_set(std::string& out, const ChangeSet& set) {
  CHECK(set.cancels.empty());
  put_number(out, set.writes.size());
  for (const Write& write : set.writes) {
    put_table(out, write.table);
    put_bytes(out, write.key);
    put_number(out, write.expected + 1);  // any_revision becomes 0
    put_bytes(out, write.value);
  }
  put_number(out, set.guards.size());
  for (const RevisionGuard& guard : set.guards) {
    put_table(out, guard.table);
    put_bytes(out, guard.key);
    put_number(out, guard.revision);
  }
  put_number(out, set.runs.size());
  for (const RunGuard& guard : set.runs) {
    out += guard.run.key();
    out.push_back(guard.is_idle ? '\1' : '\0');
  }
  put_views(out, set.views);
  put_number(out, set.authors.size());
  for (const Author& author : set.authors) {
    out += author.key.key();
    out.append(reinterpret_cast<const char*>(author.address.data()), author.address.size());
    put_bytes(out, author.operation);
  }
}

// Decoding.

TableId read_table(ByteReader& in) {
  const std::uint8_t table = in.byte();
  // The position and the fingerprints in `meta` are private to each node.
  if (table == 0 || table >= all_tables.size()) in.fail();
  return in.is_good() ? static_cast<TableId>(table) : TableId::meta;
}

std::string read_key(ByteReader& in) {
  const std::string_view key = in.bytes();
  if (key.empty() || key.size() > key_bytes_max) in.fail();
  return std::string(key);
}

Id read_id(ByteReader& in) {
  Id id;
  const std::string_view bytes = in.take(id.bytes.size());
  if (in.is_good()) std::copy(bytes.begin(), bytes.end(), id.bytes.begin());
  return id;
}

void read_sums(ByteReader& in, std::map<std::string, std::int64_t>& sums) {
  for (std::uint64_t left = in.count(2); left > 0 && in.is_good(); --left) {
    std::string key = read_key(in);
    const std::int64_t change = in.signed_number();
    sums.insert_or_assign(std::move(key), change);
  }
}

/// Unknown counter places are rejected: a row is read only by versions that know its rules.
template <class Counters>
Counters read_counters(ByteReader& in) {
  std::map<std::uint64_t, std::int64_t> numbers;
  for (std::uint64_t left = in.count(2); left > 0 && in.is_good(); --left) {
    const std::uint64_t place = in.number();
    numbers[place] = in.signed_number();
  }
  Counters counters;
  std::uint64_t place = 0;
  Counters::each(counters, [&](std::int64_t& number) {
    if (const auto found = numbers.find(place++); found != numbers.end()) number = found->second;
  });
  if (!numbers.empty() && numbers.rbegin()->first >= place) in.fail();
  return counters;
}

void read_views(ByteReader& in, ViewChanges& views) {
  read_sums(in, views.index);
  read_sums(in, views.counts);
  for (std::uint64_t left = in.count(17); left > 0 && in.is_good(); --left) {
    const Id run = read_id(in);
    views.runs.insert_or_assign(run, read_counters<RunCounters>(in));
  }
  for (std::uint64_t left = in.count(33); left > 0 && in.is_good(); --left) {
    const Id run = read_id(in);
    const Id test = read_id(in);
    views.cases.insert_or_assign(std::pair(run, test), read_counters<CaseCounters>(in));
  }
}

ChangeSet read_set(ByteReader& in) {
  ChangeSet set;
  for (std::uint64_t left = in.count(4); left > 0 && in.is_good(); --left) {
    const TableId table = read_table(in);
    std::string key = read_key(in);
    const std::uint64_t expected = in.number() - 1;
    set.writes.push_back({table, std::move(key), expected, std::string(in.bytes())});
  }
  for (std::uint64_t left = in.count(3); left > 0 && in.is_good(); --left) {
    const TableId table = read_table(in);
    std::string key = read_key(in);
    set.guards.push_back({table, std::move(key), in.number()});
  }
  for (std::uint64_t left = in.count(17); left > 0 && in.is_good(); --left) {
    const Id run = read_id(in);
    set.runs.push_back({run, in.flag()});
  }
  read_views(in, set.views);
  for (std::uint64_t left = in.count(33); left > 0 && in.is_good(); --left) {
    Author author;
    author.key = read_id(in);
    const std::string_view address = in.take(author.address.size());
    if (in.is_good()) std::copy(address.begin(), address.end(), author.address.begin());
    author.operation = in.bytes();
    set.authors.push_back(author);
  }
  return set;
}

Problem unreadable() {
  return problem(ProblemKind::internal,
                 "A row of the log is damaged, or a newer parley wrote it. Update this node, or check the "
                 "database.");
}

}  // namespace

std::string encode_changes(std::span<const ChangeSet* const> sets, const AuditRules& audit) {
  std::string text(1, audit.is_on ? '\1' : '\0');
  put_number(text, static_cast<std::uint64_t>(audit.retain_ms));
  put_number(text, sets.size());
  for (const ChangeSet* set : sets) put_set(text, *set);
  std::string body(1, format_1);
  const std::string packed = compressed(text);
  append_u64(body, XXH3_64bits(packed.data(), packed.size()));
  body += packed;
  return body;
}

Expected<Batch> decode_changes(std::string_view body) {
  if (body.size() <= head_bytes || body.front() != format_1) return unreadable();
  const std::string_view packed = body.substr(head_bytes);
  if (XXH3_64bits(packed.data(), packed.size()) != u64_at(body.substr(1, 8))) return unreadable();
  auto text = decompressed(packed, batch_bytes_max);
  if (!text) return unreadable();
  Batch batch;
  batch.text = std::make_shared<const std::string>(std::move(*text));
  ByteReader in(*batch.text);
  batch.audit.is_on = in.flag();
  batch.audit.retain_ms = static_cast<std::int64_t>(in.number());
  for (std::uint64_t left = in.count(8); left > 0 && in.is_good(); --left) batch.sets.push_back(read_set(in));
  if (!in.is_good() || !in.is_at_end()) return unreadable();
  return batch;
}

}  // namespace parley::store
