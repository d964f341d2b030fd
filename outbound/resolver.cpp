#include "outbound/resolver.hpp"

#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace parley::outbound {

/// What the owner and the lookup threads share, under one mutex.
struct Resolver::Shared {
  std::mutex mutex;
  Lookup lookup;
  std::function<void()> on_answer;  ///< empty once the owner is gone
  /// That no thread has taken yet, oldest first: each once and withdrawn with its last caller, so bounded by the calls on
  /// the wire.
  std::map<std::uint64_t, std::string> names;
  std::vector<Answer> answers;
  std::size_t threads = 0;
};

std::vector<Address> system_lookup(const std::string& name) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  if (::getaddrinfo(name.c_str(), nullptr, &hints, &list) != 0) return {};
  constexpr std::size_t addresses_max = 16;  // more are no help to a caller with seconds to spend
  std::vector<Address> addresses;
  for (const addrinfo* row = list; row != nullptr && addresses.size() < addresses_max; row = row->ai_next) {
    const auto address = address_from(*row->ai_addr);
    if (address && std::find(addresses.begin(), addresses.end(), *address) == addresses.end())
      addresses.push_back(*address);
  }
  ::freeaddrinfo(list);
  return addresses;
}

Resolver::Resolver(const Limits& limits, Lookup lookup, std::function<void()> on_answer)
    : limits_(limits), shared_(std::make_shared<Shared>()) {
  shared_->lookup = std::move(lookup);
  shared_->on_answer = std::move(on_answer);
}

Resolver::~Resolver() {
  const std::lock_guard lock(shared_->mutex);
  shared_->on_answer = nullptr;
  shared_->names.clear();
}

std::optional<std::vector<Address>> Resolver::ask(const std::string& name, std::int64_t now_ms) {
  const auto found = remembered_.find(name);
  if (found != remembered_.end() && now_ms < found->second.until_ms) return found->second.addresses;
  const std::uint64_t place = last_place_ + 1;
  if (!asked_.emplace(name, place).second) return std::nullopt;
  last_place_ = place;
  const std::lock_guard lock(shared_->mutex);
  shared_->names.emplace(place, name);
  if (shared_->threads >= limits_.lookups_max) return std::nullopt;
  try {
    std::thread([shared = shared_] { run(shared); }).detach();
    ++shared_->threads;
  } catch (const std::system_error&) {
    // Without any thread nobody would take the name; as one that cannot be resolved its call fails with a reason.
    if (shared_->threads == 0) {
      shared_->names.erase(place);
      shared_->answers.push_back({name, {}});
      shared_->on_answer();
    }
  }
  return std::nullopt;
}

void Resolver::withdraw(const std::string& name) {
  const auto found = asked_.find(name);
  if (found == asked_.end()) return;
  const std::lock_guard lock(shared_->mutex);
  if (shared_->names.erase(found->second) > 0) asked_.erase(found);
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
  while (!shared->names.empty()) {
    const auto next = shared->names.begin();
    Answer answer{std::move(next->second), {}};
    shared->names.erase(next);
    lock.unlock();
    answer.addresses = shared->lookup(answer.name);
    lock.lock();
    if (!shared->on_answer) break;
    shared->answers.push_back(std::move(answer));
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
