#pragma once
/// A disk that keeps what was synced and writes sectors of 512 bytes whole, and nothing else (I2): of the sectors that
/// were written since, any may have reached it, and of the changes of names any first part. The last is what journals of
/// file systems promise; POSIX promises no more than the sync of the directory.

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/power/trace.hpp"

namespace parley::power {

inline constexpr std::uint64_t sector_bytes = 512;

/// Syncs that are to be taken for never made, to see that the examiner notices.
struct Without {
  bool sync = false;       ///< fsync and fdatasync of files
  bool meta = false;       ///< O_DSYNC, with which LMDB writes its meta pages
  bool directory = false;  ///< fsync of the directory
};

enum class Pick : std::uint8_t { nothing, everything, some, first_part, whole_writes, all_but_one, only_one };

/// The files that a machine finds after the power came back: name -> content.
using Image = std::map<std::string, std::string>;

class Disk {
 public:
  explicit Disk(Without without) : without_(without) {}

  /// Throws std::runtime_error for what no file of a data directory is done to (cut, written before it is made).
  void apply(const Event& event);

  /// Sectors and names that a power cut could take now.
  [[nodiscard]] std::size_t open_choices() const;
  [[nodiscard]] Image image(Pick pick, std::mt19937_64& random) const;
  /// What a running machine reads: everything written.
  [[nodiscard]] Image cached() const;

 private:
  struct Sector {
    std::uint64_t number;
    std::uint64_t write;  ///< of which it was a part
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
    std::string from;  ///< the name that it had; empty: new
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
