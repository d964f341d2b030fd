#include "tests/sim/engine/checker.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_set>
#include <utility>

namespace parley::sim {
namespace {

/// The maximum number of states that the search for one event visits.
constexpr std::size_t visited_max = 60'000;

/// One possible state of the system: the shape, and the commands that have had their effect or never will.
struct Way {
  Shape shape;
  std::uint64_t done = 0;
  bool operator==(const Way&) const = default;
};
struct HashOfWay {
  std::size_t operator()(const Way& way) const {
    return hash_of(way.shape) ^ (way.done * 0x9e3779b97f4a7c15ULL);
  }
};
using Ways = std::unordered_set<Way, HashOfWay>;

constexpr std::uint64_t bit(std::size_t op) {
  return std::uint64_t{1} << op;
}
/// Whether the answer says that nothing was done: the store refused, or too much was waiting.
bool is_refusal(const Reply& reply) {
  return reply.status >= 500;
}

/// How far a status is along the life cycle; statuses of the same rank do not turn into each other.
int rank_of(Status status) {
  switch (status) {
    case Status::pending: return 0;
    case Status::running: return 1;
    case Status::completed:
    case Status::failed: return 2;
    case Status::canceled: break;
  }
  return 3;
}

/// False if `now` is further along than `later`: nothing is ever taken back (I15, I18, I19, I34).
bool can_become(const One& now, const One& later) {
  const bool is_on_its_way = now.status == later.status || rank_of(now.status) < rank_of(later.status);
  if (!is_on_its_way || (now.is_ended && !later.is_ended) || (now.is_claimed && !later.is_claimed))
    return false;
  if (now.is_retired && !later.is_retired) return false;
  if (now.rescored > later.rescored) return false;
  const bool is_same_verdict = now.rescored == later.rescored && !now.rows.empty() && !later.rows.empty();
  if (is_same_verdict && now.rows != later.rows) return false;
  if (now.talk.size() > later.talk.size()) return false;
  auto next = later.talk.begin();
  for (const Said& said : now.talk) {
    next = std::find_if(next, later.talk.end(), [&](const Said& other) {
      return other.token == said.token && other.born == said.born && (said.merged & ~other.merged) == 0;
    });
    if (next == later.talk.end()) return false;
    ++next;
  }
  return true;
}
bool can_become(const Shape& now, const Shape& later) {
  if ((now.kept & ~later.kept) != 0) return false;
  return std::all_of(now.ones.begin(), now.ones.end(), [&](const One& one) {
    const One* other = later.find(one.name);
    return other != nullptr && can_become(one, *other);
  });
}

/// How much is searched. An explanation that one of the first two finds is valid; if they find none, the last one
/// decides.
enum class Effort : std::uint8_t {
  nearest,  ///< only the ways that reach an answer with the fewest effects
  narrow,   ///< other lineages are frozen while one is searched
  full,
};

/// The lineage that an event is about; nullopt for all of them.
using About = std::optional<std::uint32_t>;

class Search {
 public:
  Search(const History& history, const Facts& facts, Effort effort)
      : history_(history), facts_(facts), effort_(effort) {}

  /// All ways that satisfy `is_goal`, reached from `from` by effects and silent moves. None is further along than
  /// `later`.
  Ways reach(const Ways& from, std::uint64_t pending, const Shape& later, const About& about,
             const std::function<bool(const Way&)>& is_goal) {
    Ways reached;
    Ways visited = from;
    std::vector<Way> level(from.begin(), from.end());
    while (!level.empty() && !is_undecided && !(effort_ == Effort::nearest && !reached.empty())) {
      std::vector<Way> further;
      const auto go = [&](Way next) {
        if (!can_become(next.shape, later)) return;
        if (visited.insert(next).second) further.push_back(std::move(next));
      };
      for (const Way& way : level) {
        if (is_goal(way)) {
          reached.insert(way);
        } else {
          go_on(way, pending, about, go);
        }
      }
      is_undecided = visited.size() > visited_max;
      level = std::move(further);
    }
    return reached;
  }

  bool is_undecided = false;

 private:
  template <class Stop>
  void go_on(const Way& way, std::uint64_t pending, const About& about, const Stop& go) {
    for (std::size_t op = 0; op < history_.ops.size(); ++op) {
      const bool is_open = (pending & bit(op)) != 0 && (way.done & bit(op)) == 0;
      if (is_open && concerns(op, about)) take(way, op, go);
    }
    for (Shape& moved : silent_moves(way.shape, facts_, about)) go({std::move(moved), way.done});
  }
  [[nodiscard]] bool concerns(std::size_t index, const About& about) const {
    const Op& op = history_.ops[index];
    return !about || !is_of_result(op.deed) || op.target.root == *about;
  }
  template <class Stop>
  void take(const Way& way, std::size_t index, const Stop& go) {
    const Op& op = history_.ops[index];
    const bool is_known = op.answers > 0;
    if (is_known && is_refusal(op.reply)) return;
    for (Effect& effect : effects_of(way.shape, op, facts_)) {
      if (!is_known || effect.reply == op.reply) go({std::move(effect.after), way.done | bit(index)});
    }
  }

  const History& history_;
  const Facts& facts_;
  Effort effort_;
};

std::string describe(const Ways& ways) {
  std::string text;
  std::size_t shown = 0;
  for (const Way& way : ways) {
    if (++shown > 3) break;
    text += "\n    it could have been: " + text_of(way.shape);
  }
  return text;
}

/// A refused command may have left invisible effects.
void add_traces(Ways& ways, const Op& op, const Facts& facts) {
  Ways more;
  for (const Way& way : ways) {
    if (auto left = trace_of_refused(way.shape, op, facts)) more.insert({std::move(*left), way.done});
  }
  ways.merge(more);
}

/// State that only the process knew is lost when the process ends.
Ways forgetful(const Ways& ways) {
  Ways after;
  for (Way way : ways) {
    way.shape.awaited.clear();
    after.insert(std::move(way));
  }
  return after;
}

/// Drops the ways in which a client still waits: no client waits indefinitely.
void drop_unfinished(Ways& ways) {
  std::erase_if(ways, [](const Way& way) { return is_awaited(way.shape); });
}

/// For each event, the next state that was read.
std::vector<const Shape*> next_looks(const History& history) {
  std::vector<const Shape*> looks(history.events.size(), nullptr);
  const Shape* later = nullptr;
  for (std::size_t i = history.events.size(); i-- > 0;) {
    if (history.events[i].sort == Event::Sort::looked) later = &history.events[i].shape;
    looks[i] = later;
  }
  return looks;
}

Finding search(const History& history, const Shape& begin, const Facts& facts, Effort effort) {
  Search search(history, facts, effort);
  const auto looks = next_looks(history);
  Ways ways{Way{begin, 0}};
  std::uint64_t pending = 0;
  bool is_cut_off = false;  // after a crash: the next state that is read is what was durable then
  for (std::size_t i = 0; i < history.events.size(); ++i) {
    const Event& event = history.events[i];
    Ways next;
    switch (event.sort) {
      case Event::Sort::noted: continue;
      case Event::Sort::invoked: pending |= bit(event.op); continue;
      case Event::Sort::crashed: is_cut_off = true; continue;
      case Event::Sort::answered: {
        const Op& op = history.ops[event.op];
        if (is_refusal(op.reply)) {
          pending &= ~bit(event.op);
          add_traces(ways, op, facts);
          continue;
        }
        const bool is_apart = effort != Effort::full && is_of_result(op.deed) && op.deed != Deed::retry;
        const About about = is_apart ? About(op.target.root) : std::nullopt;
        next = search.reach(ways, pending, *looks[i], about,
                            [&](const Way& way) { return (way.done & bit(event.op)) != 0; });
        pending &= ~bit(event.op);
        break;
      }
      case Event::Sort::looked:
        next = search.reach(ways, pending, event.shape, {},
                            [&](const Way& way) { return way.shape.shows(event.shape); });
        if (!std::exchange(is_cut_off, false)) break;
        pending = 0;
        next = forgetful(next);
        break;
    }
    if (&event == &history.events.back()) drop_unfinished(next);
    if (search.is_undecided) return {true, true, i, "too many states"};
    if (next.empty()) {
      return {false, false, i, "event " + std::to_string(i) + " is explained by nothing" + describe(ways)};
    }
    ways = std::move(next);
  }
  return {};
}

}  // namespace

Finding check(const History& history, const Shape& begin, const Facts& facts) {
  Finding finding;
  for (const Effort effort : {Effort::nearest, Effort::narrow, Effort::full}) {
    finding = search(history, begin, facts, effort);
    if (finding.is_sound && !finding.is_undecided) break;
  }
  return finding;
}

}  // namespace parley::sim
