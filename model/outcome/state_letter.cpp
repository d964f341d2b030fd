#include "model/outcome/state_letter.hpp"

#include <algorithm>

#include "model/check.hpp"
#include "model/records/retry_cause.hpp"

namespace parley {
namespace {

char letter_of(FaultSource source) {
  switch (source) {
    case FaultSource::agent: return 'a';
    case FaultSource::tester: return 't';
    case FaultSource::judge: return 'j';
    case FaultSource::infrastructure: return 'i';
    case FaultSource::client: return 'c';
    case FaultSource::test: return 'e';
  }
  return 'i';
}

/// `missed` is set with the verdict; verdicts of older versions show a miss only by their score.
char letter_of_verdict(const ResultHead& head) {
  if (head.is_void.value_or(false)) return 'v';
  if (!head.is_decided) return 'u';
  if (!head.overall_passed) return 'f';
  return head.score < 100 || head.has_missed.value_or(false) ? 'q' : 'p';
}

/// An ended conversation without a claim waits for `finish`; an open one with a human tester waits for that person.
bool awaits_a_person(const ResultHead& head) {
  return !head.is_claimed() && (head.is_ended() || head.is_manual);
}

}  // namespace

char state_letter(const ResultHead& head) {
  switch (head.status) {
    case ResultStatus::pending: return head.is_manual ? 'h' : 'w';
    case ResultStatus::running: return awaits_a_person(head) ? 'h' : 'r';
    case ResultStatus::completed: return letter_of_verdict(head);
    case ResultStatus::failed: return letter_of(fault_of_error(head));
    case ResultStatus::canceled: return 'k';
  }
  return 'u';
}

std::vector<ResultStatus> statuses_of(std::string_view letters) {
  std::vector<ResultStatus> statuses;
  const auto add = [&](ResultStatus status) {
    if (std::find(statuses.begin(), statuses.end(), status) == statuses.end()) statuses.push_back(status);
  };
  for (const char letter : letters) {
    switch (letter) {
      case 'p':
      case 'q':
      case 'f':
      case 'u':
      case 'v': add(ResultStatus::completed); break;
      case 'w': add(ResultStatus::pending); break;
      case 'h':
        add(ResultStatus::pending);
        add(ResultStatus::running);
        break;
      case 'r': add(ResultStatus::running); break;
      case 'k': add(ResultStatus::canceled); break;
      default: CHECK(state_letters.find(letter) != std::string_view::npos); add(ResultStatus::failed);
    }
  }
  return statuses;
}

}  // namespace parley
