#pragma once
/// A disk that keeps synced data and writes 512-byte sectors whole, and promises nothing else (I2): after a power loss,
/// any of the sectors written since the last sync may be on the disk, and any prefix of the sequence of name changes.
/// Journaling file systems promise the latter; POSIX promises no more than the sync of the directory.

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/power/trace.hpp"

namespace parley::power {

inline constexpr std::uint64_t sector_bytes = 512;

/// Kinds of syncs to ignore, to check that the examiner notices.
struct Without {
  bool sync = false;       ///< fsync and fdatasync of files
  bool meta = false;       ///< O_DSYNC, with which LMDB writes its meta pages
  bool directory = false;  ///< fsync of the directory
};

enum class Pick : std::uint8_t { nothing, everything, some, first_part, whole_writes, all_but_one, only_one };

/// The files that a machine finds after power returns: a map from name to content.
using Image = std::map<std::string, std::string>;

class Disk {
 public:
  explicit Disk(Without without) : without_(without) {}

  /// Throws std::runtime_error for events that never happen to a file of a data directory (truncation,
  /// or changes of a file that existed before the trace).
  void apply(const Event& event);

  /// The number of sectors and names that a power cut could lose now.
  [[nodiscard]] std::size_t open_choices() const;
  [[nodiscard]] Image image(Pick pick, std::mt19937_64& random) const;
  /// What the running machine reads: everything written.
  [[nodiscard]] Image cached() const;

 private:
  struct Sector {
    std::uint64_t number;
    std::uint64_t write;  ///< the write event that contained the sector
    std::string bytes;
  };
  struct File {
    std::string durable;
    std::string cached;
    std::vector<Sector> open;  ///< written but not synced, in order
    std::size_t sync_mark = 0;
    std::uint64_t last_write = 0;
  };
  struct Naming {
    std::string name;
    std::size_t file;  ///< index into files_
    std::string from;  ///< the previous name; empty for a new file
    bool is_removal = false;
  };
  using Names = std::map<std::string, std::size_t>;

  File& file_of(const Event& event);
  void write(File& file, const Event& event);
  static void make_durable(File& file, std::size_t count);
  static void make_last_write_durable(File& file);
  void name(Naming naming);
  [[nodiscard]] Names names_after(std::size_t count) const;
  [[nodiscard]] static std::string content(const File& file, Pick pick, std::mt19937_64& random);

  Without without_;
  std::vector<File> files_;
  std::vector<Naming> namings_;
  std::size_t namings_durable_ = 0;
  Names names_;
  std::uint64_t writes_ = 0;
};

}  // namespace parley::power
