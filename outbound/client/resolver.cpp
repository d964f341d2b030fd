#include "outbound/client/resolver.hpp"

#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <list>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace parley::outbound {

namespace {

/// What names have in common whose servers are most likely the same: `example.org` of `a.b.example.org`.
std::string zone_of(const std::string& name) {
  const auto last = name.rfind(
      '.',
      name.size() - std::min<std::size_t>(name.size(), 2));  // a dot at the end does not count as a label
  if (last == std::string::npos || last == 0) return name;
  const auto before = name.rfind('.', last - 1);
  return before == std::string::npos ? name : name.substr(before + 1);
}

/// That of the operator's names: no other is called so.
constexpr const char* trusted_zone = "";

}  // namespace

/// What the owner and the lookup threads share, under one mutex.
struct Resolver::Shared {
  using Names = std::list<std::string>;
  struct Zone {
    /// That no thread has taken yet, oldest first: each once and withdrawn with its last caller, so bounded by the calls on
    /// the wire.
    Names waiting;
    std::size_t running = 0;
  };
  using Zones = std::map<std::string, Zone>;
  /// Where a name waits. Thousands may, and be withdrawn in one turn of the loop: none is looked for among the others.
  struct Place {
    Zones::iterator zone;
    Names::iterator name;
  };

  std::mutex mutex;
  Lookup lookup;
  std::function<void()> on_answer;  ///< empty once the owner is gone
  std::size_t running_max = 0;      ///< names looked up at once but for the operator's
  std::size_t zone_max = 0;         ///< of these, of one zone
  std::size_t running = 0;
  Zones zones;
  std::unordered_map<std::string, Place> places;  ///< of each name that waits
  std::string last_zone;                          ///< that a thread took a name of
  std::vector<Answer> answers;
  std::size_t threads = 0;

  void add(const std::string& name, const std::string& zone) {
    const auto found = zones.try_emplace(zone).first;
    Names& waiting = found->second.waiting;
    places[name] = {found, waiting.insert(waiting.end(), name)};
  }
  /// The next name and its zone, counted as running: the operator's first, then one of the next zone in turn.
  std::optional<std::pair<std::string, std::string>> take_next() {
    const auto trusted = zones.find(trusted_zone);
    if (trusted != zones.end() && !trusted->second.waiting.empty()) return take(trusted);
    if (running >= running_max) return std::nullopt;
    auto zone = zones.upper_bound(last_zone);
    for (std::size_t seen = 0; seen < zones.size(); ++seen, ++zone) {
      if (zone == zones.end()) zone = zones.begin();
      if (zone->second.waiting.empty() || zone->second.running >= zone_max) continue;
      last_zone = zone->first;
      ++running;
      return take(zone);
    }
    return std::nullopt;
  }
  std::pair<std::string, std::string> take(Zones::iterator zone) {
    ++zone->second.running;
    std::pair taken{std::move(zone->second.waiting.front()), zone->first};
    zone->second.waiting.pop_front();
    places.erase(taken.first);
    return taken;
  }
  void end(const std::string& zone) {
    if (zone != trusted_zone) --running;
    const auto found = zones.find(zone);
    if (--found->second.running == 0 && found->second.waiting.empty()) zones.erase(found);
  }
  /// True where it waited.
  bool forget(const std::string& name) {
    const auto found = places.find(name);
    if (found == places.end()) return false;
    const auto [zone, place] = found->second;
    places.erase(found);
    zone->second.waiting.erase(place);
    if (zone->second.running == 0 && zone->second.waiting.empty()) zones.erase(zone);
    return true;
  }
};

std::vector<Address> system_lookup(const std::string& name) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  if (::getaddrinfo(name.c_str(), nullptr, &hints, &list) != 0) return {};
  constexpr std::size_t addresses_max = 16;  // more do not help a caller with seconds to spend
  std::vector<Address> addresses;
  for (const addrinfo* row = list; row != nullptr && addresses.size() < addresses_max; row = row->ai_next) {
    const auto address = address_from(*row->ai_addr);
    if (address && std::find(addresses.begin(), addresses.end(), *address) == addresses.end())
      addresses.push_back(*address);
  }
  ::freeaddrinfo(list);
  return addresses;
}

Resolver::Resolver(const CallLimits& limits, Lookup lookup, std::function<void()> on_answer)
    : limits_(limits), shared_(std::make_shared<Shared>()) {
  shared_->lookup = std::move(lookup);
  shared_->on_answer = std::move(on_answer);
  shared_->running_max = limits.lookups_max;
  shared_->zone_max = limits.lookups_of_zone_max;
}

Resolver::~Resolver() {
  const std::lock_guard lock(shared_->mutex);
  shared_->on_answer = nullptr;
  shared_->places.clear();
  shared_->zones.clear();
}

std::optional<std::vector<Address>> Resolver::ask(const std::string& name, std::int64_t now_ms,
                                                  bool is_trusted) {
  const auto found = remembered_.find(name);
  if (found != remembered_.end() && now_ms < found->second.until_ms) return found->second.addresses;
  const bool is_new = asked_.insert(name).second;
  const std::lock_guard lock(shared_->mutex);
  // One that waits for an agent as well goes over to the operator's.
  if (!is_new && !(is_trusted && shared_->forget(name))) return std::nullopt;
  shared_->add(name, is_trusted ? trusted_zone : zone_of(name));
  // Of more threads than names to look up each ends at once; one that ends takes what waits.
  if (is_trusted || shared_->threads < limits_.lookups_max) add_thread();
  return std::nullopt;
}

// If no thread can be created, the name waits for another lookup's thread, and at worst its caller times out.
void Resolver::add_thread() {
  try {
    std::thread([shared = shared_] { run(shared); }).detach();
    ++shared_->threads;
  } catch (const std::system_error&) {
  }
}

bool Resolver::is_waiting(const std::string& name) const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->places.contains(name);
}

void Resolver::withdraw(const std::string& name) {
  const std::lock_guard lock(shared_->mutex);
  if (shared_->forget(name)) asked_.erase(name);
}

std::vector<Resolver::Answer> Resolver::take(std::int64_t now_ms) {
  std::vector<Answer> answers;
  {
    const std::lock_guard lock(shared_->mutex);
    answers.swap(shared_->answers);
  }
  for (const auto& answer : answers) {
    asked_.erase(answer.name);
    remember(answer, now_ms);
  }
  return answers;
}

void Resolver::run(const std::shared_ptr<Shared>& shared) {
  std::unique_lock lock(shared->mutex);
  while (auto taken = shared->take_next()) {
    auto& [name, zone] = *taken;
    lock.unlock();
    auto addresses = shared->lookup(name);
    lock.lock();
    if (!shared->on_answer) break;
    shared->end(zone);
    shared->answers.push_back({std::move(name), std::move(addresses)});
    shared->on_answer();
  }
  --shared->threads;
}

// A name without addresses is asked for again at once: it may be a name server that had a bad moment.
void Resolver::remember(const Answer& answer, std::int64_t now_ms) {
  if (answer.addresses.empty()) return;
  if (remembered_.size() >= limits_.names_max)
    std::erase_if(remembered_, [&](const auto& entry) { return entry.second.until_ms <= now_ms; });
  if (remembered_.size() >= limits_.names_max) remembered_.clear();
  remembered_[answer.name] = {answer.addresses, now_ms + limits_.name_ms};
}

}  // namespace parley::outbound
