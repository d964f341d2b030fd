#include "tests/power/examiner.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "store/views/verify.hpp"

namespace parley::power {
namespace {

constexpr std::size_t faults_kept = 10;
/// The number of images for each instant before the first answer, in addition to the share of the instant: a first
/// start is short and can fail in ways of its own.
constexpr std::size_t images_of_beginning = 40;
/// The end of LMDB's two meta pages; a transaction exists once one of them refers to it.
constexpr std::uint64_t meta_end = 8192;

constexpr Pick random_picks[] = {Pick::some, Pick::first_part, Pick::whole_writes, Pick::all_but_one,
                                 Pick::only_one};

/// Reading a torn store may crash this process; this description is then reported.
std::string under_examination;

void report_crash(int signal) {
  std::printf("{\"refused\": 0, \"torn\": 1, \"lost\": 0, \"faults\": [\"%s: signal %d\"]}\n",
              under_examination.c_str(), signal);
  std::fflush(stdout);
  _exit(1);
}

constexpr std::string_view word_of(Pick pick) {
  constexpr std::string_view words[] = {"nothing",      "everything",  "some",    "first part",
                                        "whole writes", "all but one", "only one"};
  return words[static_cast<std::size_t>(pick)];
}

bool ends_commit(const Event& event) {
  return event.kind == Kind::write && event.name == "data.mdb" && event.offset < meta_end;
}

/// A sync that has only begun does not change the possible content of the disk.
bool is_instant(const Event& event) {
  return event.kind != Kind::sync_begin;
}

Expected<std::unique_ptr<store::Store>> open_in(const Stage& stage) {
  return store::Store::open(
      {.directory = stage.directory(), .map_bytes = std::uint64_t{1} << 30, .free_bytes_min = 0});
}

}  // namespace

Examiner::Examiner(std::vector<Event> events, std::vector<Fact> facts, Plan plan, std::filesystem::path stage)
    : events_(std::move(events)),
      facts_(std::move(facts)),
      plan_(std::move(plan)),
      stage_(std::move(stage)),
      random_(plan_.seed) {}

Report Examiner::examine() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT}) std::signal(signal, report_crash);
  learn_commits();
  spread_images();
  Disk disk(plan_.without);
  for (std::size_t i = 0; i < events_.size(); ++i) {
    disk.apply(events_[i]);
    if (!is_instant(events_[i])) continue;
    now_ = events_[i].position;
    examine_instant(disk, i);
  }
  report_.events = events_.size();
  report_.commits = commits_.size();
  report_.facts = facts_.size();
  return report_;
}

Image Examiner::end_of_trace() const {
  Disk disk({});
  for (const Event& event : events_) disk.apply(event);
  return disk.cached();
}

void Examiner::learn_commits() {
  std::vector<std::uint64_t> ends;
  for (const Event& event : events_) {
    if (ends_commit(event)) ends.push_back(event.position);
  }
  ends.push_back(UINT64_MAX);
  Disk disk({});
  std::size_t number = 0;
  for (const Event& event : events_) {
    disk.apply(event);
    if (!ends_commit(event)) continue;
    // The very first write creates two empty meta pages; there is no store to read yet.
    if (disk.cached().at("data.mdb").size() > meta_end) learn_commit(disk, event.position, ends[number + 1]);
    ++number;
  }
  if (commits_.empty()) throw std::runtime_error("the trace has no commit");
}

void Examiner::learn_commit(const Disk& disk, std::uint64_t begin, std::uint64_t end) {
  stage_.lay(disk.cached());
  const auto store = open_in(stage_);
  if (!store) throw std::runtime_error("the running store cannot be read: " + store.problem().detail);
  const store::Snapshot snapshot = (*store)->snapshot();
  const auto verdict = store::verify(snapshot);
  if (!verdict || !verdict->is_good()) throw std::runtime_error("the running store is damaged");
  const State state = state_of(snapshot);
  commits_[state.transaction] = {state.sum, begin};
  // The facts that clients received while this was the newest commit must be in it; the last commit must
  // contain all facts.
  for (auto fact = first_after(end == UINT64_MAX ? 0 : begin); fact != facts_.end() && fact->position <= end;
       ++fact) {
    if (!holds(*fact, snapshot)) fault(report_.lost, "told before it was written: " + fact->text);
  }
}

std::vector<Fact>::const_iterator Examiner::first_after(std::uint64_t position) const {
  return std::upper_bound(facts_.begin(), facts_.end(), position,
                          [](std::uint64_t wanted, const Fact& fact) { return wanted < fact.position; });
}

void Examiner::spread_images() {
  Disk disk(plan_.without);
  std::vector<std::size_t> most;  // the number of different images per instant, capped
  std::size_t open = 0;
  for (const Event& event : events_) {
    disk.apply(event);
    const std::size_t choices = is_instant(event) ? disk.open_choices() : 0;
    most.push_back(is_instant(event) ? std::size_t{1} << std::min<std::size_t>(choices, 20) : 0);
    open += choices > 0 ? 1 : 0;
  }
  report_.instants = open;
  const double share = open == 0 ? 0 : static_cast<double>(plan_.images) / static_cast<double>(open);
  double owed = 0;
  for (const std::size_t bound : most) {
    owed += bound > 1 ? share : 0.1;
    const auto count = std::min(bound, static_cast<std::size_t>(owed));
    owed -= static_cast<double>(count);
    const bool is_beginning = events_[shares_.size()].position < facts_.front().position;
    shares_.push_back(is_beginning ? std::min(bound, count + images_of_beginning) : count);
  }
}

void Examiner::examine_instant(const Disk& disk, std::size_t number) {
  for (std::size_t i = 0; i < shares_[number]; ++i) {
    Pick pick = random_picks[random_() % std::size(random_picks)];
    if (i < 2 && shares_[number] > 2) pick = i == 0 ? Pick::nothing : Pick::everything;
    if (disk.open_choices() == 0) pick = Pick::everything;
    const Image image = disk.image(pick, random_);
    look_at(image, "event " + std::to_string(number) + ", " + std::string(word_of(pick)));
  }
}

void Examiner::look_at(const Image& image, const std::string& where) {
  ++report_.images;
  under_examination = where;
  if (plan_.keep_every > 0 && report_.images % plan_.keep_every == 0) keep(image);
  stage_.lay(image);
  {
    const auto store = open_in(stage_);
    if (store) {
      look_into(**store, where);
    } else {
      fault(report_.refused, where + ": " + store.problem().detail);
    }
  }
  // An unfinished first start is continued, which writes to the image.
  if (now_ < facts_.front().position) stage_.forget();
}

void Examiner::look_into(const store::Store& store, const std::string& where) {
  const store::Snapshot snapshot = store.snapshot();
  const State state = state_of(snapshot);
  const auto commit = commits_.find(state.transaction);
  const bool is_published = facts_.front().position <= now_;
  if (commit == commits_.end() || commit->second.sum != state.sum) {
    const auto verdict = store::verify(snapshot);
    if (is_published || !verdict || !verdict->is_good()) {
      return fault(report_.torn,
                   where + ": transaction " + std::to_string(state.transaction) + " is that of no commit");
    }
    return;
  }
  // Facts received before this commit are in it: learn_commit has checked them.
  for (auto fact = first_after(commit->second.position); fact != facts_.end() && fact->position <= now_;
       ++fact) {
    if (!holds(*fact, snapshot)) return fault(report_.lost, where + ": lost " + fact->text);
  }
}

void Examiner::keep(const Image& image) {
  const std::filesystem::path directory = plan_.keep_in / std::to_string(report_.images);
  std::filesystem::create_directories(directory);
  for (const auto& [name, content] : image) std::ofstream(directory / name, std::ios::binary) << content;
  std::ofstream(plan_.keep_in / (std::to_string(report_.images) + ".position")) << now_;
}

void Examiner::fault(std::size_t& count, const std::string& what) {
  ++count;
  if (report_.faults.size() < faults_kept) report_.faults.push_back(what);
}

}  // namespace parley::power
