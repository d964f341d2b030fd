#include "outbound/client/resolver.hpp"

#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace parley::outbound {

/// The state that the owner and the lookup threads share, under one mutex.
struct Resolver::Shared {
  using Names = std::list<std::string>;

  std::mutex mutex;
  Lookup lookup;
  std::function<void()> on_answer;  ///< empty once the owner is destroyed
  /// Names that no thread has started to look up, oldest first. Each name is listed once and is withdrawn with
  /// its last caller, so the list is bounded by the calls on the wire.
  Names waiting;
  /// Thousands of names may be withdrawn in one turn of the loop, so none is searched linearly.
  std::unordered_map<std::string, Names::iterator> places;
  std::vector<Answer> answers;
  std::size_t threads = 0;  ///< without those for trusted names

  void add(const std::string& name) { places[name] = waiting.insert(waiting.end(), name); }
  [[nodiscard]] std::string take_next() {
    std::string name = std::move(waiting.front());
    waiting.pop_front();
    places.erase(name);
    return name;
  }
  /// True if the name was waiting.
  bool forget(const std::string& name) {
    const auto found = places.find(name);
    if (found == places.end()) return false;
    waiting.erase(found->second);
    places.erase(found);
    return true;
  }
  void look_up(std::unique_lock<std::mutex>& lock, std::string name) {
    lock.unlock();
    auto addresses = lookup(name);
    lock.lock();
    if (!on_answer) return;
    answers.push_back({std::move(name), std::move(addresses)});
    on_answer();
  }
};

std::vector<Address> system_lookup(const std::string& name) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  if (::getaddrinfo(name.c_str(), nullptr, &hints, &list) != 0) return {};
  constexpr std::size_t addresses_max = 16;  // more do not help a caller that has only seconds
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
}

Resolver::~Resolver() {
  const std::lock_guard lock(shared_->mutex);
  shared_->on_answer = nullptr;
  shared_->places.clear();
  shared_->waiting.clear();
}

std::optional<std::vector<Address>> Resolver::ask(const std::string& name, std::int64_t now_ms,
                                                  bool is_trusted) {
  const auto found = remembered_.find(name);
  if (found != remembered_.end() && now_ms < found->second.until_ms) return found->second.addresses;
  const bool is_new = asked_.insert(name).second;
  const std::lock_guard lock(shared_->mutex);
  // A name that waits for an agent's call is removed from the queue, because a trusted call must not wait for it.
  if (!is_new && !(is_trusted && shared_->forget(name))) return std::nullopt;
  if (is_trusted && begin_thread([shared = shared_, name] { look_up_one(*shared, name); }))
    return std::nullopt;
  shared_->add(name);
  if (shared_->threads < limits_.lookups_max && begin_thread([shared = shared_] { look_up_all(*shared); }))
    ++shared_->threads;
  return std::nullopt;
}

// If no thread can be created, the name waits for the thread of another lookup; at worst, its caller times out.
bool Resolver::begin_thread(std::function<void()> work) {
  try {
    std::thread(std::move(work)).detach();
    return true;
  } catch (const std::system_error&) {
    return false;
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

void Resolver::look_up_one(Shared& shared, std::string name) {
  std::unique_lock lock(shared.mutex);
  shared.look_up(lock, std::move(name));
}

void Resolver::look_up_all(Shared& shared) {
  std::unique_lock lock(shared.mutex);
  while (!shared.waiting.empty()) shared.look_up(lock, shared.take_next());
  --shared.threads;
}

// A name without addresses is not remembered and is looked up again: its name server may have failed briefly.
void Resolver::remember(const Answer& answer, std::int64_t now_ms) {
  if (answer.addresses.empty()) return;
  if (remembered_.size() >= limits_.names_max)
    std::erase_if(remembered_, [&](const auto& entry) { return entry.second.until_ms <= now_ms; });
  if (remembered_.size() >= limits_.names_max) remembered_.clear();
  remembered_[answer.name] = {answer.addresses, now_ms + limits_.name_ms};
}

}  // namespace parley::outbound
