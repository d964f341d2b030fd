#pragma once
/// Resolver: resolves names to addresses without ever blocking the calling thread. The system's resolver blocks for
/// as long as a name server takes and cannot be stopped, so lookups run on a limited number of separate threads.
/// Calls for one name share a lookup. A trusted name has its own thread, so that it never waits for other names.
///
/// Thread: ask and take on the owner's; the lookups on their own. A lookup that is in progress when the
/// resolver is destroyed ends by itself.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "outbound/call_limits.hpp"
#include "outbound/guard/address.hpp"

namespace parley::outbound {

/// Returns all addresses of a name; empty if it has none. Blocks; called on separate threads.
using Lookup = std::function<std::vector<Address>(const std::string& name)>;
/// Uses getaddrinfo.
[[nodiscard]] std::vector<Address> system_lookup(const std::string& name);

class Resolver {
 public:
  struct Answer {
    std::string name;
    std::vector<Address> addresses;  ///< empty: the name has no address or could not be resolved
  };

  /// Calls `on_answer` on any thread when take() has an answer, but never after the resolver is destroyed.
  Resolver(const CallLimits& limits, Lookup lookup, std::function<void()> on_answer);
  ~Resolver();
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  /// The remembered addresses of the name. nullopt: a lookup is in progress or waits for a thread, and take()
  /// will return the answer. `is_trusted`: given on the command line.
  [[nodiscard]] std::optional<std::vector<Address>> ask(const std::string& name, std::int64_t now_ms,
                                                        bool is_trusted);
  /// Whether no thread has begun to look up the requested name.
  [[nodiscard]] bool is_waiting(const std::string& name) const;
  /// No call waits for the name any longer. It is not looked up unless a thread has already begun.
  void withdraw(const std::string& name);
  [[nodiscard]] std::vector<Answer> take(std::int64_t now_ms);

 private:
  struct Remembered {
    std::vector<Address> addresses;
    std::int64_t until_ms = 0;
  };
  struct Shared;
  static void look_up_one(Shared& shared, std::string name);
  static void look_up_all(Shared& shared);
  [[nodiscard]] static bool begin_thread(std::function<void()> work);
  void remember(const Answer& answer, std::int64_t now_ms);

  const CallLimits& limits_;
  std::shared_ptr<Shared> shared_;  // shared with the lookup threads, which may outlive this object
  std::unordered_map<std::string, Remembered> remembered_;
  /// Names that wait or are being looked up; each has a caller or a thread.
  std::unordered_set<std::string> asked_;
};

}  // namespace parley::outbound
