#pragma once
/// What a restarted store must contain: the facts acknowledged to clients, and the possible states. A state is
/// identified by LMDB's transaction number, its content by a checksum over every row of every table.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/store.hpp"
#include "tests/power/disk.hpp"

namespace parley::power {

/// A fact: `needle` appears in the data stored under `id`: its record, or the parts and entries of a result.
struct Fact {
  std::uint64_t position = 0;  ///< the position in the trace when the answer arrived
  Id id;
  std::string needle;
  std::string text;  ///< its name in a report
};

/// Lines "position TAB id TAB needle", ordered by position. Throws std::runtime_error for anything else.
[[nodiscard]] std::vector<Fact> read_facts(const std::string& file);

[[nodiscard]] bool holds(const Fact& fact, const store::Snapshot& snapshot);

struct State {
  std::uint64_t transaction = 0;
  std::uint64_t sum = 0;
};
[[nodiscard]] State state_of(const store::Snapshot& snapshot);

/// A directory into which images are written one after the other; only pages that differ are rewritten.
class Stage {
 public:
  explicit Stage(std::filesystem::path directory);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  void lay(const Image& image);
  /// The store has written into the image, so the next image is written completely.
  void forget();
  [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }

 private:
  std::filesystem::path directory_;
  Image laid_;
};

}  // namespace parley::power
