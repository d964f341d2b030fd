// The sequential model: what happens by itself, and what must have happened at the end.

#include <algorithm>

#include "tests/sim/engine/model_parts.hpp"

namespace parley::sim {
namespace {

/// Collects states in which one result has changed.
class Moves {
 public:
  Moves(const Shape& shape, const One& one, std::vector<Shape>& moves)
      : shape_(shape), one_(one), moves_(moves) {}
  template <class Change>
  void operator()(const Change& change) const {
    Shape after = shape_;
    change(*after.find(one_.name));
    after.awaited.erase(one_.name);
    moves_.push_back(std::move(after));
  }

 private:
  const Shape& shape_;
  const One& one_;
  std::vector<Shape>& moves_;
};

void fail(One& one) {
  close(one, Status::failed);
}

/// A tester model's turn (D48, D61, D62).
void model_turn(const One& one, const Facts& facts, const Moves& moved) {
  const std::uint32_t turn = turns_of(one);
  if (turn >= turns_max_of(facts.says)) return moved(end);
  moved([&](One& mine) { say(mine, turn_base + turn, Said::Sort::turn); });
  if (facts.testers_end) moved(end);
  if (facts.testers_fail) moved(fail);
}

/// A driven conversation: the tester's next turn, or the agent's answer to the last turn (D60).
void drive(const Shape& shape, const One& one, const Facts& facts, std::vector<Shape>& moves) {
  const Moves moved(shape, one, moves);
  const std::uint32_t turn = turns_of(one);
  if (facts.work_may_fail || facts.may_run_too_long) moved(fail);
  if (unanswered(one) == nullptr) {
    // The result is running while a model still writes its turn (D40).
    if (one.is_free && one.status == Status::pending) moved([](One& mine) { mine.status = Status::running; });
    if (one.is_free) return model_turn(one, facts, moved);
    if (turn >= facts.says) return moved(end);
    return moved([&](One& mine) { say(mine, turn_base + turn, Said::Sort::turn); });
  }
  const auto answer = [&](One& mine) {
    say(mine, answer_base + turn - 1, Said::Sort::message);
    mine.talk.back().says_hello = true;
  };
  moved(answer);
  if (facts.agents_fail) moved(fail);
  if (!facts.agents_end) return;
  moved([&](One& mine) {
    answer(mine);
    mine.talk.back().says_hello = false;  // "bye"
    end(mine);
  });
}

/// D40: the run is running once a result is.
bool must_run(const Shape& shape) {
  return std::any_of(shape.ones.begin(), shape.ones.end(), [](const One& one) {
    return !one.is_preview && (one.status == Status::running || one.status == Status::completed);
  });
}
/// A closed result may have run earlier, which its final state does not show.
bool may_run(const Shape& shape) {
  return std::any_of(shape.ones.begin(), shape.ones.end(),
                     [](const One& one) { return !one.is_preview && one.status != Status::pending; });
}
/// D44: no results other than the existing ones are expected; a retired result does not count.
bool is_complete(const Shape& shape) {
  const bool has_any = std::any_of(shape.ones.begin(), shape.ones.end(),
                                   [](const One& one) { return !one.is_preview && !one.is_retired; });
  return has_any && !has_live(shape);
}

}  // namespace

std::vector<Shape> silent_moves(const Shape& shape, const Facts& facts,
                                const std::optional<std::uint32_t>& of) {
  std::vector<Shape> moves;
  for (const One& one : shape.ones) {
    if (is_over(one.status) || (of && one.name.root != *of)) continue;
    if (one.is_claimed) {
      moves.push_back(shape);
      complete(*moves.back().find(one.name), facts);
      if (facts.work_may_fail) {
        moves.push_back(shape);
        moves.back().find(one.name)->status = Status::failed;
      }
    } else if (one.kind == Kind::driven && !one.is_ended) {
      drive(shape, one, facts, moves);
    } else if (shape.awaited.contains(one.name) && !one.is_ended && unanswered(one) == nullptr) {
      model_turn(one, facts, Moves(shape, one, moves));
    }
  }
  if (is_over(shape.run)) return moves;
  if (shape.run != RunState::running && may_run(shape)) {
    moves.push_back(shape);
    moves.back().run = RunState::running;
  }
  if (is_complete(shape)) {
    moves.push_back(shape);
    moves.back().run = RunState::completed;
  }
  return moves;
}

bool is_awaited(const Shape& shape) {
  return std::any_of(shape.awaited.begin(), shape.awaited.end(), [&](const Name& name) {
    const One* one = shape.find(name);
    return one != nullptr && !is_over(one->status) && !one->is_ended;
  });
}

std::vector<std::string> unfinished(const Shape& shape) {
  std::vector<std::string> faults;
  for (const One& one : shape.ones) {
    if (is_over(one.status)) continue;
    if (one.is_claimed) faults.push_back("claimed and never scored: " + text_of(one));
    if (one.kind == Kind::driven) faults.push_back("driven no further: " + text_of(one));
    if (shape.run == RunState::canceled && !one.is_preview)
      faults.push_back("live on a canceled run: " + text_of(one));
    if (one.is_retired) faults.push_back("live and retired: " + text_of(one));
  }
  if (!is_over(shape.run)) {
    if (shape.run != RunState::running && must_run(shape)) faults.emplace_back("the run never started");
    if (is_complete(shape)) faults.emplace_back("the run never completed (I44)");
  }
  return faults;
}

}  // namespace parley::sim
