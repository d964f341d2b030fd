#pragma once
/// The requests of one connection and the answers it expects: the port between the runner (sockets, time) and the modes.
/// A client belongs to its runner's thread; `Work` is shared by all.

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "bench/load/connection.hpp"
#include "bench/load/options.hpp"

namespace parley::load {

/// Shared by the clients of all threads.
struct Work {
  Options options;
  std::string common_fields;     ///< Host, Authorization
  std::vector<std::string> ids;  ///< of get and each
  /// Length of the answer for each id as first seen; every later one must have the same.
  std::vector<std::atomic<std::uint32_t>> lengths;
  std::atomic<std::size_t> next{0};      ///< next of `ids` or of `options.count`
  std::atomic<std::size_t> finished{0};  ///< conversations or rounds that were completed

  std::mutex mutex;
  std::vector<std::string> made;  ///< "id entries" of results, by mutex

  void add_made(std::string line);
};

class Client {
 public:
  virtual ~Client() = default;
  /// Appends the next request; false when no request is left.
  [[nodiscard]] virtual bool ask(std::string& out) = 0;
  /// Whether the last request counts for the figures.
  [[nodiscard]] virtual bool is_measured() const { return true; }
  /// Checks the answer to it: empty, or the fault.
  [[nodiscard]] virtual std::string hear(const Answer& answer) = 0;
  /// The load is over; started work is recorded.
  virtual void stop() {}
};

/// The client of a mode; null for an unknown one. `number` distinguishes the clients.
[[nodiscard]] std::unique_ptr<Client> make_client(Work& work, std::size_t number);

/// Appends a request with the common fields. `extra` are whole lines, each with its CRLF.
void append_request(std::string& out, const Work& work, std::string_view method, std::string_view path,
                    std::string_view body = {}, std::string_view extra = {});

/// "status 500: ..." with the beginning of the body.
[[nodiscard]] std::string unexpected(const Answer& answer);

}  // namespace parley::load
