#include "store/changelog/log_writer.hpp"

#include <chrono>
#include <thread>

namespace parley::store {
namespace {

constexpr std::chrono::milliseconds ask_again_after{200};
constexpr std::chrono::milliseconds send_again_after{50};
constexpr std::chrono::seconds stop_within{1};
constexpr std::size_t tail_bytes_max = 1;  // one row is enough

Logged not_written(Problem why) {
  return {Logged::Kind::not_written, std::move(why), {}};
}

/// The client gets a 503.
Logged not_written(ProblemKind kind, const Problem& why) {
  Problem found = problem(kind, "The write did not happen. " + why.detail);
  found.retry_after_s = 1;
  return not_written(std::move(found));
}

}  // namespace

LogWriter::LogWriter(LogLink link) : link_(std::move(link)), place_(link_.place) {}

LogPlace LogWriter::place() const {
  const std::lock_guard lock(mutex_);
  return place_;
}

LogState LogWriter::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void LogWriter::reached(const LogPlace& place) {
  const std::lock_guard lock(mutex_);
  place_ = place;
}

void LogWriter::start_leading(const Leadership& leadership) {
  const std::lock_guard lock(mutex_);
  state_.is_leading = true;
  state_.is_fenced = false;
  state_.term = leadership.term;
  state_.confirmed_boottime_ms = leadership.asked_ms;
}

void LogWriter::stop_leading() {
  std::unique_lock lock(mutex_);
  state_.is_leading = false;
  idle_.wait_for(lock, stop_within, [&] { return !busy_ || state_.is_in_doubt; });
}

Problem LogWriter::no_leader() {
  Problem found = problem(ProblemKind::no_leader,
                          "This node does not lead, so the write did not happen; ask again in a moment.");
  found.retry_after_s = 1;
  return found;
}

bool LogWriter::may_append(std::uint64_t& term) {
  const std::lock_guard lock(mutex_);
  term = state_.term;
  busy_ = state_.is_leading;
  return busy_;
}

void LogWriter::settled() {
  const std::lock_guard lock(mutex_);
  busy_ = false;
  state_.is_in_doubt = false;
  idle_.notify_all();
}

void LogWriter::fenced() {
  const std::lock_guard lock(mutex_);
  ++state_.figures.fenced;
  state_.is_fenced = true;
  state_.is_leading = false;
}

void LogWriter::confirmed(std::int64_t asked_ms, std::uint64_t us) {
  const std::lock_guard lock(mutex_);
  state_.confirmed_boottime_ms = asked_ms;
  LogFigures& figures = state_.figures;
  ++figures.appends;
  figures.append_us += us;
  std::size_t bucket = 0;
  while (bucket < LogFigures::bucket_us.size() && us > LogFigures::bucket_us.at(bucket)) ++bucket;
  ++figures.latency.at(bucket);
}

bool LogWriter::is_held() {
  const std::int64_t now_ms = boottime_ms();
  if (!away_since_ms_) away_since_ms_ = now_ms;
  return now_ms - *away_since_ms_ < link_.held_for_ms && state().is_leading &&
         !(link_.is_stopping && link_.is_stopping());
}

Appended LogWriter::sent(std::string_view body, Time now) {
  for (;; std::this_thread::sleep_for(send_again_after)) {
    const std::int64_t asked_ms = boottime_ms();
    const auto began = std::chrono::steady_clock::now();
    Appended done = link_.log->append(body, now, place().at);
    const auto took = std::chrono::steady_clock::now() - began;
    if (done.kind == Appended::Kind::unsent && is_held()) continue;
    if (done.kind != Appended::Kind::unsent) away_since_ms_.reset();
    if (done.kind == Appended::Kind::durable)
      confirmed(asked_ms, static_cast<std::uint64_t>(
                              std::chrono::duration_cast<std::chrono::microseconds>(took).count()));
    return done;
  }
}

Logged LogWriter::append(std::string_view body, Time now, const std::function<void()>& release) {
  std::uint64_t term = 0;
  if (!may_append(term)) return not_written(no_leader());
  link_.log->use_term(term);
  const Appended done = sent(body, now);
  Logged logged;
  switch (done.kind) {
    case Appended::Kind::durable: logged.kind = Logged::Kind::durable; break;
    case Appended::Kind::fenced:
      fenced();
      logged = not_written(no_leader());
      break;
    case Appended::Kind::unsent: logged = not_written(ProblemKind::no_leader, done.problem); break;
    case Appended::Kind::refused: logged = not_written(ProblemKind::store_refuses, done.problem); break;
    case Appended::Kind::in_doubt: logged = resolved(body, release); break;
  }
  settled();
  return logged;
}

Logged LogWriter::resolved(std::string_view body, const std::function<void()>& release) {
  {
    const std::lock_guard lock(mutex_);
    state_.is_in_doubt = true;
    ++state_.figures.in_doubt;
  }
  release();
  auto tail = asked_again();
  if (!tail) return {};
  if (!*tail) return {Logged::Kind::unknown, tail->problem(), {}};
  if ((*tail)->kind != LogTail::Kind::rows) return {};
  const LogPosition wanted = next_position(place().at, body);
  for (LogRow& row : (*tail)->rows) {
    // The digest alone is not enough: another node may have appended an equal batch.
    if (row.at == wanted && row.node == link_.node) return {Logged::Kind::found, {}, std::move(row)};
  }
  return not_written(no_leader());
}

std::optional<Expected<LogTail>> LogWriter::asked_again() {
  for (;; std::this_thread::sleep_for(ask_again_after)) {
    if (link_.is_stopping && link_.is_stopping()) return std::nullopt;
    // A higher term fences the lost connection: its append can no longer arrive after the answer to read().
    auto leadership = link_.log->lead(state().term);
    if (!leadership) continue;
    bool is_wanted = false;
    {
      const std::lock_guard lock(mutex_);
      is_wanted = state_.is_leading;
      if (*leadership) {
        state_.term = (*leadership)->term;
        state_.confirmed_boottime_ms = (*leadership)->asked_ms;
      }
    }
    if (!*leadership) fenced();
    if (*leadership && !is_wanted) static_cast<void>(link_.log->step_down());
    const LogPlace at = place();
    auto tail = link_.log->read(at.at, at.before, tail_bytes_max);
    if (!tail && tail.problem().kind == ProblemKind::busy) continue;
    return tail;
  }
}

}  // namespace parley::store
