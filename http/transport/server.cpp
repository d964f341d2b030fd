#include "http/transport/server.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <thread>
#include <utility>

namespace parley::http {
namespace {

unsigned thread_count(unsigned wanted) {
  if (wanted == 0) wanted = std::thread::hardware_concurrency();
  return std::clamp(wanted, 1U, bounds::threads_max);
}

}  // namespace

Server::Server(ServerOptions options, Handler handler, FaultRenderer render_fault, Preauthorizer preauthorize)
    : options_(std::move(options)),
      handler_(std::move(handler)),
      render_fault_(std::move(render_fault)),
      preauthorize_(std::move(preauthorize)),
      counters_(std::make_shared<TransportCounters>()),
      bodies_(std::make_shared<ByteBudget>(options_.bodies)),
      answers_held_(std::make_shared<ByteBudget>(options_.answers)),
      acceptor_(options_, *counters_, open_, [this](Arrival arrival) {
        workers_[next_worker_]->mailbox().adopt(std::move(arrival));
        next_worker_ = (next_worker_ + 1) % workers_.size();
      }) {}

Server::~Server() {
  stop();
}

Expected<Done> Server::listen() {
  return acceptor_.listen();
}

Expected<Done> Server::start() {
  const Worker::Common common{options_,  handler_, render_fault_, preauthorize_,
                              counters_, bodies_,  answers_held_};
  try {
    for (unsigned i = 0; i < thread_count(options_.threads); ++i) {
      workers_.push_back(std::make_unique<Worker>(common));
      workers_.back()->start("http-" + std::to_string(i));
    }
    acceptor_.start();
  } catch (const std::exception& failure) {
    stop();
    return Problem{
        ProblemKind::internal, std::string("cannot start the HTTP threads: ") + failure.what(), {}, 0};
  }
  return Done{};
}

bool Server::drain(std::chrono::milliseconds deadline) {
  const auto until = std::chrono::steady_clock::now() + deadline;
  acceptor_.stop();
  for (const auto& worker : workers_) worker->mailbox().ask_to_drain();
  if (open_.wait_for_none(until)) return true;
  for (const auto& worker : workers_) worker->mailbox().ask_to_give_up();
  static_cast<void>(open_.wait_for_none(until + bounds::last_answers));
  return false;
}

void Server::stop() {
  acceptor_.stop();
  for (const auto& worker : workers_) worker->stop();
  workers_.clear();
}

}  // namespace parley::http
