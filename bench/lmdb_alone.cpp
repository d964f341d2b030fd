/// Measures the disk and LMDB without a service: one thread puts entries as an append writes them (result id and
/// ordinal as the key, a framed value of the same size) and commits them in batches with fsync. Prints one JSON object.
///   parley_lmdb_alone DIR VALUE_BYTES SECONDS RESULTS BATCH... [RATE/s]
/// RESULTS conversations grow side by side, as with that many connections; BATCH puts make one transaction. With RATE,
/// the last part makes that many puts due per second: each transaction contains the puts that are due, and the latency
/// of a put is measured from its due time to the commit.

#include <lmdb.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint32_t entries_max = 9'990;  // per conversation, before a new one is begun (D55)
constexpr std::size_t map_bytes = std::size_t{64} << 30;

void require(int code, std::string_view what) {
  if (code == MDB_SUCCESS) return;
  std::fprintf(stderr, "parley_lmdb_alone: %.*s: %s\n", static_cast<int>(what.size()), what.data(),
               mdb_strerror(code));
  std::exit(1);
}

template <class Number>
Number number_of(std::string_view text) {
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Sixteen bytes that sort by time, as in UUIDv7.
class Ids {
 public:
  std::string next() {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                        std::chrono::system_clock::now().time_since_epoch())
                        .count();
    std::string id;
    for (int shift = 40; shift >= 0; shift -= 8) id += static_cast<char>((ms >> shift) & 0xff);
    while (id.size() < 16) id += static_cast<char>(random_() & 0xff);
    return id;
  }

 private:
  std::mt19937 random_{7};
};

struct Conversation {
  std::string id;
  std::uint32_t entries = 0;
};

class Bench {
 public:
  Bench(const std::string& directory, std::size_t value_bytes, std::size_t results)
      : value_(value_bytes, 'v') {
    require(mdb_env_create(&environment_), "create");
    require(mdb_env_set_mapsize(environment_, map_bytes), "map size");
    require(mdb_env_set_maxdbs(environment_, 4), "tables");
    require(mdb_env_open(environment_, directory.c_str(), MDB_NOTLS, 0600), "open");
    MDB_txn* transaction = nullptr;
    require(mdb_txn_begin(environment_, nullptr, 0, &transaction), "begin");
    require(mdb_dbi_open(transaction, "entries", MDB_CREATE, &table_), "table");
    require(mdb_txn_commit(transaction), "commit");
    for (std::size_t i = 0; i < results; ++i) conversations_.push_back({ids_.next(), 0});
  }
  ~Bench() { mdb_env_close(environment_); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  /// The rate in puts per second, with `batch` puts per transaction.
  double rate(std::size_t batch, double seconds) {
    const auto started = Clock::now();
    const auto until = started + std::chrono::duration<double>(seconds);
    std::size_t puts = 0;
    while (Clock::now() < until) {
      commit(batch);
      puts += batch;
    }
    return static_cast<double>(puts) / std::chrono::duration<double>(Clock::now() - started).count();
  }

  /// The sorted latencies of puts in ms; `rate` puts are due per second.
  std::vector<double> paced(double rate, double seconds) {
    std::vector<double> taken;
    const auto started = Clock::now();
    const auto since = [&] { return std::chrono::duration<double>(Clock::now() - started).count(); };
    for (double now = 0; now < seconds; now = since()) {
      const auto due = static_cast<std::size_t>(now * rate) - taken.size();
      if (due == 0) {
        std::this_thread::sleep_for(std::chrono::duration<double>(0.5 / rate));
        continue;
      }
      commit(due);
      const double end = since();
      for (std::size_t i = 0; i < due; ++i)
        taken.push_back((end - static_cast<double>(taken.size() + 1) / rate) * 1e3);
    }
    std::sort(taken.begin(), taken.end());
    return taken;
  }

 private:
  void commit(std::size_t batch) {
    MDB_txn* transaction = nullptr;
    require(mdb_txn_begin(environment_, nullptr, 0, &transaction), "begin");
    for (std::size_t i = 0; i < batch; ++i) put(transaction);
    require(mdb_txn_commit(transaction), "commit");
  }

  void put(MDB_txn* transaction) {
    Conversation& conversation = conversations_[next_++ % conversations_.size()];
    if (conversation.entries == entries_max) conversation = {ids_.next(), 0};
    std::array<char, 20> key{};
    conversation.id.copy(key.data(), 16);
    const std::uint32_t ordinal = conversation.entries++;
    for (unsigned i = 0; i < 4; ++i) key[16 + i] = static_cast<char>(ordinal >> (24 - 8 * i));
    value_[0] = static_cast<char>('a' + ordinal % 26);
    MDB_val stored_key{key.size(), key.data()};
    MDB_val stored{value_.size(), value_.data()};
    require(mdb_put(transaction, table_, &stored_key, &stored, 0), "put");
  }

  MDB_env* environment_ = nullptr;
  MDB_dbi table_ = 0;
  std::string value_;
  Ids ids_;
  std::vector<Conversation> conversations_;
  std::size_t next_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "usage: %s DIR VALUE_BYTES SECONDS RESULTS BATCH...\n", argv[0]);
    return 2;
  }
  std::filesystem::create_directories(argv[1]);
  Bench bench(argv[1], number_of<std::size_t>(argv[2]), number_of<std::size_t>(argv[4]));
  std::printf("{\"value_bytes\":%s,\"results\":%s,\"puts_per_second\":{", argv[2], argv[4]);
  const bool is_paced = std::string_view(argv[argc - 1]).ends_with("/s");
  for (int i = 5; i < argc - (is_paced ? 1 : 0); ++i) {
    const double rate = bench.rate(number_of<std::size_t>(argv[i]), number_of<double>(argv[3]));
    std::printf("%s\"%s\":%.0f", i == 5 ? "" : ",", argv[i], rate);
  }
  std::printf("}");
  if (is_paced) {
    const auto taken = bench.paced(number_of<double>(argv[argc - 1]), number_of<double>(argv[3]));
    const auto at = [&](double share) {
      return taken.at(static_cast<std::size_t>(share * static_cast<double>(taken.size())));
    };
    std::printf(",\"paced\":{\"puts\":%zu,\"p50_ms\":%.1f,\"p99_ms\":%.1f,\"max_ms\":%.1f}", taken.size(),
                at(0.5), at(0.99), taken.back());
  }
  std::printf("}\n");
  return 0;
}
