#include "outbound/client/client_thread.hpp"

#include <algorithm>
#include <utility>

#include "model/check.hpp"

namespace parley::outbound {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;  // clang 14 needs this

}  // namespace

ClientThread::ClientThread(const CallLimits& limits, const Guard& guard, SharedCalls& shared,
                           std::size_t number, Lookup lookup, OnSlowed on_slowed)
    : limits_(limits),
      loop_({limits_, guard, shared, counters_, number,
             [this](FetchedToken token) {
               Command command = std::move(token);
               post(command);  // if the thread is stopping, no call waits for the token
             }},
            std::move(lookup), std::move(on_slowed)) {}

void ClientThread::begin() {
  thread_ = std::thread([this] { run(); });
}

bool ClientThread::post(Command& command) {
  const std::lock_guard lock(mutex_);
  if (is_stopping_) return false;
  commands_.push_back(std::move(command));
  // One wake-up serves all commands that arrive before the loop reads them.
  if (commands_.size() == 1) loop_.wake();
  return true;
}

void ClientThread::stop_soon() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  loop_.wake();
}

void ClientThread::join() {
  if (!thread_.joinable()) return;
  CHECK(thread_.get_id() != std::this_thread::get_id());
  thread_.join();
}

void ClientThread::run() {
  while (obey()) loop_.turn();
  loop_.cancel_all();
}

bool ClientThread::obey() {
  std::vector<Command> commands;
  bool continues = true;
  {
    const std::lock_guard lock(mutex_);
    commands.swap(commands_);
    continues = !is_stopping_;
  }
  const Overloaded carry_out{
      [this](NewCall& call) { loop_.start(std::move(call)); },
      [this](const CallId& id) { loop_.cancel(id); },
      [this](const CanceledGroup& group) { loop_.cancel_group(group); },
      [this](const FetchedToken& token) { loop_.on_token(token); },
  };
  for (auto& command : commands) std::visit(carry_out, command);
  return continues;
}

}  // namespace parley::outbound
