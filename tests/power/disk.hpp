#pragma once
/// A disk that keeps synced data and writes 512-byte sectors whole, and promises nothing else (I2): of the
/// sectors written since the last sync any may be on the disk, and of the name changes any first part.
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

/// Syncs to be treated as never made, to check that the examiner notices.
struct Without {
  bool sync = false;       ///< fsync and fdatasync of files
  bool meta = false;       ///< O_DSYNC, with which LMDB writes its meta pages
  bool directory = false;  ///< fsync of the directory
};

enum class Pick : std::uint8_t { nothing, everything, some, first_part, whole_writes, all_but_one, only_one };

/// The files that a machine finds after power returns: name -> content.
using Image = std::map<std::string, std::string>;

class Disk {
 public:
  explicit Disk(Without without) : without_(without) {}

  /// Throws std::runtime_error for events that never happen to a file of a data directory (cut, written
  /// before it is created).
  void apply(const Event& event);

  /// Sectors and names that a power cut could lose now.
  [[nodiscard]] std::size_t open_choices() const;
  [[nodiscard]] Image image(Pick pick, std::mt19937_64& random) const;
  /// What the running machine reads: everything written.
  [[nodiscard]] Image cached() const;

 private:
  struct Sector {
    std::uint64_t number;
    std::uint64_t write;  ///< that contained the sector
    std::string bytes;
  };
  struct File {
    std::string durable;
    std::string cached;
    std::vector<Sector> open;  ///< written, in order, and not synced
    std::size_t sync_mark = 0;
    std::uint64_t last_write = 0;
  };
  struct Naming {
    std::string name;
    std::size_t file;  ///< index into files_
    std::string from;  ///< the previous name; empty: new
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
