// parley_sim: simulated schedules from the command line.
//
//   parley_sim --seed N [--only T,T,...]      one schedule: its steps and history; --shrink: the smallest that fails
//   parley_sim --schedules N [--from S]       N random schedules from seed S on (1)
//   parley_sim --seconds T [--from S]         as many as the time permits
//   parley_sim --meetings [--orders N]        all meetings of two commands in every state, at most N orders of each;
//              [--share N --place K]          only the K-th of every N

#include <spdlog/spdlog.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>

#include "tests/sim/engine/campaign.hpp"

namespace {

using namespace parley::sim;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::vector<std::uint32_t> numbers_of(const std::string& text) {
  std::vector<std::uint32_t> numbers;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');)
    numbers.push_back(static_cast<std::uint32_t>(std::stoul(part)));
  return numbers;
}

int one(Stand& stand, std::uint64_t seed, const std::string& kept, bool shrinks) {
  Plan plan = only(plan_of(seed), numbers_of(kept));
  if (shrinks) plan = shrink(stand, plan);
  const Trial trial = Schedule(stand, plan).carry_out();
  print(std::cout, plan, trial);
  std::cout << (trial.faults.empty() ? "sound" : "FAILED") << (trial.is_undecided ? ", undecided" : "")
            << std::endl;
  return trial.faults.empty() ? 0 : 1;
}

/// A failing CHECK of the product ends this process too; the seed must then be known.
std::atomic<std::uint64_t> under_way{0};
void print_seed(int) {
  const std::string text = "broken in seed " + std::to_string(under_way) + "\n";
  static_cast<void>(!::write(STDOUT_FILENO, text.data(), text.size()));
}

int many(Stand& stand, std::uint64_t from, std::uint64_t schedules, double seconds) {
  std::signal(SIGABRT, print_seed);
  const auto begin = Clock::now();
  Tally sum;
  while (sum.schedules < schedules && seconds_since(begin) < seconds && sum.failed == 0) {
    under_way = from + sum.schedules;
    const Tally more = run_seeds(stand, under_way, 1, std::cout);
    sum.schedules += more.schedules;
    sum.failed += more.failed;
    sum.undecided += more.undecided;
    sum.messages += more.messages;
    sum.commands += more.commands;
    sum.crashes += more.crashes;
    if (more.failed > 0) sum.first_failed = more.first_failed;
    if (sum.schedules % 100'000 == 0) std::cout << "... " << sum.schedules << std::endl;
  }
  const double took = seconds_since(begin);
  std::cout << "schedules " << sum.schedules << " (seeds " << from << " to " << from + sum.schedules - 1
            << "), failed " << sum.failed << ", undecided " << sum.undecided << ", commands " << sum.commands
            << ", messages " << sum.messages << ", crashes " << sum.crashes << ", "
            << static_cast<std::uint64_t>(static_cast<double>(sum.schedules) / took) << "/s" << std::endl;
  return sum.failed == 0 ? 0 : 1;
}

int meetings(Stand& stand, const Extent& extent) {
  const auto begin = Clock::now();
  const Meetings met = meet_all(stand, extent, std::cout);
  std::cout << "states " << situations().size() << ", pairs in a state " << met.pairs << ", of them complete "
            << met.complete << ", orders " << met.orders << ", kills " << met.kills << ", failed "
            << met.failed << ", " << static_cast<int>(seconds_since(begin)) << " s" << std::endl;
  return met.failed == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  std::map<std::string, std::string> given;
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    const bool has_value = i + 1 < count && std::string(arguments[i + 1]).rfind("--", 0) != 0;
    given[name] = has_value ? arguments[++i] : "";
  }
  spdlog::set_level(spdlog::level::off);
  if (std::filesystem::is_directory("/dev/shm")) ::setenv("TMPDIR", "/dev/shm", 0);
  const auto number = [&](const std::string& name, std::uint64_t otherwise) {
    return given.contains(name) ? std::stoull(given[name]) : otherwise;
  };
  Stand stand;
  if (given.contains("--seed"))
    return one(stand, number("--seed", 1), given["--only"], given.contains("--shrink"));
  if (given.contains("--meetings")) {
    return meetings(stand, {number("--orders", 200), true, number("--share", 1), number("--place", 0)});
  }
  const double seconds = given.contains("--seconds") ? std::stod(given["--seconds"]) : 1e9;
  const std::uint64_t otherwise = given.contains("--seconds") ? UINT64_MAX / 2 : 1'000;
  return many(stand, number("--from", 1), number("--schedules", otherwise), seconds);
}
