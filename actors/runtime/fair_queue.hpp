#pragma once
/// FairQueue: work that waits for a thread. Owners take turns, so that the owner who sends the most waits the
/// longest and delays only itself. The pieces of one owner keep their order. Bounded in pieces and bytes, per
/// owner and in total. Plain state of the background actor, used on its thread only.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>

#include "model/id.hpp"

namespace parley::actors {

/// The total bounds stop only owners that have used up their reserve; otherwise some owners could fill the
/// queue and keep others out indefinitely. So the queue holds at most the total bounds plus, for each owner,
/// the reserve or one piece of any size: owners are users, whom an admin creates, and all bodies together
/// have their own budget. (Dropping the newest piece of the owner with the most would enforce the bounds
/// strictly, but revoke an admission.)
struct QueueBounds {
  std::size_t pieces = SIZE_MAX;
  std::size_t pieces_of_owner = SIZE_MAX;
  std::size_t bytes = SIZE_MAX;
  std::size_t bytes_of_owner = SIZE_MAX;
  /// Below these bounds an owner has room, regardless of the other owners.
  std::size_t pieces_reserved = 0;
  std::size_t bytes_reserved = 0;
};

template <class Piece>
class FairQueue {
 public:
  explicit FairQueue(const QueueBounds& bounds) : bounds_(bounds) {}

  [[nodiscard]] bool is_empty() const { return turns_.empty(); }
  /// Always true for an owner without waiting pieces, whatever the size of the piece.
  [[nodiscard]] bool has_room(const Id& owner, std::size_t bytes) const {
    const auto found = owners_.find(owner);
    if (found == owners_.end()) return true;
    const std::size_t pieces = found->second.pieces.size();
    const std::size_t held = found->second.bytes;
    if (pieces >= bounds_.pieces_of_owner || is_beyond(held, bytes, bounds_.bytes_of_owner)) return false;
    if (pieces < bounds_.pieces_reserved && !is_beyond(held, bytes, bounds_.bytes_reserved)) return true;
    return size_ < bounds_.pieces && !is_beyond(bytes_, bytes, bounds_.bytes);
  }
  void put(const Id& owner, std::size_t bytes, Piece piece) {
    Line& line = owners_[owner];
    if (line.pieces.empty()) turns_.push_back(owner);
    line.pieces.push_back({bytes, std::move(piece)});
    line.bytes += bytes;
    bytes_ += bytes;
    ++size_;
  }
  /// The first piece of the owner whose turn it is. Needs: not empty.
  [[nodiscard]] Piece take() {
    const auto found = owners_.find(turns_.front());
    turns_.pop_front();
    Line& line = found->second;
    auto [bytes, piece] = std::move(line.pieces.front());
    line.pieces.pop_front();
    line.bytes -= bytes;
    bytes_ -= bytes;
    --size_;
    if (line.pieces.empty()) {
      owners_.erase(found);
    } else {
      turns_.push_back(found->first);
    }
    return std::move(piece);
  }

 private:
  static bool is_beyond(std::size_t waiting, std::size_t more, std::size_t bound) {
    return waiting > bound || more > bound - waiting;
  }

  struct Line {
    std::deque<std::pair<std::size_t, Piece>> pieces;
    std::size_t bytes = 0;
  };
  QueueBounds bounds_;
  std::map<Id, Line> owners_;  ///< owners with waiting pieces
  std::deque<Id> turns_;       ///< each of these owners once
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace parley::actors
