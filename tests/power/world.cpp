#include "tests/power/world.hpp"

#include <fcntl.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <charconv>
#include <fstream>
#include <stdexcept>

#include "store/engine/lmdb.hpp"
#include "store/engine/raw_snapshot.hpp"

namespace parley::power {
namespace {

constexpr std::size_t page_bytes = 4096;
constexpr store::TableId places[] = {store::TableId::result_heads, store::TableId::result_extras,
                                     store::TableId::runs,         store::TableId::agents,
                                     store::TableId::scenarios,    store::TableId::tests,
                                     store::TableId::external_logs};

void write_at(int file, std::string_view bytes, std::size_t offset) {
  if (::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset)) !=
      static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error("an image cannot be written");
  }
}

/// Writes the pages of `wanted` that differ from `present`.
void turn_into(const std::filesystem::path& path, const std::string& present, const std::string& wanted) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) throw std::runtime_error("an image cannot be written");
  const std::string_view old = present;
  const std::string_view fresh = wanted;
  for (std::size_t at = 0; at < fresh.size(); at += page_bytes) {
    const std::string_view page = fresh.substr(at, page_bytes);
    if (at >= old.size() || old.substr(at, page_bytes) != page) write_at(file, page, at);
  }
  if (::ftruncate(file, static_cast<off_t>(wanted.size())) != 0)
    throw std::runtime_error("an image cannot be cut");
  ::close(file);
}

}  // namespace

std::vector<Fact> read_facts(const std::string& file) {
  std::ifstream in(file);
  std::vector<Fact> facts;
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      throw std::runtime_error("not a fact: " + line);
    Fact fact;
    std::from_chars(line.data(), line.data() + first, fact.position);
    const auto id = id_from_text(std::string_view(line).substr(first + 1, second - first - 1));
    if (!id) throw std::runtime_error("not a fact: " + line);
    fact.id = *id;
    fact.needle = line.substr(second + 1);
    fact.text = line.substr(first + 1);
    facts.push_back(std::move(fact));
  }
  if (facts.empty()) throw std::runtime_error("no facts in " + file);
  return facts;
}

bool holds(const Fact& fact, const store::Snapshot& snapshot) {
  for (const store::TableId table : places) {
    const auto value = snapshot.value(table, fact.id.key());
    if (value && *value && (*value)->payload.find(fact.needle) != std::string_view::npos) return true;
  }
  bool is_there = false;
  const auto walked = snapshot.for_each_entry(fact.id, [&](std::uint32_t, const store::StoredEntry& entry) {
    is_there = is_there || entry.json.find(fact.needle) != std::string_view::npos;
    return !is_there;
  });
  return walked.ok() && is_there;
}

State state_of(const store::Snapshot& snapshot) {
  XXH3_state_t* sum = XXH3_createState();
  XXH3_64bits_reset(sum);
  for (std::size_t i = 0; i < store::all_tables.size(); ++i) {
    store::Cursor cursor(store::RawSnapshot(snapshot).transaction,
                         store::RawSnapshot(snapshot)[static_cast<store::TableId>(i)]);
    XXH3_64bits_update(sum, &i, sizeof i);
    for (bool there = cursor.first(); there; there = cursor.next()) {
      const std::size_t lengths[] = {cursor.key().size(), cursor.value().size()};
      XXH3_64bits_update(sum, lengths, sizeof lengths);
      XXH3_64bits_update(sum, cursor.key().data(), cursor.key().size());
      XXH3_64bits_update(sum, cursor.value().data(), cursor.value().size());
    }
  }
  const State state{mdb_txn_id(store::RawSnapshot(snapshot).transaction), XXH3_64bits_digest(sum)};
  XXH3_freeState(sum);
  return state;
}

Stage::Stage(std::filesystem::path directory) : directory_(std::move(directory)) {
  std::filesystem::create_directories(directory_);
  forget();
}

Stage::~Stage() {
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

void Stage::lay(const Image& image) {
  for (const auto& [name, content] : laid_) {
    if (!image.contains(name)) std::filesystem::remove(directory_ / name);
  }
  for (const auto& [name, content] : image) {
    const auto present = laid_.find(name);
    if (present == laid_.end()) {
      turn_into(directory_ / name, {}, content);
    } else if (present->second != content) {
      turn_into(directory_ / name, present->second, content);
    }
  }
  laid_ = image;
}

void Stage::forget() {
  for (const auto& file : std::filesystem::directory_iterator(directory_)) std::filesystem::remove(file);
  laid_.clear();
}

}  // namespace parley::power
