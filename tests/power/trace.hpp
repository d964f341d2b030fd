#pragma once
/// The events of a data directory: every change of a file or a name, and every sync, in chronological order. The
/// recorder writes the trace, the examiner reads it.
///
///   trace  = *event
///   event  = kind u8, name length u8, 6 zero bytes, offset u64, length u64, name, bytes
///
/// Numbers are in the machine's byte order. Only `write` has bytes; `rename` has the new name in their place. A sync is
/// recorded twice: data written before its beginning is durable at its end. Only one thread writes to a data directory.

#include <cstdint>
#include <string>
#include <vector>

namespace parley::power {

enum class Kind : std::uint8_t {
  create,      ///< a new name
  write,       ///< bytes at an offset; not yet durable
  truncate,    ///< length is the new size
  durable,     ///< the last recorded write to this file has returned, and the file was opened with O_DSYNC
  sync_begin,  ///< fsync or fdatasync of the file
  sync_end,    ///< the sync has returned without an error
  rename,
  remove,
  sync_directory,  ///< fsync of the directory has returned without an error
};

struct EventHead {
  Kind kind = Kind::write;
  std::uint8_t name_length = 0;
  std::uint8_t unused[6] = {};
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  ///< number of bytes that follow the name; for truncate, the new size
};
static_assert(sizeof(EventHead) == 24);

struct Event {
  Kind kind = Kind::write;
  std::string name;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;      ///< for truncate
  std::string bytes;           ///< for write; the new name for rename
  std::uint64_t position = 0;  ///< the position in the trace after the event
};

/// Throws std::runtime_error if there is no such file.
[[nodiscard]] std::string content_of(const std::string& file);

/// Throws std::runtime_error if the file is not a trace. A truncated event at the end is omitted.
[[nodiscard]] std::vector<Event> read_trace(const std::string& file);

}  // namespace parley::power
