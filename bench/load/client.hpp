#pragma once
/// The requests of one connection and the answers it expects: the interface between the runner (sockets, time) and the
/// modes. A client belongs to its runner's thread; `Work` is shared by all.

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
  std::vector<std::string> ids;  ///< for get and each
  /// The length of the first answer for each id; every later answer must have the same.
  std::vector<std::atomic<std::uint32_t>> lengths;
  std::atomic<std::size_t> next{0};      ///< next index into `ids`, or below `options.count`
  std::atomic<std::size_t> finished{0};  ///< conversations or rounds that were completed

  std::mutex mutex;
  std::vector<std::string> made;  ///< "id entries" per result, protected by mutex

  void add_made(std::string line);
};

class Client {
 public:
  virtual ~Client() = default;
  /// Appends the next request; returns false when no request is left.
  [[nodiscard]] virtual bool ask(std::string& out) = 0;
  /// Whether the last request counts for the figures.
  [[nodiscard]] virtual bool is_measured() const { return true; }
  /// Checks the answer to the last request; returns the fault, or an empty string.
  [[nodiscard]] virtual std::string hear(const Answer& answer) = 0;
  /// Called when the load is over; records started work.
  virtual void stop() {}
};

/// Creates a client for the mode; null for an unknown mode. `number` distinguishes the clients.
[[nodiscard]] std::unique_ptr<Client> make_client(Work& work, std::size_t number);

/// Appends a request with the common fields. `extra` consists of whole lines, each with its CRLF.
void append_request(std::string& out, const Work& work, std::string_view method, std::string_view path,
                    std::string_view body = {}, std::string_view extra = {});

/// "status 500: ..." with the beginning of the body.
[[nodiscard]] std::string unexpected(const Answer& answer);

}  // namespace parley::load
