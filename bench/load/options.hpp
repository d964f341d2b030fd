#pragma once
/// The options of the load generator: `parley_load MODE --name value ...`. A plain value, read by all threads.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace parley::load {

struct Options {
  std::string mode;  ///< get, append, conversation, seed, raw, each, heartbeat
  std::string host = "127.0.0.1";
  std::uint16_t port = 7410;
  std::string key;
  std::size_t connections = 64;
  std::size_t threads = 1;
  double seconds = 5;   ///< measured time; modes with a count end when it is reached
  double warmup_s = 1;  ///< time before the measurement
  double rate = 0;      ///< requests per second over all connections; 0: as fast as answers arrive
  std::uint64_t seed = 1;

  std::string ids;  ///< get, each: file with one id per line; seed: the runs that receive the results in turn
  std::string ids_out;    ///< append, conversation, seed: where to write "id entries" of the created results
  std::size_t count = 0;  ///< conversation, seed: results; raw: requests; 0: until the time is over

  std::string agent;
  std::string run;
  std::string test;
  std::string completion_mode = "auto";
  std::size_t turns = 5;            ///< exchanges per conversation, two entries each
  bool is_ended = true;             ///< whether the final next-message is sent
  bool waits_for_score = true;      ///< conversation: whether it polls until the result is completed
  std::size_t entry_bytes = 1024;   ///< size of an entry's content
  std::size_t entries_max = 9'990;  ///< entries per result before a new one is begun (D55)

  std::string method = "GET";  ///< raw, each
  std::string path = "/";      ///< raw, each; {} is replaced by the id
  std::size_t body_bytes = 0;  ///< raw: length of a body of `x` characters
  std::string body;            ///< raw: the body itself
  int status = 0;              ///< raw, each: the expected status; 0: any 2xx
  std::size_t length = 0;      ///< raw: the expected length of the body; 0: any
};

/// Parses the command line; on a fault, prints it to stderr and returns nullopt.
[[nodiscard]] std::optional<Options> read_options(int argc, char** argv);

}  // namespace parley::load
